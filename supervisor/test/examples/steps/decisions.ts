import type { RecordedStep } from '../recorded-step.ts';

const ANSWERS = { T_1001: 0.97, T_1002: 0.01, T_1003: 0.04, T_1004: 0.98, T_1005: 0.31, T_1006: 0.03 };

export const DECISIONS: readonly RecordedStep[] = [
  {
    tree: 'decision-refund-triage',
    step: null,
    alias: 'refund-judge',
    source: 'decision',
    script: [
      {
        match: { hasSchema: true },
        action: { answer: { text: JSON.stringify(ANSWERS), usage: { input: 620, output: 60, cost: 0.00013 } } },
      },
    ],
  },
];
