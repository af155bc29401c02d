import { PAGE_NAMES } from '../../documentation/catalogue.ts';
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
    grammar: { kind: 'choice', of: PAGE_NAMES, code: 'docs_page_unknown' },
  },
  options: [
    {
      name: '--search',
      value: { placeholder: 'TERM', grammar: { kind: 'text', minimum: 1, maximum: 128 } },
      description: 'Find text in the pages, whatever its case; write --search=TERM when TERM begins with --.',
    },
    {
      name: '--serve',
      description: 'Serve all pages to a browser on this machine until Ctrl-C.',
      isFurther: true,
    },
    {
      name: '--port',
      value: { placeholder: 'PORT', grammar: { kind: 'integer', minimum: 0, maximum: 65_535 } },
      description: 'Port for --serve; any free one when left out.',
      isFurther: true,
    },
    HELP,
  ],
  rules: [
    { kind: 'exclusive', operands: ['argument', '--search', '--serve'] },
    { kind: 'needs', operand: '--port', anyOf: ['--serve'] },
  ],
  usage: [USAGE],
  rootUsage: [USAGE],
  notices: [],
  isBundledApart: true,
};
