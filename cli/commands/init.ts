import { OFFERED_EXAMPLE_NAMES, type OfferedExampleName } from '../../contract/init-lists.ts';
import { jsonFromPlain } from '../../contract/json/plain.ts';
import { initialize, treeTools } from '../../supervisor/api/initialize.ts';
import { optionValue, requiredArgument } from '../declaration/argument-values.ts';
import { reportEnvelope } from '../ending/command-end.ts';
import type { Command } from './command.ts';

/** cli.md §8. */
export const initCommand: Command = async (commandArguments, { runRef, programDirectory, reportBug }) => {
  const { end, hint, unexpected } = await initialize({
    runRef,
    directory: requiredArgument(commandArguments),
    example: exampleName(optionValue(commandArguments, '--example')),
    ...treeTools(programDirectory),
  });
  if (unexpected !== null) await reportBug(unexpected);
  if ('status' in end) return reportEnvelope(end, { hint });
  const value = jsonFromPlain(end);
  if (value === undefined) throw new TypeError('names are JSON values');
  return { kind: 'result', value, text: null };
};

function exampleName(name: string | undefined): OfferedExampleName | null {
  return OFFERED_EXAMPLE_NAMES.find((known) => known === name) ?? null;
}
