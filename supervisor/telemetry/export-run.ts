import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Link, Span } from '@opentelemetry/api';
import { AggregationTemporalityPreference, OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { CONVENTIONS } from './conventions.ts';
import { METRICS, measurementsOf } from './measurements.ts';
import type { Measurement } from './measurements.ts';
import { spansOf, traceIdOf } from './spans.ts';
import type { RunSpan, TimedEvent } from './spans.ts';

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
 * Sends what a run did to the collector that the variables of OTLP name, best effort: whatever goes wrong is nobody's fault and
 * told nobody. Waits for at most 5 s.
 */
export async function exportRun({ runId, traceId, events, serviceName, signals, isTemporalityGiven }: ExportedRun): Promise<void> {
  const resource = resourceFromAttributes({ 'service.name': serviceName });
  const spans = spansOf(runId, events);
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, EXPORT_MS);
  const sent = signals.map(async (signal) => (signal === 'traces' ? exportSpans(resource, traceId, spans) : exportMeasurements(resource, measurementsOf(spans), isTemporalityGiven)));
  await Promise.race([Promise.allSettled(sent), late.promise]);
  clearTimeout(timer);
}

async function exportSpans(resource: Resource, traceId: string, spans: readonly RunSpan[]): Promise<void> {
  let spanId = '';
  const provider = new TracerProvider({
    resource,
    idGenerator: { generateTraceId: () => traceIdOf(traceId), generateSpanId: () => spanId },
    spanLimits: { eventCountLimit: 4096 },
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ timeoutMillis: EXPORT_MS }), maxQueueSize: SPANS_MAX })],
  });
  const tracer = provider.getTracer('svc', undefined, { schemaUrl: CONVENTIONS });
  const begun = new Map<string, Span>();
  for (const span of spans) {
    const parent = span.parent === null ? undefined : begun.get(span.parent);
    spanId = span.id;
    const context = parent === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent);
    const started = tracer.startSpan(span.name, { kind: span.kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL, startTime: span.start, root: parent === undefined, attributes: own(span.attributes), links: linksOf(span) }, context);
    for (const { name, at, attributes } of span.events) started.addEvent(name, own(attributes), at);
    if (span.isError) started.setStatus({ code: SpanStatusCode.ERROR });
    begun.set(span.id, started);
    started.end(span.end);
  }
  await provider.shutdown();
}

/** To the span of whoever asked for the run. */
function linksOf({ caller }: RunSpan): Link[] {
  return caller === null ? [] : [{ context: { traceId: caller.traceId, spanId: caller.spanId, traceFlags: caller.flags, isRemote: true } }];
}

async function exportMeasurements(resource: Resource, measurements: readonly Measurement[], isTemporalityGiven: boolean): Promise<void> {
  if (measurements.length === 0) return;
  const exporter = new OTLPMetricExporter({ timeoutMillis: EXPORT_MS, ...(isTemporalityGiven ? {} : { temporalityPreference: AggregationTemporalityPreference.DELTA }) });
  const provider = new MeterProvider({ resource, readers: [new PeriodicExportingMetricReader({ exporter, exportTimeoutMillis: EXPORT_MS })] });
  const meter = provider.getMeter('svc', undefined, { schemaUrl: CONVENTIONS });
  for (const [metric, group] of Map.groupBy(measurements, (one) => one.metric)) {
    const { unit, bounds } = METRICS[metric];
    const histogram = meter.createHistogram(metric, { unit, advice: { explicitBucketBoundaries: [...bounds] } });
    for (const { value, attributes } of group) histogram.record(value, own(attributes));
  }
  await provider.shutdown();
}

function own(attributes: RunSpan['attributes']): Record<string, string | number | boolean | string[]> {
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, typeof value === 'object' ? [...value] : value]));
}
