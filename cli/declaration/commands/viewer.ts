import { argumentByDefault } from '../default-document.ts';
import { ENV_FILE, HELP, PROJECT } from '../shared-options.ts';
import type { CommandDeclaration } from '../types.ts';

const USAGE = 'svc viewer PROJECT.json [--port PORT] [--listen ADDRESS] [--env-file FILE]';

export const VIEWER: CommandDeclaration = {
  name: 'viewer',
  envelope: null,
  task: 'inspect',
  summary: 'Look at the runs of a project in a browser.',
  example: 'svc viewer svc-project.json --port 8080',
  positional: PROJECT,
  defaultDocument: argumentByDefault(),
  options: [
    {
      name: '--port',
      value: { placeholder: 'PORT', grammar: { kind: 'integer', minimum: 0, maximum: 65_535 } },
      description: "Port instead of the project's; 0 lets the system choose.",
    },
    {
      name: '--listen',
      value: { placeholder: '127.0.0.1|0.0.0.0', grammar: { kind: 'choice', of: ['127.0.0.1', '0.0.0.0'] } },
      description: 'Address to listen on; with 0.0.0.0 other machines reach the viewer.',
    },
    ENV_FILE,
    {
      name: '--run',
      value: { placeholder: 'RUN_REF', grammar: { kind: 'run-selector' }, names: 'run' },
      description: 'Open the page of this run: a reference, latest or latest-failed.',
      isFurther: true,
    },
    HELP,
  ],
  rules: [],
  usage: [USAGE],
  rootUsage: [USAGE],
  notices: [
    'A run that you start elsewhere reports here if its SVC_VIEWER_URL is the address printed at the start, ' +
      'or from another machine one that reaches the viewer.',
  ],
  isBundledApart: true,
};
