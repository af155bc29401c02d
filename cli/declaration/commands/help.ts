import { NO_POSITIONAL } from '../shared-options.ts';
import type { CommandDeclaration } from '../types.ts';

/** `help` is no topic of its own: its argument is checked against the topics by the parser (cli.md §1 rule 9). */
export const HELP_COMMAND: CommandDeclaration = {
  name: 'help',
  envelope: 'help',
  task: 'learn',
  summary: 'Show the help of one command.',
  example: 'svc help run',
  positional: { ...NO_POSITIONAL, placeholder: 'COMMAND', maximum: 1, names: 'command' },
  options: [],
  rules: [],
  usage: ['svc help [COMMAND]'],
  rootUsage: ['svc help [COMMAND]'],
  notices: [],
};
