import { HELP, OF_PROJECT } from '../shared-options.ts';
import type { CommandDeclaration } from '../types.ts';

const USAGE = 'svc explain RUN_REF|ENVELOPE.json [--project PROJECT.json] [--private-terminal|--private-unattended]';

/** Our own command: plain text help, never a help result (cli.md §6). */
export const EXPLAIN: CommandDeclaration = {
  name: 'explain',
  envelope: null,
  task: 'inspect',
  summary: 'Tell how a run came to its end, and what to do next.',
  example: 'svc explain latest-failed',
  positional: {
    placeholder: 'RUN_REF|ENVELOPE.json',
    minimum: 1,
    maximum: 1,
    grammar: { kind: 'text', minimum: 1, maximum: 4096 },
    names: 'run',
  },
  options: [
    OF_PROJECT,
    { name: '--private-terminal', description: 'Let the attached terminal show private values.' },
    { name: '--private-unattended', description: 'Let the streams of this command carry private values.' },
    HELP,
  ],
  rules: [{ kind: 'exclusive', operands: ['--private-terminal', '--private-unattended'] }],
  usage: [USAGE],
  rootUsage: [],
  notices: [
    'latest, latest-failed and the first 8 or more characters after cmd- stand for a RUN_REF.',
    'Reads the envelope and the normal trace of the run, and what is private only where one of the two switches is given.',
  ],
};
