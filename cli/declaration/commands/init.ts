import {
  EXAMPLE_NAMES,
  FURTHER_EXAMPLE_NAMES,
  isListedExample,
  OFFERED_EXAMPLE_NAMES,
} from '../../../contract/init-lists.ts';
import { optionValue } from '../argument-values.ts';
import { ENVELOPE, HELP } from '../shared-options.ts';
import type { CommandDeclaration } from '../types.ts';

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
      value: { placeholder: 'NAME', grammar: { kind: 'choice', of: OFFERED_EXAMPLE_NAMES, code: 'example_unknown' } },
      description: `Create one of these examples instead of the scaffold: ${EXAMPLE_NAMES.join(', ')}. Without --envelope also: ${FURTHER_EXAMPLE_NAMES.join(', ')}.`,
    },
    ENVELOPE,
    HELP,
  ],
  rules: [
    {
      kind: 'condition',
      option: '--envelope',
      states: `an envelope cannot list what these examples create: ${FURTHER_EXAMPLE_NAMES.join(', ')}; leave out --envelope`,
      holds: (commandArguments) => {
        const example = optionValue(commandArguments, '--example');
        return !commandArguments.options.has('--envelope') || example === undefined || isListedExample(example);
      },
    },
  ],
  usage: [USAGE],
  rootUsage: [USAGE],
  notices: [
    'DIRECTORY must be new or empty.',
    'The whole tree appears at once, and nothing is replaced.',
    'To add svc to a repository, create a new directory and copy what you want from it.',
  ],
};
