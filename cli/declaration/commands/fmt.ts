import { HELP } from '../shared-options.ts';
import type { CommandDeclaration } from '../types.ts';

/** Our own command: plain text help, never a help result (cli.md §6). */
export const FMT: CommandDeclaration = {
  name: 'fmt',
  envelope: null,
  task: 'build',
  summary: 'Lay out components in the style of the community; comments and texts stay as they are.',
  example: 'svc fmt --check',
  positional: {
    placeholder: '[FILE.clj...]',
    minimum: 0,
    maximum: 256,
    grammar: { kind: 'path', use: 'source' },
  },
  options: [
    { name: '--check', description: 'Write nothing; name the files that are not laid out, and exit with 1.' },
    { name: '--stdin', description: 'Lay out the text of standard input on standard output.' },
    HELP,
  ],
  rules: [{ kind: 'exclusive', operands: ['argument', '--stdin'] }],
  usage: ['svc fmt [FILE.clj...] [--check]', 'svc fmt --stdin [--check]'],
  rootUsage: [],
  notices: [
    'Without a file: the components of svc-project.json or svc.json in the working directory.',
    'Exit status 0, 1 where --check found something, 3 where a file cannot be read.',
  ],
  isBundledApart: true,
};
