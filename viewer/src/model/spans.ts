import type { TraceEvent } from '../data.ts';

/**
 * One evaluation, call, or question to a person, from its start to its stop. Times in milliseconds from the start
 * of the run.
 */
export interface Span {
  readonly id: string;
  readonly kind: 'workflow' | 'mission' | 'model' | 'route' | 'call' | 'wait';
  readonly label: string;
  readonly start: number;
  /** That of the last event where no stop is reported. */
  readonly end: number;
  readonly isOpen: boolean;
  readonly status: string;
  readonly hasFailed: boolean;
  readonly sequence: number;
  readonly started: TraceEvent['data'];
  readonly stopped: TraceEvent['data'] | null;
  readonly depth: number;
  readonly children: readonly Span[];
  /** Time that no child was at work. */
  readonly own: number;
}

interface Draft {
  readonly event: TraceEvent;
  stop: TraceEvent | null;
  readonly children: Draft[];
}

/** The event with which a question to a person starts (approvals.md §10). */
const ASKED = 'approval-requested';

const GOOD: ReadonlySet<unknown> = new Set(['ok', 'returned', 'continued']);

export function text(data: TraceEvent['data'], name: string): string | null {
  const value = data[name];
  return typeof value === 'string' ? value : null;
}

/** A call that was allowed names its question too. */
function idOf(data: TraceEvent['data']): string | null {
  return text(data, 'evaluation_id') ?? text(data, 'capability_id') ?? text(data, 'approval_id');
}

export function timeOf(event: TraceEvent): number {
  return Date.parse(`${event.timestamp.slice(0, 19)}Z`) + Number(event.timestamp.slice(20, 26)) / 1000;
}

/** Spans as they lie within each other in time, roots first; who called whom is reported only where the trace does. */
export function spansOf(events: readonly TraceEvent[]): readonly Span[] {
  const [first] = events;
  const last = events.at(-1);
  if (first === undefined || last === undefined) return [];
  const roots: Draft[] = [];
  const open = new Map<string, Draft>();
  for (const event of events) {
    const id = idOf(event.data);
    if (id === null) continue;
    if (event.type.endsWith('-started') || event.type === ASKED) {
      const draft: Draft = { event, stop: null, children: [] };
      (parentOf(event, open)?.children ?? roots).push(draft);
      open.set(id, draft);
    } else if (event.type.endsWith('-stopped') || event.type === 'approval-decided') {
      const draft = open.get(id);
      if (draft !== undefined) draft.stop = event;
      open.delete(id);
    }
  }
  const origin = timeOf(first);
  const end = timeOf(last) - origin;
  return roots.map((root) => spanOf(root, origin, end, 0));
}

/** The newest evaluation that is open and may hold this; of a mission's evaluation, the call that brackets it. */
function parentOf({ type, data }: TraceEvent, open: ReadonlyMap<string, Draft>): Draft | null {
  const owner = text(data, 'owner_evaluation_id');
  if (owner !== null) return open.get(owner) ?? null;
  const drafts = [...open.values()].toReversed();
  if (type === 'evaluation-started') {
    if (text(data, 'environment') !== 'mission') return null;
    const bracket = drafts.find(({ event, children }) => event.data['name'] === 'kernel-eval' && children.length === 0);
    return bracket ?? open.get(text(data, 'parent_evaluation_id') ?? '') ?? null;
  }
  return (
    drafts.find(
      ({ event }) =>
        event.type === 'evaluation-started' &&
        event.data['environment'] === data['environment'] &&
        event.data['mission_name'] === data['mission_name'],
    ) ?? null
  );
}

function spanOf({ event, stop, children }: Draft, origin: number, runEnd: number, depth: number): Span {
  const { data } = event;
  const inner = children.map((child) => spanOf(child, origin, runEnd, depth + 1));
  const start = timeOf(event) - origin;
  const end = stop === null ? runEnd : timeOf(stop) - origin;
  const kind = kindOf(event);
  const status = stop === null ? 'open' : (text(stop.data, kind === 'wait' ? 'decision' : 'status') ?? 'unknown');
  return {
    id: idOf(data) ?? '',
    kind,
    label: labelOf(event),
    start,
    end,
    isOpen: stop === null,
    status,
    // A no is an answer.
    hasFailed: kind !== 'wait' && stop !== null && !GOOD.has(stop.data['status']),
    sequence: event.sequence,
    started: data,
    stopped: stop?.data ?? null,
    depth,
    children: inner,
    own: Math.max(0, end - start - covered(inner)),
  };
}

function kindOf({ type, data }: TraceEvent): Span['kind'] {
  if (type === ASKED) return 'wait';
  if (type === 'evaluation-started') return data['environment'] === 'mission' ? 'mission' : 'workflow';
  const name = text(data, 'name') ?? '';
  if (name === 'llm-request') return 'model';
  return /^(?:kernel|cap|runtime)-/.test(name) ? 'route' : 'call';
}

function labelOf({ type, data }: TraceEvent): string {
  if (type === ASKED) return `yes for ${text(data, 'name') ?? 'a call'}`;
  if (type !== 'evaluation-started')
    return [text(data, 'name') ?? 'call', text(data, 'alias')].filter((part) => part !== null).join(' · ');
  return data['environment'] === 'mission' ? `mission ${text(data, 'mission_name') ?? ''}` : 'workflow';
}

function covered(spans: readonly Span[]): number {
  let sum = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const { start, end } of [...spans].sort((left, right) => left.start - right.start)) {
    sum += Math.max(0, end - Math.max(start, until));
    until = Math.max(until, end);
  }
  return sum;
}

/** All spans, each before its children. */
export function flat(spans: readonly Span[]): readonly Span[] {
  return spans.flatMap((span) => [span, ...flat(span.children)]);
}

/**
 * What the end of the run waited for: of each span the last child to end, then the one that ended before it began, and
 * so on.
 */
export function criticalPath(spans: readonly Span[]): ReadonlySet<string> {
  const ids = new Set<string>();
  const walk = (among: readonly Span[], until: number): void => {
    let before = until;
    for (const span of [...among].sort((left, right) => right.end - left.end)) {
      if (span.end > before) continue;
      ids.add(span.id);
      walk(span.children, span.end);
      before = span.start;
    }
  };
  walk(spans, Number.POSITIVE_INFINITY);
  return ids;
}

/** How many calls were at work at once: moments at which that changes. */
export function concurrency(spans: readonly Span[]): readonly (readonly [at: number, held: number])[] {
  const changes = flat(spans)
    .filter(({ kind }) => kind === 'model' || kind === 'call')
    .flatMap(
      ({ start, end }) =>
        [
          [start, 1],
          [end, -1],
        ] as const,
    );
  let acquired = 0;
  return changes
    .sort(([left, up], [right, down]) => left - right || up - down)
    .map(([at, change]) => [at, (acquired += change)] as const);
}
