import { jsonFromPlain } from '../../contract/json/plain.ts';
import { thisMachine } from '../../supervisor/api/machine.ts';
import { pruneProject } from '../../supervisor/api/history.ts';
import { optionValue } from '../declaration/argument-values.ts';
import type { Command } from './command.ts';
import { refuseApplication, unreadProject } from './unread-project.ts';

/** cli.md §10, "prune". */
export const pruneCommand: Command = async (commandArguments, context) => {
  const { workingDirectory, programDirectory, signal } = context;
  const { documents } = thisMachine(programDirectory);
  const [document = ''] = commandArguments.positionals;
  const amount = (option: '--max-age-days' | '--max-bytes'): number | null => {
    const text = optionValue(commandArguments, option);
    return text === undefined ? null : Number(text);
  };
  const end = await pruneProject({
    document,
    workingDirectory,
    documents,
    signal,
    maxAgeDays: amount('--max-age-days'),
    maxBytes: amount('--max-bytes'),
    isDryRun: commandArguments.options.has('--dry-run'),
  });
  if (!end.ok) {
    if (end.reason === 'application') return refuseApplication('prune', commandArguments, context);
    return end.reason === undefined
      ? { kind: 'failed', diagnostic: end.diagnostic, hint: end.hint }
      : unreadProject(commandArguments, context, { ...end, reason: end.reason });
  }
  const result = jsonFromPlain(end.report);
  if (result === undefined) throw new TypeError('a report holds JSON values only');
  return { kind: 'result', value: result, text: null };
};
