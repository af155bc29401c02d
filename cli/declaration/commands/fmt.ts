import { HELP } from '../shared-options.ts';
import type { CommandDeclaration } from '../types.ts';

/** Our own command: plain text help, never a help result (cli.md §6). */
export const FMT: CommandDeclaration = {
  name: 'fmt',
  envelope: null,
  task: 'build',
  summary: 'Format components in the style of the Clojure community; comments and texts stay as they are.',
  example: 'svc fmt --check',
  positional: {
    placeholder: '[FILE.clj...]',
    minimum: 0,
    maximum: 256,
    grammar: { kind: 'path', use: 'source' },
  },
  options: [
    { name: '--check', description: 'Write nothing; name the files that need formatting, and exit with 1.' },
    { name: '--stdin', description: 'Format the text of standard input, and write it to standard output.' },
    HELP,
  ],
  rules: [{ kind: 'exclusive', operands: ['argument', '--stdin'] }],
  usage: ['svc fmt [FILE.clj...] [--check]', 'svc fmt --stdin [--check]'],
  rootUsage: [],
  notices: [
    'Without a file: the components of svc-project.json or svc.json in the working directory.',
    'Exit status 0; 1 if --check found something; 3 if a file cannot be read.',
  ],
  isBundledApart: true,
};
