import { HELP, HOST_CONFIG, MANIFEST_OR_PROJECT } from '../shared-options.ts';
import type { CommandDeclaration } from '../types.ts';

const USAGE = 'svc runner MANIFEST.json|PROJECT.json --database URL [OPTIONS]';
const SLOTS_MAXIMUM = 1024;
const GRACE_MAXIMUM_MS = 3_600_000;
const URL_CHARACTERS = 4096;

/** Our own command (gateway.md §19): it serves until it is stopped, and has no envelope. */
export const RUNNER: CommandDeclaration = {
  name: 'runner',
  envelope: null,
  task: 'serve',
  summary: 'Take runs of an application from a database, beside other runners.',
  example: 'svc runner svc-project.json --database postgres://svc@localhost/svc',
  positional: MANIFEST_OR_PROJECT,
  options: [
    HOST_CONFIG,
    {
      name: '--database',
      value: { placeholder: 'URL', grammar: { kind: 'text', minimum: 1, maximum: URL_CHARACTERS } },
      description: 'PostgreSQL database that holds the runs; a password may come from PGPASSWORD instead.',
    },
    {
      name: '--artifact-store',
      value: { placeholder: 'WHERE', grammar: { kind: 'text', minimum: 1, maximum: URL_CHARACTERS } },
      description: 'Directory or https://host/bucket that all runners share: artifacts, long inputs and envelopes lie there.',
    },
    {
      name: '--tenant-store',
      value: { placeholder: 'DIR', grammar: { kind: 'path', use: 'directory' } },
      description: 'Directory with a folder for each tenant: its credentials, keys and grants.',
    },
    {
      name: '--shared-secrets',
      description: 'Let one value of a credential be that of several tenants.',
    },
    {
      name: '--slots',
      value: { placeholder: 'COUNT', grammar: { kind: 'integer', minimum: 1, maximum: SLOTS_MAXIMUM } },
      description: 'Runs at once; 8 by default.',
    },
    {
      name: '--grace-ms',
      value: { placeholder: 'MS', grammar: { kind: 'integer', minimum: 0, maximum: GRACE_MAXIMUM_MS } },
      description: 'Time for runs to end once the runner is asked to; 10000 by default.',
    },
    HELP,
  ],
  rules: [{ kind: 'required', operand: '--database' }, { kind: 'needs', operand: '--shared-secrets', anyOf: ['--tenant-store'] }],
  usage: [USAGE],
  rootUsage: [],
  notices: ['Several runners may serve one database. A runner that is killed loses its runs to the others after 30 seconds.'],
};
