import { completionOf } from '../completion/candidates.ts';
import { namesAround } from '../completion/names.ts';
import { SCRIPTS } from '../completion/scripts.ts';
import { SHELLS } from '../declaration/commands/completion.ts';
import type { Command } from './command.ts';

/**
 * Prints the script of a shell, or, when that script asks with the words of a line, what may take the place of the last
 * (cli.md §12.2).
 */
export const completionCommand: Command = async (commandArguments, { workingDirectory }) => {
  const words = commandArguments.options.get('--word');
  if (words === undefined) {
    const shell = SHELLS.find((name) => name === commandArguments.positionals[0]);
    if (shell === undefined) throw new Error('the parser admits the names of shells only');
    return { kind: 'text', text: SCRIPTS[shell] };
  }
  const { candidates, paths } = completionOf(words, namesAround(workingDirectory));
  const lines = candidates.map(({ text, description }) => `${text}\t${description}`);
  return { kind: 'text', text: `${[paths, ...lines].join('\n')}\n` };
};
