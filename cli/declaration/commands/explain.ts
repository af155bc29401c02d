import { needsProject, projectByDefault } from '../default-document.ts';
import { HELP, OF_PROJECT } from '../shared-options.ts';
import type { CommandDeclaration } from '../types.ts';

const USAGE = 'svc explain RUN_REF|ENVELOPE.json [--project PROJECT.json] [--private-terminal|--private-unattended]';

/** Our own command: plain text help, never a help result (cli.md §6). */
export const EXPLAIN: CommandDeclaration = {
  name: 'explain',
  envelope: null,
  task: 'inspect',
  summary: 'Show how a run ended, and what to do next.',
  example: 'svc explain latest-failed',
  positional: {
    placeholder: 'RUN_REF|ENVELOPE.json',
    minimum: 1,
    maximum: 1,
    grammar: { kind: 'text', minimum: 1, maximum: 4096 },
    names: 'run',
  },
  defaultDocument: projectByDefault(({ positionals: [word] }) => word !== undefined && needsProject(word)),
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
    'RUN_REF is a reference, the first 8 or more characters after its cmd-, latest or latest-failed.',
    'Reads the envelope and the normal trace of the run; reads private files only with one of the two switches.',
  ],
};
