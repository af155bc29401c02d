import { CONVENTIONS } from '../../evidence/telemetry/conventions.ts';
import { spansOf, traceIdOf, type Attributes, type RunSpan, type TimedEvent } from '../../evidence/telemetry/spans.ts';

const KINDS: Readonly<Record<RunSpan['kind'], number>> = { internal: 1, client: 3 };
const [STATUS_UNSET, STATUS_ERROR] = [0, 2];

/** What a run is written with. */
export interface WrittenRun {
  readonly runId: string;
  readonly traceId: string;
  readonly events: readonly TimedEvent[];
}

/** The trace of a run in the JSON form of OTLP, as a collector takes it from a file (evidence.md §13). */
export function otlpJson({ runId, traceId, events }: WrittenRun): string {
  const id = traceIdOf(traceId);
  const spans = spansOf(runId, events).map((span) => written(span, id));
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: pairs({ 'service.name': 'svc' }) },
        scopeSpans: [{ scope: { name: 'svc' }, schemaUrl: CONVENTIONS, spans }],
      },
    ],
  });
}

function written(
  { id, parent, name, kind, start, end, isError, attributes, caller, events }: RunSpan,
  traceId: string,
) {
  return {
    traceId,
    spanId: id,
    ...(parent === null ? {} : { parentSpanId: parent }),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(end),
    attributes: pairs(attributes),
    events: events.map((event) => ({
      name: event.name,
      timeUnixNano: nanoseconds(event.at),
      attributes: pairs(event.attributes),
    })),
    ...(caller === null ? {} : { links: [{ traceId: caller.traceId, spanId: caller.spanId, flags: caller.flags }] }),
    status: { code: isError ? STATUS_ERROR : STATUS_UNSET },
  };
}

function pairs(attributes: Attributes) {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: valueOf(value) }));
}

function valueOf(value: Attributes[string]): object {
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return typeof value === 'string' ? { stringValue: value } : { arrayValue: { values: value.map(valueOf) } };
}

/** Milliseconds as whole nanoseconds, which no double can hold. */
function nanoseconds(ms: number): string {
  return String(BigInt(Math.round(ms * 1000)) * 1000n);
}
