import { jsonFromPlain } from '../../contract/json/plain.ts';
import { writeSchemas } from '../../supervisor/api/initialize.ts';
import { optionValue } from '../declaration/argument-values.ts';
import type { Command } from './command.ts';

/** cli.md §10, schemas. */
export const schemasCommand: Command = async (commandArguments, { workingDirectory, programDirectory }) => {
  const directory = optionValue(commandArguments, '--out') ?? '';
  const end = await writeSchemas({ directory, workingDirectory, programDirectory });
  if (!end.ok) return { kind: 'failed', diagnostic: end.diagnostic, hint: end.hint };
  const value = jsonFromPlain({ directory, written: end.written });
  if (value === undefined) throw new TypeError('names are JSON values');
  return { kind: 'result', value, text: null };
};
