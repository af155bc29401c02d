import { program, type RecordedStep } from '../recorded-step.ts';

export const READER_WRITER: readonly RecordedStep[] = [
  {
    tree: 'named-mission-reader-writer',
    step: null,
    alias: 'deepseek',
    offline: 'reader-state/offline',
    script: [
      program('(reader/text-of "brief.txt")', 'I read the file first.'),
      program('(return *1)'),
      program(
        '(return (writer/save-summary "Lighthouse passes to Mara on Monday, with the printers unsigned and the index two days away."))',
      ),
    ],
  },
];
