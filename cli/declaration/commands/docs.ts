import { DOCS_PAGES } from '../../../contract/envelope/docs-pages.ts';
import { HELP } from '../shared-options.ts';
import type { CommandDeclaration } from '../types.ts';

const USAGE = 'svc docs [PAGE] | --search TERM';

export const DOCS: CommandDeclaration = {
  name: 'docs',
  envelope: 'docs',
  task: 'learn',
  summary: 'Read or search the documentation.',
  example: 'svc docs quickstart',
  positional: {
    placeholder: 'PAGE',
    minimum: 0,
    maximum: 1,
    grammar: { kind: 'choice', of: DOCS_PAGES, code: 'docs_page_unknown' },
  },
  options: [
    {
      name: '--search',
      value: { placeholder: 'TERM', grammar: { kind: 'text', minimum: 1, maximum: 128 } },
      description:
        'Find a case-insensitive substring in the prose pages; write --search=TERM when TERM starts with --.',
    },
    HELP,
  ],
  rules: [{ kind: 'exclusive', operands: ['argument', '--search'] }],
  usage: [USAGE],
  rootUsage: [USAGE],
  notices: [],
};
