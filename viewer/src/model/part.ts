import type { CapabilityCall, RunRecord, Turn } from '../data.ts';
import { placeIn, type Place } from './place.ts';
import { flat, spansOf, text, type Span } from './spans.ts';

/** A program with the place where it failed. */
export interface ShownProgram {
  readonly title: string;
  readonly source: string;
  readonly place: Place | null;
}

/** What private evidence says of one bar; null for what it has nothing of. */
export interface Part {
  readonly program: ShownProgram | null;
  readonly arguments: unknown;
  readonly result: unknown;
  readonly error: unknown;
  readonly prints: readonly string[];
  /** The exchange with a model that it is, or that wrote its program. */
  readonly turn: Turn | null;
}

/** Null where private evidence is not shown. */
export function partOf({ privacy }: Pick<RunRecord, 'privacy'>, span: Span, caller: Span | null): Part | null {
  if (privacy.kind === 'closed') return null;
  const call = privacy.calls?.find(({ capability_id: id }) => id === span.id) ?? null;
  const bracket = privacy.calls?.find(({ capability_id: id }) => id === caller?.id) ?? null;
  // What a mission answered is in what the call around it gave the workflow.
  const outcome = span.kind === 'mission' ? outcomeOf(bracket) : null;
  const error = privacy.errors.find(({ evaluation_id: id }) => id === span.id) ?? null;
  const source = privacy.sources.find(({ evaluation_id: id }) => id === span.id)?.source ?? null;
  const turns = privacy.conversation.streams.flatMap((stream) => stream.turns);
  const turn =
    turns.find(({ capability_id: id, generated }) =>
      span.kind === 'mission' ? generated.some(({ evaluation_id: made }) => made === span.id) : id === span.id,
    ) ?? null;
  return {
    program:
      source === null
        ? null
        : {
            title: `program of ${span.id}`,
            source,
            place: placeIn(source, error?.details ?? outcome?.['details'] ?? null),
          },
    arguments: call?.arguments ?? (span.kind === 'model' ? (turn?.messages_added ?? null) : null),
    result:
      call?.result ??
      outcome?.['value'] ??
      outcome?.['observation'] ??
      (span.kind === 'model' ? (turn?.assistant ?? null) : null),
    error: error?.details ?? call?.exception ?? outcome?.['details'] ?? null,
    prints: privacy.prints.filter(({ evaluation_id: id }) => id === span.id).flatMap(({ prints }) => prints),
    turn,
  };
}

/** What `kernel-eval` reported of the evaluation that it made. */
function outcomeOf(call: CapabilityCall | null): Readonly<Record<string, unknown>> | null {
  const { value }: { value?: unknown } = Object(call?.result);
  return typeof value === 'object' && value !== null ? { ...value } : null;
}

/** The bar that holds another one; null for a root. */
export function callerOf(spans: readonly Span[], span: Span): Span | null {
  return flat(spans).find(({ children }) => children.includes(span)) ?? null;
}

/** The program in which a run failed: the component that raised the error, else the last program that failed. */
export function failedProgram(record: RunRecord): ShownProgram | null {
  const { privacy, events, run } = record;
  if (privacy.kind === 'closed' || run.status !== 'error') return null;
  for (const { details } of privacy.errors.toReversed()) {
    const { in_component: inside }: { in_component?: unknown } = Object(details);
    const { component, ref }: { component?: unknown; ref?: unknown } = Object(inside);
    const source = privacy.preludes.find(({ component_id: id }) => id === component)?.source;
    if (source === undefined) continue;
    const where = typeof ref === 'string' ? `, in ${ref}` : '';
    return { title: `component ${String(component)}${where}`, source, place: placeIn(source, inside) };
  }
  const spans = spansOf(events);
  const failed = flat(spans).findLast(({ kind, hasFailed, isOpen }) => kind === 'mission' && (hasFailed || isOpen));
  return failed === undefined ? null : (partOf(record, failed, callerOf(spans, failed))?.program ?? null);
}

/** The name of the file that a run had as its input; null where it had none, or the trace does not say. */
export function inputNameOf({ events }: Pick<RunRecord, 'events'>): string | null {
  return text(events.find(({ type }) => type === 'run-started')?.data ?? {}, 'input_name');
}
