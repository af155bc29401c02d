import { argumentByDefault } from '../default-document.ts';
import { ENV_FILE, ENVELOPE, HELP, HOST_CONFIG, MANIFEST_OR_PROJECT } from '../shared-options.ts';
import type { CommandDeclaration } from '../types.ts';

export const DOCTOR: CommandDeclaration = {
  name: 'doctor',
  envelope: 'doctor',
  task: 'inspect',
  summary: 'Show whether an application and its providers are ready.',
  example: 'svc doctor svc-project.json --connect',
  positional: { ...MANIFEST_OR_PROJECT, minimum: 0 },
  // A host document that is named by itself is asked about by itself.
  defaultDocument: argumentByDefault('--host-config'),
  options: [
    HOST_CONFIG,
    { name: '--connect', description: 'Check providers actively.' },
    { name: '--show-model-selectors', description: 'Also show the configured model selectors that are safe to show.' },
    ENV_FILE,
    ENVELOPE,
    HELP,
  ],
  rules: [
    { kind: 'needs', operand: '--env-file', anyOf: ['--connect'] },
    { kind: 'needs', operand: '--connect', anyOf: ['argument'] },
  ],
  usage: ['svc doctor [MANIFEST.json|PROJECT.json] [--host-config HOST.json] [--connect] [--show-model-selectors]'],
  rootUsage: ['svc doctor [MANIFEST.json|PROJECT.json] [--host-config HOST.json] [--connect]'],
  notices: ['--connect may send real requests to providers, which can cost money.'],
  // Without an application there is nothing that doctor could compile.
  evaluates: ({ positionals }) => positionals.length > 0,
};
