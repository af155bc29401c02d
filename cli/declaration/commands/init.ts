import { EXAMPLE_LISTS } from '../../../contract/init-lists.ts';
import { ENVELOPE, HELP } from '../shared-options.ts';
import type { CommandDeclaration } from '../types.ts';

/** Names that `--example` accepts (interface.md §1.4.3). */
const EXAMPLE_NAMES = Object.keys(EXAMPLE_LISTS);

const USAGE = 'svc init DIRECTORY [--example NAME]';

export const INIT: CommandDeclaration = {
  name: 'init',
  envelope: 'init',
  task: 'build',
  summary: 'Create a new application.',
  example: 'svc init greeter',
  positional: { placeholder: 'DIRECTORY', minimum: 1, maximum: 1, grammar: { kind: 'path', use: 'directory' } },
  options: [
    {
      name: '--example',
      value: { placeholder: 'NAME', grammar: { kind: 'choice', of: EXAMPLE_NAMES, code: 'example_unknown' } },
      description: `Create an embedded example tree instead of the scaffold: ${EXAMPLE_NAMES.join(', ')}.`,
    },
    ENVELOPE,
    HELP,
  ],
  rules: [],
  usage: [USAGE],
  rootUsage: [USAGE],
  notices: [
    'DIRECTORY must not exist yet.',
    'The whole tree is published atomically and nothing is replaced.',
    'For an existing repository, create a new directory and copy what you want from it.',
  ],
};
