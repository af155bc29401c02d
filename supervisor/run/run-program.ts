import type { Evaluated } from '../calls/evaluation/evaluated.ts';
import type { TraceEvent } from '../evidence/event.ts';
import type { Run } from './run.ts';

/** What is evaluated in a run. */
export interface RunProgram {
  /** Milliseconds that it has, within those of the run. */
  readonly timeoutMs: number;
  /** Its two events (evidence.md §3). */
  started(evaluationId: string): TraceEvent;
  stopped(evaluationId: string, facts: StoppedFacts): TraceEvent;
  /** Evaluates it until `deadlineAt` at the latest; none of it is alive when this returns. */
  evaluate(run: Run, evaluationId: string, deadlineAt: number): Promise<Evaluated>;
}

export interface StoppedFacts {
  readonly evaluated: Evaluated;
  /** Whether it came to a value, be it one that may not leave. */
  readonly hasValue: boolean;
  readonly durationMs: number;
}
