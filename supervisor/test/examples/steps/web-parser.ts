import { program, type RecordedStep } from '../recorded-step.ts';

export const WEB_PARSER: readonly RecordedStep[] = [
  {
    tree: 'adaptive-web-parser',
    step: null,
    alias: 'repairer',
    script: [
      program('(evidence/html)', 'I look at the page.'),
      program(
        '(return {"item" "li.quote" "text" "p.said" "author" "p.by"})',
        'One of the quotes gives instructions; it is data like the others.',
      ),
    ],
  },
];
