import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Link, type Span } from '@opentelemetry/api';
import { METRICS, measurementsOf, type Measurement } from './measurements.ts';
import type { CustomMeter, CustomSpan, CustomTelemetry, CustomTracer } from './own-tracer.ts';
import { spansOf, type RunSpan, type TimedEvent } from './spans.ts';

/** Writes spans, parents first; `onSpan` is called with each before it starts. */
export function writeSpans(
  tracer: CustomTracer,
  spans: readonly RunSpan[],
  onSpan: (span: RunSpan) => void = () => undefined,
): void {
  const openSpans = new Map<string, CustomSpan>();
  for (const span of spans) {
    const parent = span.parent === null ? undefined : openSpans.get(span.parent);
    onSpan(span);
    // Of whatever implementation: the span is handed back to the one that made it.
    const context =
      parent === undefined
        ? ROOT_CONTEXT
        : trace.setSpan(ROOT_CONTEXT, Object.assign<object, Span>(parent, Object.create(null)));
    const started = tracer.startSpan(
      span.name,
      {
        kind: span.kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL,
        startTime: span.start,
        root: parent === undefined,
        attributes: attributesOf(span.attributes),
        links: linksOf(span),
      },
      context,
    );
    for (const { name, at, attributes } of span.events) started.addEvent(name, attributesOf(attributes), at);
    if (span.isError) started.setStatus({ code: SpanStatusCode.ERROR });
    openSpans.set(span.id, started);
    started.end(span.end);
  }
}

export function writeMeasurements(meter: CustomMeter, measurements: readonly Measurement[]): void {
  for (const [metric, group] of Map.groupBy(measurements, (one) => one.metric)) {
    const { unit, bounds } = METRICS[metric];
    const histogram = meter.createHistogram(metric, { unit, advice: { explicitBucketBoundaries: [...bounds] } });
    for (const { value, attributes } of group) histogram.record(value, attributesOf(attributes));
  }
}

/** Writes what a run did with the tracer and the meter of the embedding program. */
export function writeRun(runId: string, events: readonly TimedEvent[], { tracer, meter }: CustomTelemetry): void {
  const spans = spansOf(runId, events);
  writeSpans(tracer, spans);
  if (meter !== undefined) writeMeasurements(meter, measurementsOf(spans));
}

/** To the span of the person who asked for the run. */
function linksOf({ caller }: RunSpan): Link[] {
  return caller === null
    ? []
    : [{ context: { traceId: caller.traceId, spanId: caller.spanId, traceFlags: caller.flags, isRemote: true } }];
}

function attributesOf(attributes: RunSpan['attributes']): Record<string, string | number | boolean | string[]> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, typeof value === 'object' ? [...value] : value]),
  );
}
