import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Span } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { CONVENTIONS } from './conventions.ts';
import { spansOf, traceIdOf } from './spans.ts';
import type { RunSpan, TimedEvent } from './spans.ts';

/** A collector that has not taken a run by then does without it. */
const EXPORT_MS = 5000;
const SPANS_MAX = 16_384;

/** What a run is exported with. */
export interface ExportedRun {
  readonly runId: string;
  readonly traceId: string;
  readonly events: readonly TimedEvent[];
  readonly serviceName: string;
}

/**
 * Sends what a run did to the collector that the variables of OTLP name, best effort: whatever goes wrong is nobody's fault and
 * told nobody. Waits for at most 5 s.
 */
export async function exportRun({ runId, traceId, events, serviceName }: ExportedRun): Promise<void> {
  let spanId = '';
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    idGenerator: { generateTraceId: () => traceIdOf(traceId), generateSpanId: () => spanId },
    spanLimits: { eventCountLimit: 4096 },
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ timeoutMillis: EXPORT_MS }), maxQueueSize: SPANS_MAX })],
  });
  const tracer = provider.getTracer('svc', undefined, { schemaUrl: CONVENTIONS });
  const begun = new Map<string, Span>();
  for (const span of spansOf(runId, events)) {
    const parent = span.parent === null ? undefined : begun.get(span.parent);
    spanId = span.id;
    const context = parent === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent);
    const started = tracer.startSpan(span.name, { kind: span.kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL, startTime: span.start, root: parent === undefined, attributes: own(span.attributes) }, context);
    for (const { name, at, attributes } of span.events) started.addEvent(name, own(attributes), at);
    if (span.isError) started.setStatus({ code: SpanStatusCode.ERROR });
    begun.set(span.id, started);
    started.end(span.end);
  }
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, EXPORT_MS);
  await Promise.race([provider.shutdown().catch(() => undefined), late.promise]);
  clearTimeout(timer);
}

function own(attributes: RunSpan['attributes']): Record<string, string | number | boolean | string[]> {
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, typeof value === 'object' ? [...value] : value]));
}
