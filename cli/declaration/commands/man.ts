import { HELP, NO_POSITIONAL } from '../shared-options.ts';
import type { CommandDeclaration } from '../types.ts';

/** Our own command: plain text help, never a help result (cli.md §6). */
export const MAN: CommandDeclaration = {
  name: 'man',
  envelope: null,
  task: 'learn',
  summary: 'Print the manual page.',
  example: 'svc man | man -l -',
  positional: NO_POSITIONAL,
  options: [HELP],
  rules: [],
  usage: ['svc man'],
  rootUsage: [],
  notices: ['To install it: svc man > ~/.local/share/man/man1/svc.1'],
};
