import type { EffectiveLimits } from '../../contract/limits/effective.ts';
import type { TraceEvent } from '../evidence/event.ts';

/** What a live view says of bounds (evidence.md §10). */
export type LiveLimits = Pick<EffectiveLimits, 'subordinate_evaluations' | 'live_provider_tasks'>;

/** Told of a run while it goes on. Never part of the run: what it throws is dropped, and it with it. */
export interface RunObserver {
  /** The workflow is about to run; so many milliseconds are left until the run deadline. */
  begun(limits: LiveLimits, remainingMs: number): void;
  /** Every event of the trace, also those that the trace has no room for; names and numbers, never payloads. */
  event(event: TraceEvent): void;
}

/** The same observer, which can be told anything safely: after it threw once it is told nothing more. */
export function guardedObserver(observer: RunObserver): RunObserver {
  let isListening = true;
  const tell = (telling: () => void): void => {
    if (!isListening) return;
    try {
      telling();
    } catch {
      isListening = false;
    }
  };
  return {
    begun: (limits, remainingMs) => { tell(() => { observer.begun(limits, remainingMs); }); },
    event: (event) => { tell(() => { observer.event(event); }); },
  };
}
