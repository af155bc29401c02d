import type { JsonValue } from '../../../contract/json/value.ts';
import type { Route } from '../broker/route.ts';
import type { KernelCounts } from './counts.ts';

/** The trusted part of a run behind the routes `kernel-*`. */
export interface Kernel {
  readonly routes: ReadonlyMap<string, Route>;
  /** What usage shows of its evaluations; final once it is closed. */
  counts(): KernelCounts;
  /**
   * The evaluation whose record, word for word, a value of the workflow is (evidence.md §6, boundary_producer); else
   * null.
   */
  readonly producerOf: (value: JsonValue) => Promise<string | null>;
  /** Answers what waits, ends what runs and sees it dead. A second call answers the same. */
  close(): Promise<void>;
}

/** The kernel of a run that has no missions and asks none of it. */
export const NO_KERNEL: Kernel = {
  routes: new Map(),
  counts: () => ({
    evaluationsByMission: {},
    agentProtocolErrors: 0,
    sourceChecks: 0,
    isEvaluating: false,
    memories: [],
    lastEvaluationError: null,
  }),
  producerOf: async () => null,
  close: async () => undefined,
};
