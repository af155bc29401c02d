import type { RunObserver } from '../live/observer.ts';
import type { TimedEvent } from '../telemetry/spans.ts';

/** Hears what a run does and exports it once the run has ended (evidence.md §13). */
export interface Telemetry {
  readonly observer: RunObserver;
  /** Never rejects, and takes a few seconds at most. */
  finish(runRef: string): Promise<void>;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Null unless `SVC_OTEL=1` and a variable of OTLP names a collector. What it takes to export is brought in at the end of a run that asked. */
export function telemetryOf(variables: Variables): Telemetry | null {
  const isNamed = [variables['OTEL_EXPORTER_OTLP_ENDPOINT'], variables['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']].some((endpoint) => endpoint !== undefined && endpoint !== '');
  if (variables['SVC_OTEL'] !== '1' || !isNamed) return null;
  const events: TimedEvent[] = [];
  return {
    observer: {
      begun: () => undefined,
      event: (event) => void events.push({ event, at: performance.timeOrigin + performance.now() }),
    },
    finish: async (runRef) => {
      if (events.length === 0) return;
      try {
        const { exportRun } = await import('../telemetry/export-run.ts');
        await exportRun({ runId: runRef, traceId: runRef, events, serviceName: variables['OTEL_SERVICE_NAME'] ?? 'svc' });
      } catch {
        // A run is not worse for what nobody hears of it.
      }
    },
  };
}
