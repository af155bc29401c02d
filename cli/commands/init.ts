import { EXAMPLE_LISTS } from '../../contract/envelope/init-lists.ts';
import type { ExampleName } from '../../contract/envelope/init-lists.ts';
import { initialize } from '../../supervisor/api/initialize.ts';
import type { TreeSource } from '../../supervisor/initialize/tree.ts';
import { nodeFileSystem } from '../../supervisor/publication/node-file-system.ts';
import { optionValue, requiredArgument } from '../declaration/given.ts';
import type { Command } from './command.ts';

/** This build embeds the scaffold and no example tree; `initialize` says so when one is asked for. */
const NO_TREES: TreeSource = async () => null;

/** cli.md §8. */
export const initCommand: Command = async (given, { runRef, reportBug }) => {
  const report = await initialize({
    runRef,
    directory: requiredArgument(given),
    example: exampleName(optionValue(given, '--example')),
    trees: NO_TREES,
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
