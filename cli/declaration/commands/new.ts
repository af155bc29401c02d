import { HELP, NO_POSITIONAL } from '../shared-options.ts';
import type { CommandDeclaration } from '../types.ts';

const USAGE = 'svc new [--kind workflow|agent] [--model SELECTOR] [--tools NAME]... [--directory DIRECTORY] [--yes]';

/** Our own command: plain text help, never a help result (cli.md §6). */
export const NEW: CommandDeclaration = {
  name: 'new',
  envelope: null,
  task: 'build',
  summary: 'Create a new application by answering five questions.',
  example: 'svc new --kind agent --model openai:gpt-5.6-luna --tools files --directory desk --yes',
  positional: NO_POSITIONAL,
  options: [
    {
      name: '--kind',
      value: { placeholder: 'KIND', grammar: { kind: 'choice', of: ['workflow', 'agent'] } },
      description: 'workflow: a program of yours; agent: a model writes the programs.',
    },
    {
      name: '--model',
      value: { placeholder: 'SELECTOR', grammar: { kind: 'text', minimum: 1, maximum: 256 } },
      description: 'The model, as VENDOR:NAME; a server of your own as openai-compat:URL|NAME.',
    },
    {
      name: '--tools',
      value: { placeholder: 'NAME', grammar: { kind: 'choice', of: ['files', 'files-write'] } },
      repeatable: { maximum: 2, distinct: 'whole' },
      description:
        'files: reads the folder files of the application; files-write: writes there too, and asks you first. May be repeated.',
    },
    {
      name: '--directory',
      value: { placeholder: 'DIRECTORY', grammar: { kind: 'path', use: 'directory' } },
      description: 'Directory to write the application to; it must be new or empty.',
    },
    { name: '--yes', description: 'Ask nothing; what you leave out is a workflow, no model, no tools.' },
    HELP,
  ],
  rules: [],
  usage: [USAGE],
  rootUsage: [],
  notices: [
    'At a terminal, svc new asks for what the options leave open; elsewhere that is an error that names the option.',
    'The whole application is written, or nothing, and nothing is replaced.',
  ],
};
