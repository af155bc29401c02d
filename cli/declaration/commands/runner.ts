import { HELP, HOST_CONFIG } from '../shared-options.ts';
import type { CommandDeclaration, CommandArguments, OptionName } from '../types.ts';

const USAGES = [
  'svc runner MANIFEST.json|PROJECT.json --database URL [OPTIONS]',
  'svc runner status --database URL [--format text|json]',
];
const SLOTS_MAXIMUM = 1024;
const DAYS_MAXIMUM = 3650;
const GRACE_MAXIMUM_MS = 3_600_000;
const URL_CHARACTERS = 4096;

/** Options of a runner that serves. */
const SERVING = [
  '--host-config',
  '--artifact-store',
  '--tenant-store',
  '--shared-secrets',
  '--slots',
  '--grace-ms',
  '--metrics',
  '--keep-days',
  '--keep-bytes',
] as const;

/** `status` in place of a document: a document of that name is `./status`. */
export function isStatus({ positionals }: Pick<CommandArguments, 'positionals'>): boolean {
  return positionals[0] === 'status';
}

function notOfStatus(option: OptionName): CommandDeclaration['rules'][number] {
  return {
    kind: 'condition',
    option,
    states: `${option} does not belong to svc runner status`,
    holds: (commandArguments) => !commandArguments.options.has(option) || !isStatus(commandArguments),
  };
}

/** Our own command (gateway.md §19): it serves until it is stopped, and has no envelope. */
export const RUNNER: CommandDeclaration = {
  name: 'runner',
  envelope: null,
  task: 'serve',
  summary: 'Perform the runs of an application that wait in a database, together with other runners.',
  example: 'svc runner svc-project.json --database postgres://svc@localhost/svc',
  positional: {
    placeholder: 'MANIFEST.json|PROJECT.json|status',
    minimum: 1,
    maximum: 1,
    grammar: { kind: 'path', use: 'application' },
  },
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
      description:
        'Directory or https://host/bucket that all runners share: artifacts, long inputs and envelopes are kept there.',
    },
    {
      name: '--tenant-store',
      value: { placeholder: 'DIR', grammar: { kind: 'path', use: 'directory' } },
      description: 'Directory with a folder for each tenant: its credentials, keys and grants.',
    },
    {
      name: '--shared-secrets',
      description: 'Allow several tenants to share one value of a credential.',
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
    {
      name: '--metrics',
      value: { placeholder: 'PORT', grammar: { kind: 'integer', minimum: 0, maximum: 65_535 } },
      description:
        'Serve GET /metrics, /health/live and /health/ready on a loopback listener of its own; 0 takes any port.',
    },
    {
      name: '--keep-days',
      value: { placeholder: 'DAYS', grammar: { kind: 'integer', minimum: 1, maximum: DAYS_MAXIMUM } },
      description: 'Days that a finished run stays on record; 30 by default.',
    },
    {
      name: '--keep-bytes',
      value: { placeholder: 'BYTES', grammar: { kind: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } },
      description: 'Bytes of all finished runs on record, of which the newest are kept; no limit by default.',
    },
    {
      name: '--format',
      value: { placeholder: 'FORMAT', grammar: { kind: 'choice', of: ['text', 'json'] } },
      description: 'How svc runner status prints it; text by default.',
    },
    HELP,
  ],
  rules: [
    { kind: 'required', operand: '--database' },
    { kind: 'needs', operand: '--shared-secrets', anyOf: ['--tenant-store'] },
    {
      kind: 'condition',
      option: '--format',
      states: '--format belongs to svc runner status',
      holds: (commandArguments) => !commandArguments.options.has('--format') || isStatus(commandArguments),
    },
    ...SERVING.map(notOfStatus),
  ],
  usage: USAGES,
  rootUsage: [],
  notices: [
    'Several runners may serve one database. A runner that is killed loses its runs to the others after 30 seconds.',
  ],
};
