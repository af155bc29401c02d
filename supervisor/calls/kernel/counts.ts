import type { EvaluationError } from '../../../contract/envelope/execution.ts';

/** Counters that the kernel keeps (runtime.md §11). */
export interface KernelCounts {
  /** Leases granted, by mission. */
  readonly evaluationsByMission: Readonly<Record<string, number>>;
  readonly agentProtocolErrors: number;
  readonly sourceChecks: number;
  /** A program of a mission is being evaluated. */
  readonly isEvaluating: boolean;
  /** One of each mission. */
  readonly memories: readonly MissionMemory[];
  /** The last evaluator failure of a mission, for an authenticated turn limit whose reason is evaluation-error. */
  readonly lastEvaluationError: EvaluationError | null;
}

/** Retained sizes of one mission's continuation (runtime.md §11, evaluation_memory). */
export interface MissionMemory {
  readonly defined_count: number;
  readonly history_count: number;
  readonly memory_bytes: number;
  readonly history_bytes: number;
}
