import { AggregationTemporalityPreference, OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { CONVENTIONS } from './conventions.ts';
import { measurementsOf, type Measurement } from './measurements.ts';
import { spansOf, traceIdOf, type RunSpan, type TimedEvent } from './spans.ts';
import { writeMeasurements, writeSpans } from './write-run.ts';

export { writeRun } from './write-run.ts';

/** A collector that has not taken a run by then does without it. */
const EXPORT_MS = 5000;
const SPANS_MAX = 16_384;

export type Signal = 'traces' | 'metrics';

/** What a run is exported with. */
export interface ExportedRun {
  readonly runId: string;
  readonly traceId: string;
  readonly events: readonly TimedEvent[];
  readonly serviceName: string;
  /** What of it is sent. */
  readonly signals: readonly Signal[];
  /** Whether the variables of OTLP say how metrics add up; else each run says what it adds. */
  readonly isTemporalitySet: boolean;
  /** Called with what was not taken, and why in a few words that hold no address. */
  readonly reportFailure: (signal: Signal, why: string) => void;
}

type Resource = ReturnType<typeof resourceFromAttributes>;

/**
 * Sends what a run did to the collector that the variables of OTLP name, best effort: what goes wrong is reported and
 * changes nothing of the run. Waits for at most 5 s.
 */
export async function exportRun({
  runId,
  traceId,
  events,
  serviceName,
  signals,
  isTemporalitySet,
  reportFailure,
}: ExportedRun): Promise<void> {
  const resource = resourceFromAttributes({ 'service.name': serviceName });
  const spans = spansOf(runId, events);
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, EXPORT_MS);
  const waited = new Set(signals);
  const sent = signals.map(async (signal) => {
    const watch: Watch = (answer) => {
      if (isFailed(answer) && waited.has(signal)) reportFailure(signal, failureWords(answer.error));
    };
    try {
      await (signal === 'traces'
        ? exportSpans(resource, { traceId, spans, watch })
        : exportMeasurements(resource, measurementsOf(spans), { isTemporalitySet, watch }));
    } finally {
      waited.delete(signal);
    }
  });
  await Promise.race([Promise.allSettled(sent), late.promise]);
  clearTimeout(timer);
  for (const signal of waited) reportFailure(signal, `nothing was taken within ${EXPORT_MS / 1000} s`);
  waited.clear();
}

/** Hears how a collector answered, which the processors of the SDK keep to themselves. */
type Watch = (answer: Parameters<Parameters<OTLPTraceExporter['export']>[1]>[0]) => void;

/** The code of an export that was taken. */
const USED = 0;

function isFailed({ code }: { readonly code: number }): boolean {
  return code !== USED;
}

/** A code of HTTP or of the system; messages may name addresses. */
function failureWords(error: (Error & { readonly code?: unknown }) | undefined): string {
  const code = error?.code;
  if (typeof code === 'number') return `it answered with status ${code}`;
  return typeof code === 'string' ? code : 'it cannot be reached';
}

async function exportSpans(
  resource: Resource,
  { traceId, spans, watch }: { readonly traceId: string; readonly spans: readonly RunSpan[]; readonly watch: Watch },
): Promise<void> {
  const exporter = new OTLPTraceExporter({ timeoutMillis: EXPORT_MS });
  let spanId = '';
  const provider = new TracerProvider({
    resource,
    idGenerator: { generateTraceId: () => traceIdOf(traceId), generateSpanId: () => spanId },
    spanLimits: { eventCountLimit: 4096 },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: {
          export: (batch, done) => {
            exporter.export(batch, (answer) => {
              watch(answer);
              done(answer);
            });
          },
          forceFlush: async () => exporter.forceFlush(),
          shutdown: async () => exporter.shutdown(),
        },
        maxQueueSize: SPANS_MAX,
      }),
    ],
  });
  const tracer = provider.getTracer('svc', undefined, { schemaUrl: CONVENTIONS });
  writeSpans(tracer, spans, ({ id }) => {
    spanId = id;
  });
  await provider.shutdown();
}

async function exportMeasurements(
  resource: Resource,
  measurements: readonly Measurement[],
  { isTemporalitySet, watch }: { readonly isTemporalitySet: boolean; readonly watch: Watch },
): Promise<void> {
  if (measurements.length === 0) return;
  const exporter = new OTLPMetricExporter({
    timeoutMillis: EXPORT_MS,
    ...(isTemporalitySet ? {} : { temporalityPreference: AggregationTemporalityPreference.DELTA }),
  });
  const provider = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: {
          export: (metrics, done) => {
            exporter.export(metrics, (answer) => {
              watch(answer);
              done(answer);
            });
          },
          forceFlush: async () => exporter.forceFlush(),
          shutdown: async () => exporter.shutdown(),
          selectAggregationTemporality: (kind) => exporter.selectAggregationTemporality(kind),
          selectAggregation: (kind) => exporter.selectAggregation(kind),
        },
        exportTimeoutMillis: EXPORT_MS,
      }),
    ],
  });
  writeMeasurements(provider.getMeter('svc', undefined, { schemaUrl: CONVENTIONS }), measurements);
  await provider.shutdown();
}
