import { ENV_FILE, HELP, HOST_CONFIG } from '../shared-options.ts';
import type { CommandDeclaration, OptionDeclaration } from '../types.ts';

/** Programs whose configuration `--print-config` writes an entry of. */
export const CODE_CLIENTS = ['claude-code', 'claude-desktop', 'vscode', 'cursor', 'codex', 'zed'] as const;
export type CodeClient = (typeof CODE_CLIENTS)[number];

/** Milliseconds after which a run that goes on is answered with an ID to ask for, where nobody says otherwise. */
export const ANSWER_WITHIN_MS = 50_000;
export const ANSWER_WITHIN: OptionDeclaration = {
  name: '--answer-within-ms',
  value: { placeholder: 'N', grammar: { kind: 'integer', minimum: 1000, maximum: 600_000 } },
  description: `Answer a run that takes longer with an ID, by which its result is available later; ${ANSWER_WITHIN_MS} by default.`,
};

const USAGE =
  'svc code [PROJECT.json|MANIFEST.json] [--mission NAME] [--import FILE]... [--host-config HOST.json] [--env-file FILE] ' +
  '[--trust-annotations] [--allow GLOB]... [--approvals ask|refuse|off] [--artifacts DIR] [--value-chars N] ' +
  '[--answer-within-ms N] [--print-config CLIENT | --check]';

/** code-mode.md §1. Our own command: plain text help, never a help result (cli.md §6). */
export const CODE: CommandDeclaration = {
  name: 'code',
  envelope: null,
  task: 'serve',
  summary: 'Serve one sandbox over many tools to an agent, over MCP.',
  example: 'svc code --import .mcp.json --check',
  positional: {
    placeholder: 'PROJECT.json|MANIFEST.json',
    minimum: 0,
    maximum: 1,
    grammar: { kind: 'path', use: 'source' },
  },
  options: [
    {
      name: '--mission',
      value: { placeholder: 'NAME', grammar: { kind: 'name' }, names: 'mission' },
      description: 'The mission that programs see; left out, the only one, else the one named default.',
    },
    {
      name: '--import',
      value: { placeholder: 'FILE', grammar: { kind: 'path', use: 'source' } },
      repeatable: { maximum: 16, distinct: 'whole' },
      description: 'Start the servers that this configuration of a client lists; may be repeated.',
    },
    HOST_CONFIG,
    ENV_FILE,
    { name: '--trust-annotations', description: 'Trust servers that mark a tool as read-only.' },
    {
      name: '--allow',
      value: { placeholder: 'GLOB', grammar: { kind: 'text', minimum: 1, maximum: 256 } },
      repeatable: { maximum: 256, distinct: 'whole' },
      description: 'Imported tools that may write without a question, such as github.get-*; may be repeated.',
    },
    {
      name: '--approvals',
      value: { placeholder: 'ask|refuse|off', grammar: { kind: 'choice', of: ['ask', 'refuse', 'off'] } },
      description: 'Whether other imported tools that may write need a person, are refused, or are called.',
    },
    {
      name: '--artifacts',
      value: { placeholder: 'DIR', grammar: { kind: 'path', use: 'directory' } },
      description: 'Directory for the evidence of each run.',
    },
    {
      name: '--value-chars',
      value: { placeholder: 'N', grammar: { kind: 'integer', minimum: 256, maximum: 65_536 } },
      description: 'Characters of a value that an answer shows; 8192 by default.',
    },
    ANSWER_WITHIN,
    {
      name: '--print-config',
      value: { placeholder: 'CLIENT', grammar: { kind: 'choice', of: CODE_CLIENTS } },
      description: `Print the entry for a client, then stop: ${CODE_CLIENTS.join(', ')}.`,
    },
    { name: '--check', description: 'Start the servers, print what they offer, then stop.' },
    HELP,
  ],
  rules: [{ kind: 'exclusive', operands: ['--print-config', '--check'] }],
  usage: [USAGE],
  rootUsage: [],
  notices: [],
  evaluates: (commandArguments) => !commandArguments.options.has('--print-config'),
  isBundledApart: true,
};
