import { program, type RecordedStep } from '../recorded-step.ts';

/** The agent that the gateway serves. */
export const GATEWAY: readonly RecordedStep[] = [
  {
    tree: 'gateway',
    step: 'refunds',
    alias: 'model',
    script: [program('(return {:ids (mapv :id (filter #(re-find #"(?i)refund" (:text %)) data/tickets))})')],
  },
];
