import { argumentByDefault } from '../default-document.ts';
import { COMPONENT_OVERRIDE, ENVELOPE, HELP, HOST_CONFIG, MANIFEST_OR_PROJECT } from '../shared-options.ts';
import type { CommandDeclaration } from '../types.ts';

const USAGE =
  'svc validate MANIFEST.json|PROJECT.json [--host-config HOST.json] [--component-override-descriptor DESCRIPTOR.json]';

export const VALIDATE: CommandDeclaration = {
  name: 'validate',
  envelope: 'validate',
  task: 'build',
  summary: 'Check an application without contacting a provider.',
  example: 'svc validate svc-project.json',
  positional: MANIFEST_OR_PROJECT,
  defaultDocument: argumentByDefault(),
  options: [
    HOST_CONFIG,
    COMPONENT_OVERRIDE,
    {
      name: '--limits',
      description: 'List on standard error every limit that a run would enforce, and the document that set it.',
      isFurther: true,
    },
    ENVELOPE,
    HELP,
  ],
  rules: [],
  usage: [USAGE],
  rootUsage: [USAGE],
  notices: [],
  evaluates: () => true,
};
