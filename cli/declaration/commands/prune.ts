import { argumentByDefault } from '../default-document.ts';
import { HELP, PROJECT } from '../shared-options.ts';
import type { CommandDeclaration, ValueGrammar } from '../types.ts';

const USAGE = 'svc prune PROJECT.json (--max-age-days N | --max-bytes N) [--dry-run]';

/** cli.md §1: canonical decimal up to the largest exact integer. */
const AMOUNT: ValueGrammar = { kind: 'integer', minimum: 0, maximum: 9_007_199_254_740_991 };

export const PRUNE: CommandDeclaration = {
  name: 'prune',
  envelope: null,
  task: 'inspect',
  summary: 'Delete old run artifacts of a project.',
  example: 'svc prune svc-project.json --max-age-days 30 --dry-run',
  positional: PROJECT,
  defaultDocument: argumentByDefault(),
  options: [
    {
      name: '--max-age-days',
      value: { placeholder: 'N', grammar: AMOUNT },
      description: 'Delete runs older than N days.',
    },
    {
      name: '--max-bytes',
      value: { placeholder: 'N', grammar: AMOUNT },
      description: 'Keep at most N bytes of artifacts.',
    },
    { name: '--dry-run', description: 'Report what would be deleted and delete nothing.' },
    HELP,
  ],
  rules: [{ kind: 'one-required', operands: ['--max-age-days', '--max-bytes'] }],
  usage: [USAGE],
  rootUsage: [USAGE],
  notices: [],
};
