import { join } from 'node:path';
import { EXAMPLE_LISTS } from '../../contract/envelope/init-lists.ts';
import type { ExampleName } from '../../contract/envelope/init-lists.ts';
import { initialize } from '../../supervisor/api/initialize.ts';
import { exampleTrees } from '../../supervisor/initialize/example-trees.ts';
import { nodeFileSystem } from '../../supervisor/publication/node-file-system.ts';
import { optionValue, requiredArgument } from '../declaration/given.ts';
import type { Command } from './command.ts';

/** Folder that the build puts beside the program. */
const EXAMPLES = 'examples';

/** cli.md §8. */
export const initCommand: Command = async (given, { runRef, programDirectory, reportBug }) => {
  const report = await initialize({
    runRef,
    directory: requiredArgument(given),
    example: exampleName(optionValue(given, '--example')),
    trees: exampleTrees(join(programDirectory, EXAMPLES)),
    fileSystem: nodeFileSystem(),
  });
  if (report.unexpected !== null) await reportBug(report.unexpected);
  return { kind: 'envelope', envelope: report.envelope, hint: report.hint };
};

function exampleName(name: string | undefined): ExampleName | null {
  return name !== undefined && isExampleName(name) ? name : null;
}

function isExampleName(name: string): name is ExampleName {
  return Object.hasOwn(EXAMPLE_LISTS, name);
}
