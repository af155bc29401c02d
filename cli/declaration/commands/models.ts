import { argumentByDefault } from '../default-document.ts';
import { ENVELOPE, HELP, HOST_CONFIG, PROJECT } from '../shared-options.ts';
import type { CommandDeclaration } from '../types.ts';

const USAGE = 'svc models PROJECT.json | --host-config HOST.json';

export const MODELS: CommandDeclaration = {
  name: 'models',
  envelope: 'models',
  task: 'inspect',
  summary: 'List the model installations of a host document.',
  example: 'svc models svc-project.json',
  positional: { ...PROJECT, minimum: 0 },
  defaultDocument: argumentByDefault('--host-config'),
  options: [HOST_CONFIG, ENVELOPE, HELP],
  rules: [
    { kind: 'one-only', operands: ['argument', '--host-config'] },
    { kind: 'one-required', operands: ['argument', '--host-config'] },
  ],
  usage: [USAGE],
  rootUsage: [USAGE],
  notices: [],
};
