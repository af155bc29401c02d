import { argumentByDefault } from '../default-document.ts';
import { HELP, PROJECT } from '../shared-options.ts';
import type { CommandDeclaration } from '../types.ts';

/** Far more than anybody reads at a terminal; a script asks for all. */
const LIMIT = { minimum: 1, maximum: 1_000_000 } as const;

/** Our own command: plain text help, never a help result (cli.md §6). */
export const RUNS: CommandDeclaration = {
  name: 'runs',
  envelope: null,
  task: 'inspect',
  summary: 'List the runs of a project, newest first.',
  example: 'svc runs --failed',
  positional: { ...PROJECT, minimum: 0 },
  defaultDocument: argumentByDefault(),
  options: [
    {
      name: '--limit',
      value: { placeholder: 'N', grammar: { kind: 'integer', ...LIMIT } },
      description: 'List at most N runs; 20 when left out.',
    },
    { name: '--failed', description: 'List only runs that failed.' },
    { name: '--json', description: 'Print JSON at a terminal too.' },
    HELP,
  ],
  rules: [],
  usage: ['svc runs [PROJECT.json] [--limit N] [--failed] [--json]'],
  rootUsage: [],
  notices: [
    'In a directory without a project: the runs of svc code that was started there.',
    'Reads envelopes and normal traces below artifacts.root; what is private stays unread.',
    'explain, transcript, fixtures, viewer and repl also take latest, latest-failed and the beginning of a reference.',
  ],
};
