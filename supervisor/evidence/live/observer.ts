import type { HeapFigure } from '../../../contract/sandbox-protocol.ts';
import type { LimitName } from '../../../contract/limits/catalogue.ts';
import type { EffectiveLimits } from '../../../contract/limits/effective.ts';
import type { TraceEvent } from '../event.ts';

/** The bounds that a live view shows (evidence.md §10). */
export const LIVE_LIMITS = [
  'run_duration_ms',
  'workflow_timeout_ms',
  'parallel_timeout_ms',
  'subordinate_evaluations',
  'workflow_capability_calls',
  'workflow_capability_calls_per_name',
  'mission_capability_calls',
  'evaluation_memory_bytes',
  'evaluation_history_bytes',
  'live_provider_tasks',
] as const satisfies readonly LimitName[];

/** The limits above, with their values. */
export type LiveLimits = Pick<EffectiveLimits, (typeof LIVE_LIMITS)[number]>;

/** The heap of the isolate in which a run's workflow, or a form of a session, is evaluated. */
export interface LiveHeap extends HeapFigure {
  /** At which the isolate is ended. */
  readonly ceilingWords: number;
}

/** A program of a mission, as far as people are shown it while it runs (world.md §3.10). */
export interface StartedProgram {
  readonly evaluationId: string;
  /** Its first line that is not blank, at most 160 characters. */
  readonly line: string;
}

/** Called with a run while it goes on. Never part of the run: what it throws is dropped, and it with it. */
export interface RunObserver {
  /**
   * The workflow is about to run; so many milliseconds are left until the run deadline. `entry`: `main/run`; empty in a
   * session.
   */
  started(limits: LiveLimits, remainingMs: number, entry: string): void;
  /** Every event of the trace, also those that the trace has no room for; names and numbers, never payloads. */
  event(event: TraceEvent): void;
  /** A program begins, of a run of normal class; what it came to is the event of that evaluation. Absent: as below. */
  program?(program: StartedProgram): void;
  /** Now and then, by the isolate's own account. Absent: of no interest. */
  heap?(heap: LiveHeap): void;
}

/** Several as one. */
export function observeTogether(observers: readonly RunObserver[]): RunObserver {
  return {
    started: (limits, remainingMs, entry) => {
      for (const observer of observers) observer.started(limits, remainingMs, entry);
    },
    event: (event) => {
      for (const observer of observers) observer.event(event);
    },
    program: (program) => {
      for (const observer of observers) observer.program?.(program);
    },
    heap: (heap) => {
      for (const observer of observers) observer.heap?.(heap);
    },
  };
}

/** The same observer, which can be called safely: after it threw once it is not called again. */
export function guardedObserver(observer: RunObserver): RunObserver {
  let isListening = true;
  const guard = (call: () => void): void => {
    if (!isListening) return;
    try {
      call();
    } catch {
      isListening = false;
    }
  };
  return {
    started: (limits, remainingMs, entry) => {
      guard(() => {
        observer.started(limits, remainingMs, entry);
      });
    },
    event: (event) => {
      guard(() => {
        observer.event(event);
      });
    },
    ...(observer.program !== undefined && {
      program: (program) => {
        guard(() => {
          observer.program?.(program);
        });
      },
    }),
    ...(observer.heap !== undefined && {
      heap: (heap) => {
        guard(() => {
          observer.heap?.(heap);
        });
      },
    }),
  };
}
