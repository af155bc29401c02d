import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { readTraceparent, type CallerSpan } from '../../../contract/traceparent.ts';
import type { TraceEvent } from '../event.ts';

/** An event with the time at which it was reported: milliseconds since 1970, with fractions. */
export interface TimedEvent {
  readonly event: TraceEvent;
  readonly at: number;
}

export type Attributes = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** One span of a run (evidence.md §13). */
export interface RunSpan {
  /** 16 hex digits. */
  readonly id: string;
  /** Of another span of the run, which is before it; null of the root. */
  readonly parent: string | null;
  readonly name: string;
  readonly kind: 'internal' | 'client';
  readonly start: number;
  readonly end: number;
  readonly isError: boolean;
  readonly attributes: Attributes;
  /** Of the person who asked for the run, in its own trace; of the root alone. */
  readonly caller: CallerSpan | null;
  readonly events: readonly { readonly name: string; readonly at: number; readonly attributes: Attributes }[];
}

interface OpenSpan {
  readonly id: string;
  readonly parent: string | null;
  readonly name: string;
  readonly kind: RunSpan['kind'];
  readonly start: number;
  readonly environment: unknown;
  readonly mission: unknown;
  end: number | null;
  isError: boolean;
  attributes: Attributes;
  caller: CallerSpan | null;
  events: RunSpan['events'];
}

type Facts = Readonly<Record<string, unknown>>;

const ROUTE = /^(?:kernel|cap|runtime)-/;
const KERNEL_EVALUATION = 'kernel-eval';
const WELL: ReadonlySet<unknown> = new Set(['ok', 'returned', 'continued']);

/** The trace of a run as OpenTelemetry knows it: the first 16 bytes of the digest of its trace id, 32 hex digits. */
export function traceIdOf(traceId: string): string {
  return digest(traceId, 32);
}

/**
 * What a run did as spans, parents first: names, numbers, hashes and closed words, as its trace has them and nothing
 * more.
 */
export function spansOf(runId: string, events: readonly TimedEvent[]): readonly RunSpan[] {
  const spans = new Map<string, OpenSpan>();
  const last = events.at(-1)?.at ?? 0;
  const root: OpenSpan = {
    id: digest(runId, 16),
    parent: null,
    name: 'invoke_workflow',
    kind: 'internal',
    start: events[0]?.at ?? 0,
    environment: null,
    mission: null,
    end: null,
    isError: false,
    attributes: { 'gen_ai.operation.name': 'invoke_workflow', 'svc.run.id': runId },
    caller: null,
    events: [],
  };
  spans.set('', root);
  for (const { event, at } of events) {
    const facts: Facts = JSON.parse(canonicalJson(event.data));
    take(spans, root, { type: event.type, facts, at });
  }
  return [...spans.values()].map(({ environment: _environment, mission: _mission, ...span }) => ({
    ...span,
    end: span.end ?? last,
    isError: span.isError || span.end === null,
    attributes: span.end === null ? { ...span.attributes, 'svc.incomplete': true } : span.attributes,
  }));
}

interface SpanEvent {
  readonly type: string;
  readonly facts: Facts;
  readonly at: number;
}

function take(spans: Map<string, OpenSpan>, root: OpenSpan, reported: SpanEvent): void {
  const { type, facts, at } = reported;
  switch (type) {
    case 'run-started':
      root.caller = readTraceparent(facts['traceparent']);
      add(root, {
        'svc.bundle.hash': factsOf(facts['workflow_prelude'])['hash'],
        ...prefixed('svc.tags.', factsOf(factsOf(facts['labels'])['tags'])),
      });
      return;
    case 'evaluation-started':
      return openEvaluation(spans, root, reported);
    case 'evaluation-stopped':
      return close(
        spans.get(key('evaluation', facts['evaluation_id'])),
        at,
        { 'svc.status': facts['status'] },
        !WELL.has(facts['status']),
      );
    case 'capability-started':
      return openCapability(spans, root, reported);
    case 'capability-stopped':
      return closeCapability(spans.get(key('capability', facts['capability_id'])), reported);
    case 'approval-requested':
      return openQuestion(spans, root, reported);
    case 'approval-decided':
      return closeQuestion(spans.get(key('approval', facts['approval_id'])), reported);
    case 'workflow-annotation':
      return annotate(spans, root, reported);
    case 'run-stopped':
      return close(
        root,
        at,
        {
          'svc.outcome': facts['outcome'],
          'svc.result.hash': facts['result_hash'],
          'error.type': facts['reason'],
          'svc.cost.microusd': costOf(factsOf(facts['usage'])['llm_spend']),
        },
        facts['outcome'] !== 'ok',
      );
    case 'events-dropped':
      add(root, { 'svc.trace.complete': false });
      return note(root, type, at, prefixed('', factsOf(facts['counts'])));
    default:
      return note(root, type, at, {
        reason: facts['reason'],
        limit: facts['limit'],
        limit_value: facts['limit_value'],
      });
  }
}

function openEvaluation(spans: Map<string, OpenSpan>, root: OpenSpan, { facts, at }: SpanEvent): void {
  const isMission = facts['environment'] === 'mission';
  const launched = isMission
    ? latest(spans, ({ name, mission }) => name === 'execute_tool run_svc_lisp' && mission === null)
    : undefined;
  const parent = launched ?? spans.get(key('evaluation', facts['parent_evaluation_id'])) ?? root;
  spans.set(
    key('evaluation', facts['evaluation_id']),
    opened(
      parent,
      'svc.evaluation',
      'internal',
      { facts, at, id: facts['evaluation_id'] },
      {
        'svc.evaluation.id': facts['evaluation_id'],
        'svc.mission': facts['mission_name'],
        'svc.source.hash': facts['source_hash'],
        'svc.source.bytes': facts['source_bytes'],
      },
    ),
  );
}

/** A person's question is a span of its own: the call that it is about starts only once it is allowed. */
function openQuestion(spans: Map<string, OpenSpan>, root: OpenSpan, { facts, at }: SpanEvent): void {
  const { name, effect, approval_id: id } = facts;
  spans.set(
    key('approval', id),
    opened(
      ownerOf(spans, root, facts),
      `svc.approval ${String(name)}`,
      'internal',
      { facts, at, id },
      { 'svc.approval.id': id, 'svc.approval.tool': name, 'svc.approval.effect': effect },
    ),
  );
}

/** A no is an answer, and no error. */
function closeQuestion(span: OpenSpan | undefined, { facts, at }: SpanEvent): void {
  const { decision, by, scope } = facts;
  close(span, at, { 'svc.approval.decision': decision, 'svc.approval.by': by, 'svc.approval.scope': scope }, false);
}

function ownerOf(spans: ReadonlyMap<string, OpenSpan>, root: OpenSpan, facts: Facts): OpenSpan {
  const { environment, mission_name: mission } = facts;
  return (
    spans.get(key('evaluation', facts['owner_evaluation_id'])) ??
    latest(
      spans,
      (span) =>
        span.name === 'svc.evaluation' && span.environment === environment && span.mission === (mission ?? null),
    ) ??
    root
  );
}

function openCapability(spans: Map<string, OpenSpan>, root: OpenSpan, { type, facts, at }: SpanEvent): void {
  const { name, alias, capability_id: id } = facts;
  const owner = ownerOf(spans, root, facts);
  const open = (spanName: string, kind: RunSpan['kind'], attributes: Facts): void => {
    spans.set(key('capability', id), opened(owner, spanName, kind, { facts, at, id }, attributes));
  };
  if (typeof alias === 'string')
    return open(`chat ${alias}`, 'client', {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': alias,
      'svc.installation.revision': facts['installation_revision'],
    });
  if (name === KERNEL_EVALUATION)
    return open('execute_tool run_svc_lisp', 'internal', {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'run_svc_lisp',
      'gen_ai.tool.type': 'function',
    });
  if (ROUTE.test(String(name))) return note(owner, type, at, { name });
  return open(`execute_tool ${String(name)}`, 'internal', {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    'gen_ai.tool.call.id': id,
  });
}

function closeCapability(span: OpenSpan | undefined, { facts, at }: SpanEvent): void {
  const usage = factsOf(facts['usage']);
  const { finish_reason: finish } = facts;
  close(
    span,
    at,
    {
      'svc.status': facts['status'],
      'error.type': facts['status'] === 'ok' ? undefined : (facts['reason'] ?? facts['kind'] ?? 'error'),
      'gen_ai.usage.input_tokens': usage['input'],
      'gen_ai.usage.output_tokens': usage['output'],
      'gen_ai.usage.cache_read.input_tokens': usage['cache_read'],
      'gen_ai.usage.cache_creation.input_tokens': usage['cache_creation'],
      'svc.cost.microusd': costOf(usage),
      'gen_ai.request.max_tokens': factsOf(facts['output_limit'])['value'],
    },
    facts['status'] !== 'ok',
  );
  if (span !== undefined && typeof finish === 'string')
    span.attributes = { ...span.attributes, 'gen_ai.response.finish_reasons': [finish] };
}

/** Actions of one invocation of an agent are one span, from the first to the last. */
function annotate(spans: Map<string, OpenSpan>, root: OpenSpan, { facts, at }: SpanEvent): void {
  const data = factsOf(facts['data']);
  const { invocation, ...action } = data;
  const name = String(facts['annotation_type']);
  if (name !== 'agent-action' || invocation === undefined) return note(root, name, at, action);
  const known = spans.get(key('agent', invocation));
  const span =
    known ??
    opened(
      latest(spans, (open) => open.name === 'svc.evaluation' && open.environment === 'workflow') ?? root,
      'invoke_agent',
      'internal',
      { facts, at, id: invocation },
      { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.id': invocation },
    );
  spans.set(key('agent', invocation), span);
  span.end = at;
  note(span, name, at, action);
}

function opened(
  parent: OpenSpan,
  name: string,
  kind: RunSpan['kind'],
  { facts, at, id }: { readonly facts: Facts; readonly at: number; readonly id: unknown },
  attributes: Facts,
): OpenSpan {
  return {
    id: digest(String(id), 16),
    parent: parent.id,
    name,
    kind,
    start: at,
    environment: facts['environment'],
    mission: facts['mission_name'] ?? null,
    end: null,
    isError: false,
    attributes: plain(attributes),
    caller: null,
    events: [],
  };
}

function close(span: OpenSpan | undefined, at: number, attributes: Facts, isError: boolean): void {
  if (span === undefined) return;
  span.end = at;
  span.isError = isError;
  add(span, attributes);
}

function add(span: OpenSpan, attributes: Facts): void {
  span.attributes = { ...span.attributes, ...plain(attributes) };
}

function note(span: OpenSpan, name: string, at: number, attributes: Facts): void {
  span.events = [...span.events, { name, at, attributes: plain(attributes) }];
}

function latest(spans: ReadonlyMap<string, OpenSpan>, fits: (span: OpenSpan) => boolean): OpenSpan | undefined {
  return [...spans.values()].findLast((span) => span.end === null && fits(span));
}

/** Undefined where nobody reported a price, which is no zero. */
function costOf(spent: unknown): unknown {
  return factsOf(factsOf(spent)['total_cost'])['microunits'];
}

function key(kind: string, id: unknown): string {
  return `${kind} ${String(id)}`;
}

function plain(facts: Facts): Attributes {
  return Object.fromEntries(
    Object.entries(facts).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [[name, value]] : [],
    ),
  );
}

function prefixed(prefix: string, facts: Facts): Facts {
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [prefix + name, value]));
}

function factsOf(value: unknown): Facts {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function digest(text: string, digits: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits);
}
