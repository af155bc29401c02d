import { words, type RecordedStep } from '../recorded-step.ts';

export const LLM_REPLAY: readonly RecordedStep[] = [
  {
    tree: 'llm-replay',
    step: null,
    alias: 'frozen-model',
    script: [words('Customers can now cancel an order at any time before it is packed.')],
  },
];
