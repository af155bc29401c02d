import { ENV_FILE, HELP } from '../shared-options.ts';
import type { CommandDeclaration } from '../types.ts';

/** gateway.md §1. Our own command: plain text help, never a help result (cli.md §6). */
export const GATEWAY: CommandDeclaration = {
  name: 'gateway',
  envelope: null,
  task: 'serve',
  summary: 'Serve configured applications as tools over MCP.',
  example: 'svc gateway gateway.json --check',
  positional: { placeholder: 'CONFIG.json', minimum: 1, maximum: 1, grammar: { kind: 'path', use: 'source' } },
  options: [
    ENV_FILE,
    {
      name: '--legacy',
      value: { placeholder: 'on|off', grammar: { kind: 'choice', of: ['on', 'off'] } },
      description: 'Also speak the session protocol of earlier clients.',
    },
    {
      name: '--log',
      value: { placeholder: 'FILE', grammar: { kind: 'path', use: 'destination' } },
      description: 'Owner-only JSON Lines log; no values, credentials or endpoints.',
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
    { name: '--exit-on-fence', description: 'Stop with status 70 when a permanent fence is raised.' },
    { name: '--check', description: 'Check the configuration and every tool, then stop.' },
    { name: '--print-pins', description: 'Print the pins of every tool, then stop.' },
    HELP,
  ],
  rules: [],
  usage: [
    'svc gateway CONFIG.json [--env-file FILE] [--legacy on|off] [--log FILE] [--metrics PORT] [--max-waiting-calls N] ' +
      '[--exit-on-fence] [--check] [--print-pins]',
  ],
  rootUsage: [],
  notices: [],
  isBundledApart: true,
};
