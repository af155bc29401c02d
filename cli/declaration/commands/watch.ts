import { argumentByDefault } from '../default-document.ts';
import { HELP, HOST_CONFIG, PROJECT } from '../shared-options.ts';
import type { CommandDeclaration } from '../types.ts';

/** Our own command: plain text help, never a help result (cli.md §6). */
export const WATCH: CommandDeclaration = {
  name: 'watch',
  envelope: null,
  task: 'build',
  summary: 'Validate and test an application each time one of its files changes.',
  example: 'svc watch',
  positional: PROJECT,
  defaultDocument: argumentByDefault(),
  options: [HOST_CONFIG, HELP],
  rules: [],
  usage: ['svc watch [PROJECT.json] [--host-config HOST.json]'],
  rootUsage: [],
  notices: ['Cases are replayed: no model is asked.', 'Ends with Ctrl-C.'],
  evaluates: () => true,
  isBundledApart: true,
};
