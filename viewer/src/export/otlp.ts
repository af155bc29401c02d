import type { RunRecord, TraceEvent } from '../data.ts';
import { flat, spansOf, text, timeOf } from '../model/spans.ts';
import type { Span } from '../model/spans.ts';
import { usageOf } from '../model/usage.ts';

type Attribute = readonly [key: string, value: unknown];

const [INTERNAL, CLIENT] = [1, 3];
const [STATUS_UNSET, STATUS_ERROR] = [0, 2];
const EVENTS: ReadonlySet<string> = new Set(['workflow-annotation', 'limit-exceeded', 'events-dropped']);

/** The trace of a run as OTLP JSON (evidence.md §13): names and numbers, never a payload. */
export async function otlpOf({ run, events }: Pick<RunRecord, 'run' | 'events'>): Promise<string> {
  const [first] = events;
  if (first === undefined) throw new Error('a run has events');
  const traceId = await idOf(run.run_id, 16);
  const rootId = await idOf(run.run_id, 8);
  const origin = timeOf(first);
  const roots = spansOf(events);
  const parents = new Map(flat(roots).flatMap((span) => span.children.map((child) => [child.id, span.id] as const)));
  const spans = await Promise.all(flat(roots).map(async (span) => {
    const parent = parents.get(span.id);
    return { traceId, spanId: await idOf(span.id, 8), parentSpanId: parent === undefined ? rootId : await idOf(parent, 8), ...described(span), startTimeUnixNano: nanos(origin + span.start), endTimeUnixNano: nanos(origin + span.end) };
  }));
  const last = events.at(-1) ?? first;
  const root = {
    traceId, spanId: rootId, name: 'invoke_workflow', kind: INTERNAL, startTimeUnixNano: nanos(origin), endTimeUnixNano: nanos(timeOf(last)),
    attributes: attributes([['gen_ai.operation.name', 'invoke_workflow'], ['svc.run.id', run.run_id], ['svc.outcome', run.status], ['svc.bundle.hash', run.workflow_prelude.hash], ['svc.result.hash', run.result_hash], ['svc.cost.microusd', run.llm_spend?.total_cost?.microunits], ['error.type', run.terminal_reason], ...Object.entries(run.tags).map(([tag, value]): Attribute => [`svc.tags.${tag}`, value])]),
    events: events.filter(({ type }) => EVENTS.has(type)).map(spanEvent),
    status: { code: run.status === 'ok' ? STATUS_UNSET : STATUS_ERROR },
  };
  return JSON.stringify({ resourceSpans: [{ resource: { attributes: attributes([['service.name', 'svc']]) }, scopeSpans: [{ scope: { name: 'svc' }, schemaUrl: 'https://opentelemetry.io/schemas/1.41.0', spans: [root, ...spans] }] }] });
}

function described({ kind, started, stopped, isOpen, hasFailed, id, status }: Span) {
  const name = text(started, 'name') ?? '';
  const usage = usageOf(stopped);
  const forms: Readonly<Record<Span['kind'], readonly [name: string, kind: number, attributes: readonly Attribute[]]>> = {
    workflow: ['svc.evaluation', INTERNAL, [['svc.evaluation.id', id], ['svc.status', status]]],
    mission: ['svc.evaluation', INTERNAL, [['svc.evaluation.id', id], ['svc.mission', started['mission_name']], ['svc.source.hash', started['source_hash']], ['svc.source.bytes', started['source_bytes']], ['svc.status', status]]],
    model: [`chat ${text(started, 'alias') ?? ''}`.trim(), CLIENT, [['gen_ai.operation.name', 'chat'], ['gen_ai.request.model', started['alias']], ['svc.installation.revision', started['installation_revision']], ['gen_ai.response.finish_reasons', stopped?.['finish_reason'] === undefined ? undefined : [stopped['finish_reason']]], ['gen_ai.usage.input_tokens', usage.input], ['gen_ai.usage.output_tokens', usage.output], ['gen_ai.usage.cache_read.input_tokens', usage.cache_read], ['gen_ai.usage.cache_creation.input_tokens', usage.cache_creation], ['svc.cost.microusd', usage.total_cost?.microunits]]],
    route: name === 'kernel-eval' ? ['execute_tool run_svc_lisp', INTERNAL, [['gen_ai.tool.name', 'run_svc_lisp'], ['gen_ai.tool.type', 'function']]] : [`execute_tool ${name}`, INTERNAL, [['gen_ai.tool.name', name]]],
    call: [`execute_tool ${name}`, INTERNAL, [['gen_ai.tool.name', name], ['gen_ai.tool.call.id', id]]],
  };
  const [title, spanKind, own] = forms[kind];
  const failure: readonly Attribute[] = hasFailed ? [['error.type', stopped?.['reason'] ?? stopped?.['kind'] ?? status]] : [];
  return { name: title, kind: spanKind, attributes: attributes([...own, ...failure, ['svc.incomplete', isOpen ? true : undefined]]), status: { code: hasFailed || isOpen ? STATUS_ERROR : STATUS_UNSET } };
}

function spanEvent(event: TraceEvent) {
  const told = event.type === 'workflow-annotation' ? { type: event.data['annotation_type'], ...objectOf(event.data['data']) } : event.data;
  return { name: event.type, timeUnixNano: nanos(timeOf(event)), attributes: attributes(Object.entries(told).map(([name, value]): Attribute => [`svc.${name}`, value])) };
}

function objectOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

function attributes(given: readonly Attribute[]) {
  return given.flatMap(([key, value]) => (value === undefined || value === null ? [] : [{ key, value: valueOf(value) }]));
}

function valueOf(value: unknown): object {
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(valueOf) } };
  return { stringValue: typeof value === 'string' ? value : JSON.stringify(value) };
}

/** Milliseconds as whole nanoseconds, which no double can hold. */
function nanos(ms: number): string {
  return String(BigInt(Math.round(ms * 1000)) * 1000n);
}

async function idOf(text: string, bytes: number): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return [...digest.subarray(0, bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
