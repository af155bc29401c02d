import { HELP, NO_POSITIONAL } from '../shared-options.ts';
import type { CommandDeclaration } from '../types.ts';

/** Our own command: plain text help, never a help result (cli.md §6). */
export const LSP: CommandDeclaration = {
  name: 'lsp',
  envelope: null,
  task: 'build',
  summary: 'Serve an editor: diagnostics, completion, renaming and layout of components and documents.',
  example: 'svc lsp',
  positional: NO_POSITIONAL,
  options: [HELP],
  rules: [],
  usage: ['svc lsp'],
  rootUsage: [],
  notices: [
    'Speaks the language server protocol on standard input and output; svc docs editors says how editors start it.',
    'Runs nothing, starts no provider, reads no credential and writes no file.',
  ],
  isBundledApart: true,
};
