import { ENVELOPE, NO_POSITIONAL } from '../shared-options.ts';
import type { CommandDeclaration } from '../types.ts';

const USAGE = 'svc version [--envelope ENVELOPE.json]';

export const VERSION: CommandDeclaration = {
  name: 'version',
  envelope: 'version',
  task: 'learn',
  summary: 'Print the version of the program and the source that it was built from.',
  example: 'svc version',
  positional: NO_POSITIONAL,
  options: [ENVELOPE],
  rules: [],
  usage: [USAGE],
  rootUsage: [USAGE, 'svc --version'],
  notices: [],
};
