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
      description: "Override the viewer port of the project; 0 takes one of the system's choice.",
    },
    {
      name: '--listen',
      value: { placeholder: '127.0.0.1|0.0.0.0', grammar: { kind: 'choice', of: ['127.0.0.1', '0.0.0.0'] } },
      description: 'Address to listen on; 0.0.0.0 exposes the viewer beyond this host.',
    },
    ENV_FILE,
    {
      name: '--run',
      value: { placeholder: 'RUN_REF', grammar: { kind: 'run-selector' }, names: 'run' },
      description: 'Open the page at this run; latest and latest-failed name one too.',
      isFurther: true,
    },
    HELP,
  ],
  rules: [],
  usage: [USAGE],
  rootUsage: [USAGE],
  notices: [
    'For an externally started run, use the viewer URL printed at startup as SVC_VIEWER_URL when it is loopback, ' +
      'else an address that reaches the viewer.',
  ],
  isBundledApart: true,
};
