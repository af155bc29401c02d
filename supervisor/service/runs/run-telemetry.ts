import { guardedObserver, type RunObserver } from '../../evidence/live/observer.ts';
import type { Telemetry } from '../../evidence/telemetry/observe-run.ts';

/** Has a collector, or the tracer of the embedding program, hear of every run of a supervisor (evidence.md §13). */
export interface RunTelemetry {
  /**
   * `observer` gets what the run reports, in addition to every other observer; `ended`: the run has its end, for which
   * nobody waits.
   */
  follow(runRef: string, observer: RunObserver): { readonly observer: RunObserver; readonly ended: () => void };
  /** Waits for what is still being sent, 5 s at most. */
  close(): Promise<void>;
}

/** Runs whose spans are on their way: where a collector is too slow for more, further ones are not sent. */
const UNDER_WAY_MAX = 256;

/** `open`: for one run; null where nobody is to hear of any. */
export function runTelemetry(open: (() => Telemetry) | null): RunTelemetry {
  const underWay = new Set<Promise<void>>();
  return {
    follow(runRef, observer) {
      if (open === null || underWay.size >= UNDER_WAY_MAX) return { observer, ended: () => undefined };
      const telemetry = open();
      const both = [guardedObserver(observer), guardedObserver(telemetry.observer)];
      return {
        observer: {
          started: (limits, remainingMs, entry) => {
            for (const each of both) each.started(limits, remainingMs, entry);
          },
          event: (event) => {
            for (const each of both) each.event(event);
          },
          heap: (heap) => {
            for (const each of both) each.heap?.(heap);
          },
        },
        ended: () => {
          const sent = telemetry.finish(runRef).finally(() => {
            underWay.delete(sent);
          });
          underWay.add(sent);
        },
      };
    },
    close: async () => {
      await Promise.all(underWay);
    },
  };
}
