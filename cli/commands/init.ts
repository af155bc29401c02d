import { EXAMPLE_LISTS, type ExampleName } from '../../contract/init-lists.ts';
import { initialize, treeTools } from '../../supervisor/api/initialize.ts';
import { optionValue, requiredArgument } from '../declaration/given.ts';
import { reportEnvelope } from '../ending/command-end.ts';
import type { Command } from './command.ts';

/** cli.md §8. */
export const initCommand: Command = async (given, { runRef, programDirectory, reportBug }) => {
  const report = await initialize({
    runRef,
    directory: requiredArgument(given),
    example: exampleName(optionValue(given, '--example')),
    ...treeTools(programDirectory),
  });
  if (report.unexpected !== null) await reportBug(report.unexpected);
  return reportEnvelope(report.envelope, { hint: report.hint });
};

function exampleName(name: string | undefined): ExampleName | null {
  return name !== undefined && isExampleName(name) ? name : null;
}

function isExampleName(name: string): name is ExampleName {
  return Object.hasOwn(EXAMPLE_LISTS, name);
}
