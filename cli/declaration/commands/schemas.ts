import { HELP, NO_POSITIONAL } from '../shared-options.ts';
import type { CommandDeclaration } from '../types.ts';

/** Our own command: plain text help, never a help result (cli.md §6). */
export const SCHEMAS: CommandDeclaration = {
  name: 'schemas',
  envelope: null,
  task: 'build',
  summary: 'Write the JSON Schemas of all documents, so that an editor checks and completes them.',
  example: 'svc schemas --out schemas',
  positional: NO_POSITIONAL,
  options: [
    {
      name: '--out',
      value: { placeholder: 'DIRECTORY', grammar: { kind: 'path', use: 'directory' } },
      description: 'New directory for the schemas.',
    },
    HELP,
  ],
  rules: [{ kind: 'required', operand: '--out' }],
  usage: ['svc schemas --out DIRECTORY'],
  rootUsage: [],
  notices: ['Copy the contents of its vscode-settings.json into .vscode/settings.json.'],
};
