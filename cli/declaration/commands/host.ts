import { HELP } from '../shared-options.ts';
import type { CommandDeclaration } from '../types.ts';

/** Where the servers go unless the caller says so: the host document of the generated project. */
export const HOST_DOCUMENT = 'svc-host.json';
export const HOST_TASKS = ['import'] as const;

/** Our own command: plain text help, never a help result (cli.md §6). */
export const HOST: CommandDeclaration = {
  name: 'host',
  envelope: null,
  task: 'build',
  summary: "Add the servers of another client's configuration to a host document.",
  example: 'svc host import .mcp.json',
  positional: { placeholder: 'TASK', minimum: 1, maximum: 1, grammar: { kind: 'choice', of: HOST_TASKS } },
  second: { placeholder: 'FILE', minimum: 1, maximum: 32, grammar: { kind: 'path', use: 'source' } },
  options: [
    {
      name: '--host-config',
      value: { placeholder: 'HOST.json', grammar: { kind: 'path', use: 'source' } },
      description: `Host document that the servers are added to, or that is made; else ${HOST_DOCUMENT}.`,
    },
    { name: '--dry-run', description: 'Report what would be written, and write nothing.' },
    HELP,
  ],
  rules: [],
  usage: ['svc host import FILE... [--host-config HOST.json] [--dry-run]'],
  rootUsage: [],
  notices: [
    'No value of a variable or a header is copied: each becomes a credential, whose variable you set.',
    'Calls of the tools ask you first ("approval": "writes"), until you say which of them only read.',
  ],
};
