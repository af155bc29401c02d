import type { RunObserver } from '../live/observer.ts';
import type { Signal } from './export-run.ts';
import type { CustomTelemetry } from './own-tracer.ts';
import type { TimedEvent } from './spans.ts';

/** Hears what a run does and exports it once the run has ended (evidence.md §13). */
export interface Telemetry {
  readonly observer: RunObserver;
  /** Never rejects, and takes a few seconds at most. */
  finish(runRef: string): Promise<void>;
}

/** Of one run; the trace itself has fewer. */
const EVENTS_MAX = 32_768;

type Variables = Readonly<Record<string, string | undefined>>;

/** Where OTLP sends what nobody named an endpoint for. */
const DEFAULT_ENDPOINT = 'http://localhost:4318';

/** What the variables of OTLP ask for, each with its own endpoint and its own way to be left out. */
const SIGNALS = {
  traces: ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_TRACES_EXPORTER'],
  metrics: ['OTEL_EXPORTER_OTLP_METRICS_ENDPOINT', 'OTEL_METRICS_EXPORTER'],
} as const;

/**
 * Null unless `SVC_OTEL=1`. What it takes to export is brought in at the end of a run that asked. A collector that
 * takes nothing, and the endpoint where none is named, are reported on stderr, each once (first-day.md §5).
 */
export function telemetryOf(variables: Variables): Telemetry | null {
  const open = telemetryFor(variables, null);
  return open === null ? null : open();
}

/**
 * For each run of a process the same; null where nobody is to hear of any. `own`: of the embedding program, in place of
 * a collector.
 */
export function telemetryFor(variables: Variables, own: CustomTelemetry | null): (() => Telemetry) | null {
  const signals = variables['SVC_OTEL'] === '1' ? signalsOf(variables) : [];
  if (own !== null)
    return () => heard(async (runRef, events) => (await import('./export-run.ts')).writeRun(runRef, events, own));
  if (signals.length === 0) return null;
  const isTemporalitySet = isSet(variables['OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE']);
  const serviceName = variables['OTEL_SERVICE_NAME'] ?? 'svc';
  const endpoint = isNamed(variables) ? null : DEFAULT_ENDPOINT;
  const report = reportOnce();
  return () =>
    heard(async (runRef, events) => {
      if (endpoint !== null)
        report('default', `SVC_OTEL=1 without OTEL_EXPORTER_OTLP_ENDPOINT: runs are sent to ${endpoint}`);
      await (
        await import('./export-run.ts')
      ).exportRun({
        reportFailure: (signal, why) => {
          report(
            'failure',
            `the collector did not take the ${signal} of a run: ${why}; the run itself is not affected`,
          );
        },
        runId: runRef,
        traceId: runRef,
        events,
        serviceName,
        signals,
        isTemporalitySet,
      });
    });
}

function heard(send: (runRef: string, events: readonly TimedEvent[]) => Promise<void>): Telemetry {
  const events: TimedEvent[] = [];
  return {
    observer: {
      started: () => undefined,
      // The events of a run have no bound, and the memory of who hears it has one; the last of it says how it ended.
      event: (event) => {
        if (events.length < EVENTS_MAX || event.type === 'run-stopped')
          events.push({ event, at: performance.timeOrigin + performance.now() });
      },
    },
    finish: async (runRef) => {
      if (events.length === 0) return;
      try {
        await send(runRef, events);
      } catch {
        // A run is not worse for what nobody hears of it.
      }
    },
  };
}

/** Each kind of line once, however many runs it would be said of. */
function reportOnce(): (kind: 'default' | 'failure', line: string) => void {
  const reported = new Set<string>();
  return (kind, line) => {
    if (reported.has(kind)) return;
    reported.add(kind);
    process.stderr.write(`warning: telemetry: ${line}\n`);
  };
}

const BOTH = 'OTEL_EXPORTER_OTLP_ENDPOINT';

/** Whether any variable names a collector. */
function isNamed(variables: Variables): boolean {
  return [BOTH, ...Object.values(SIGNALS).map(([endpoint]) => endpoint)].some((name) => isSet(variables[name]));
}

/** Where one signal alone has an endpoint the other is not sent. */
function signalsOf(variables: Variables): readonly Signal[] {
  return (['traces', 'metrics'] as const).filter((signal) => {
    const [endpoint, exporter] = SIGNALS[signal];
    return (
      variables[exporter] !== 'none' && (!isNamed(variables) || isSet(variables[BOTH]) || isSet(variables[endpoint]))
    );
  });
}

function isSet(variable: string | undefined): boolean {
  return variable !== undefined && variable !== '';
}
