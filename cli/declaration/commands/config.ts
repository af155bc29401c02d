import { HELP, NO_POSITIONAL } from '../shared-options.ts';
import type { CommandDeclaration } from '../types.ts';

/** Our own command: plain text help, never a help result (cli.md §6). */
export const CONFIG: CommandDeclaration = {
  name: 'config',
  envelope: null,
  task: 'inspect',
  summary: 'Print the settings of the program: meaning, default, present value, and who set it.',
  example: 'svc config',
  positional: NO_POSITIONAL,
  options: [HELP],
  rules: [],
  usage: ['svc config'],
  rootUsage: [],
  notices: ['Settings are environment variables. The value of a secret is never printed.'],
};
