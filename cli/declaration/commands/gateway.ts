import { isLoopbackAddress } from '../../../contract/loopback-address.ts';
import { ANSWER_WITHIN } from './code.ts';
import { ENV_FILE, HELP } from '../shared-options.ts';
import type { CommandDeclaration, CommandArguments, OptionDeclaration, OptionName } from '../types.ts';

const listened = ({ options }: CommandArguments): string => options.get('--listen')?.[0] ?? '127.0.0.1';
const ONE_TASK: readonly OptionName[] = ['--check', '--print-pins', '--write-pins'];

/** Where it listens and what it serves as it is (first-day.md §5). */
const EXPOSURE: readonly OptionDeclaration[] = [
  {
    name: '--listen',
    value: { placeholder: 'ADDRESS', grammar: { kind: 'text', minimum: 2, maximum: 45 } },
    description:
      'Listen on this IP address; beyond loopback only with --tls-cert and --tls-key, or with --behind-proxy.',
  },
  {
    name: '--tls-cert',
    value: { placeholder: 'FILE', grammar: { kind: 'path', use: 'source' } },
    description: 'Speak TLS with this certificate and those of its issuers, in PEM form.',
  },
  {
    name: '--tls-key',
    value: { placeholder: 'FILE', grammar: { kind: 'path', use: 'source' } },
    description: 'Key of the certificate: a file that no other user can read.',
  },
  { name: '--behind-proxy', description: 'A proxy in front ends TLS; requests may name any host.' },
  { name: '--dev', description: 'Serve on loopback without looking at pins, for work on the applications.' },
];

/** What is offered for programs (code-mode.md §2). */
const PROGRAMS: readonly OptionDeclaration[] = [
  {
    name: '--code',
    value: { placeholder: 'TOOL[:MISSION]', grammar: { kind: 'text', minimum: 1, maximum: 257 } },
    repeatable: { maximum: 128, distinct: 'whole' },
    description:
      'Offer this tool as TOOL.search, TOOL.describe and TOOL.run, for programs over its mission; may be repeated.',
  },
  ANSWER_WITHIN,
];

/** gateway.md §1. Our own command: plain text help, never a help result (cli.md §6). */
export const GATEWAY: CommandDeclaration = {
  name: 'gateway',
  envelope: null,
  task: 'serve',
  summary: 'Serve applications as tools over MCP.',
  example: 'svc gateway gateway.json --check',
  positional: { placeholder: 'CONFIG.json', minimum: 1, maximum: 1, grammar: { kind: 'path', use: 'source' } },
  options: [
    ENV_FILE,
    {
      name: '--legacy',
      value: { placeholder: 'on|off', grammar: { kind: 'choice', of: ['on', 'off'] } },
      description: 'Whether clients of earlier revisions of MCP are served; on by default.',
    },
    {
      name: '--log',
      value: { placeholder: 'FILE', grammar: { kind: 'path', use: 'destination' } },
      description: 'Write a log as JSON Lines, for its owner only, without values, credentials and addresses.',
    },
    {
      name: '--metrics',
      value: { placeholder: 'PORT', grammar: { kind: 'integer', minimum: 0, maximum: 65_535 } },
      description: 'Serve GET /metrics on a loopback listener of its own.',
    },
    {
      name: '--max-waiting-calls',
      value: { placeholder: 'N', grammar: { kind: 'integer', minimum: 0, maximum: 65_535 } },
      description: 'Calls that wait up to 2 s for a place before they are refused; 64 by default, 0 for none.',
    },
    {
      name: '--max-waiting-runs',
      value: { placeholder: 'N', grammar: { kind: 'integer', minimum: 0, maximum: 65_535 } },
      description: "Runs that wait for a person's yes at once; 256 by default.",
    },
    { name: '--exit-on-fence', description: 'End with status 70 when a tool, or all writing, is fenced off.' },
    { name: '--check', description: 'Check the configuration and every tool, then stop.' },
    { name: '--print-pins', description: 'Print the pins of every tool, then stop.' },
    { name: '--write-pins', description: 'Write the pins of every tool into CONFIG.json, then stop.' },
    ...EXPOSURE,
    ...PROGRAMS,
    HELP,
  ],
  rules: [
    { kind: 'exclusive', operands: ONE_TASK },
    { kind: 'exclusive', operands: ['--dev', '--print-pins', '--write-pins'] },
    { kind: 'excludes', operand: '--behind-proxy', others: ['--tls-cert', '--tls-key', '--dev'] },
    { kind: 'needs', operand: '--answer-within-ms', anyOf: ['--code'] },
    { kind: 'needs', operand: '--tls-cert', anyOf: ['--tls-key'] },
    { kind: 'needs', operand: '--tls-key', anyOf: ['--tls-cert'] },
    {
      kind: 'condition',
      option: '--listen',
      states: '--listen ADDRESS: an IP address, for example 127.0.0.1, ::1 or 0.0.0.0; a name is not accepted',
      // Loaded for this option alone: every start of the program reads this file.
      holds: (commandArguments) => process.getBuiltinModule('node:net').isIP(listened(commandArguments)) !== 0,
    },
    {
      kind: 'condition',
      option: '--listen',
      states: '--dev serves without pins, so it listens on 127.0.0.1 or ::1 only',
      holds: (commandArguments) =>
        !commandArguments.options.has('--dev') || isLoopbackAddress(listened(commandArguments)),
    },
    {
      kind: 'condition',
      option: '--listen',
      states:
        'bearers must not cross a network in the open: beyond loopback add --tls-cert FILE and --tls-key FILE, or --behind-proxy where a proxy ends TLS',
      holds: (commandArguments) =>
        isLoopbackAddress(listened(commandArguments)) ||
        commandArguments.options.has('--tls-cert') ||
        commandArguments.options.has('--behind-proxy'),
    },
  ],
  usage: [
    'svc gateway CONFIG.json [--env-file FILE] [--legacy on|off] [--log FILE] [--metrics PORT] [--max-waiting-calls N] [--max-waiting-runs N] ' +
      '[--exit-on-fence] [--check] [--print-pins] [--write-pins] [--dev] [--listen ADDRESS] ' +
      '[--tls-cert FILE --tls-key FILE] [--behind-proxy] [--code TOOL[:MISSION]]... [--answer-within-ms N]',
  ],
  rootUsage: [],
  notices: [],
  isBundledApart: true,
};
