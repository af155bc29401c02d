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
  /** Whether the variables of OTLP say how metrics add up; else each run tells what it adds. */
  readonly isTemporalityGiven: boolean;
}

type Resource = ReturnType<typeof resourceFromAttributes>;

/**
 * Sends what a run did to the collector that the variables of OTLP name, best effort: whatever goes wrong is nobody's
 * fault and told nobody. Waits for at most 5 s.
 */
export async function exportRun({
  runId,
  traceId,
  events,
  serviceName,
  signals,
  isTemporalityGiven,
}: ExportedRun): Promise<void> {
  const resource = resourceFromAttributes({ 'service.name': serviceName });
  const spans = spansOf(runId, events);
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, EXPORT_MS);
  const sent = signals.map(async (signal) =>
    signal === 'traces'
      ? exportSpans(resource, traceId, spans)
      : exportMeasurements(resource, measurementsOf(spans), isTemporalityGiven),
  );
  await Promise.race([Promise.allSettled(sent), late.promise]);
  clearTimeout(timer);
}

async function exportSpans(resource: Resource, traceId: string, spans: readonly RunSpan[]): Promise<void> {
  let spanId = '';
  const provider = new TracerProvider({
    resource,
    idGenerator: { generateTraceId: () => traceIdOf(traceId), generateSpanId: () => spanId },
    spanLimits: { eventCountLimit: 4096 },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ timeoutMillis: EXPORT_MS }),
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
  isTemporalityGiven: boolean,
): Promise<void> {
  if (measurements.length === 0) return;
  const exporter = new OTLPMetricExporter({
    timeoutMillis: EXPORT_MS,
    ...(isTemporalityGiven ? {} : { temporalityPreference: AggregationTemporalityPreference.DELTA }),
  });
  const provider = new MeterProvider({
    resource,
    readers: [new PeriodicExportingMetricReader({ exporter, exportTimeoutMillis: EXPORT_MS })],
  });
  writeMeasurements(provider.getMeter('svc', undefined, { schemaUrl: CONVENTIONS }), measurements);
  await provider.shutdown();
}
