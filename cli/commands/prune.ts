import { jsonFromPlain } from '../../contract/json/plain.ts';
import { thisMachine } from '../../supervisor/api/machine.ts';
import { pruneProject } from '../../supervisor/api/prune.ts';
import { optionValue } from '../declaration/given.ts';
import type { Command } from './command.ts';

/** cli.md §10, "prune". */
export const pruneCommand: Command = async (given, { workingDirectory, programDirectory, signal }) => {
  const { documents } = thisMachine(programDirectory);
  const [document = ''] = given.positionals;
  const amount = (option: '--max-age-days' | '--max-bytes'): number | null => {
    const text = optionValue(given, option);
    return text === undefined ? null : Number(text);
  };
  const end = await pruneProject({ document, workingDirectory, documents, signal, maxAgeDays: amount('--max-age-days'), maxBytes: amount('--max-bytes'), isDryRun: given.options.has('--dry-run') });
  if (!end.ok) return { kind: 'failed', diagnostic: end.diagnostic, hint: end.hint };
  const result = jsonFromPlain(end.report);
  if (result === undefined) throw new TypeError('a report holds JSON values only');
  return { kind: 'result', value: result, text: null };
};
