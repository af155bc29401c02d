import { canonicalJson } from '../../contract/json/canonical.ts';
import type { JsonObject } from '../../contract/json/value.ts';
import { timestampOf } from './clock.ts';
import type { Clock } from './clock.ts';
import { eventsDropped } from './event.ts';
import type { TraceEvent } from './event.ts';

const SCHEMA_VERSION = 2;
const TYPE_PATTERN = /^[a-z][a-z0-9-]{0,127}$/;
/** Types counted by name when their events are lost (evidence.md §4). */
export const COUNTED_EVENT_TYPES = 16;
const OVERFLOW = '$overflow';
export const EVENT_COUNT_MAX = 4_294_967_295;
/** `events-dropped` and `run-stopped`. */
const RESERVED_EVENTS = 2;

export interface TraceBounds {
  /** `event_payload_bytes`: canonical bytes of one `data`. */
  readonly payloadBytes: number;
  /** `normal_event_count`: events of the whole trace. */
  readonly eventCount: number;
  /** `normal_event_bytes`: bytes of the whole trace, line feeds included. */
  readonly eventBytes: number;
}

export interface TraceOptions {
  readonly runId: string;
  readonly traceId: string;
  /** Loss is counted on a normal run and fatal on a private one. */
  readonly eventClass: 'normal' | 'private';
  readonly bounds: TraceBounds;
  readonly clock: Clock;
  /** Told of every event, kept or not, before the trace is frozen; must not throw. */
  readonly onEvent?: (event: TraceEvent) => void;
}

/** Names of events lost, with how many of each. */
export type DroppedCounts = Readonly<Record<string, number>>;

export type RecordOutcome = 'recorded' | 'dropped' | 'refused';

/**
 * `complete`: the terminal events are in and the trace is frozen. `lost`: they did not fit; there is no trace, and
 * the run's usage by call is unknown.
 */
export type FinalizeOutcome =
  | { readonly status: 'complete'; readonly bytes: Uint8Array }
  | { readonly status: 'lost' };

/** The event sink of one run: bounded, ordered, frozen by `finalize` (evidence.md §2, §4). */
export interface TraceRecorder {
  /**
   * `dropped` takes no sequence number and is counted; `refused` (private runs, or after the end) means that the run
   * cannot go on with complete evidence.
   */
  record(event: TraceEvent): RecordOutcome;
  dropped(): DroppedCounts;
  /** `events-dropped` if anything was lost, then the event that `stopped` builds from the counts; then frozen. */
  finalize(stopped: (dropped: DroppedCounts) => TraceEvent): FinalizeOutcome;
}

/** Bytes kept free for the terminal events of a normal run; a smaller `normal_event_bytes` can hold no trace. */
export function terminalReserve(bounds: TraceBounds, runId: string, traceId: string): number {
  return RESERVED_EVENTS * (bounds.payloadBytes + envelopeBytes(runId, traceId));
}

/** Bytes that a line adds to its data at most: six members, the longest sequence and the line feed. */
function envelopeBytes(runId: string, traceId: string): number {
  const line = encodeLine({
    runId,
    traceId,
    sequence: Number.MAX_SAFE_INTEGER,
    timestamp: timestampOf(0),
    type: 'evaluation-stopped',
    data: '{}',
  });
  return byteLength(line);
}

export function openTrace(options: TraceOptions): TraceRecorder {
  const { bounds, clock, runId, traceId, eventClass, onEvent = () => {} } = options;
  const reserve = eventClass === 'normal' ? { events: RESERVED_EVENTS, bytes: terminalReserve(bounds, runId, traceId) } : { events: 0, bytes: 0 };
  const startedAt = { wall: clock.wall(), monotonic: clock.monotonic() };
  const lines: string[] = [];
  const counts = new Map<string, number>();
  let bytes = 0;
  let isFrozen = false;

  const append = (event: TraceEvent, kept: { readonly events: number; readonly bytes: number }): boolean => {
    if (!TYPE_PATTERN.test(event.type)) return false;
    const data = canonicalJson(event.data);
    if (byteLength(data) > bounds.payloadBytes) return false;
    const timestamp = timestampOf(startedAt.wall + (clock.monotonic() - startedAt.monotonic));
    const line = encodeLine({ runId, traceId, sequence: lines.length + 1, timestamp, type: event.type, data });
    const size = byteLength(line);
    if (lines.length + 1 + kept.events > bounds.eventCount || bytes + size + kept.bytes > bounds.eventBytes) return false;
    lines.push(line);
    bytes += size;
    return true;
  };

  return {
    record: (event) => {
      if (isFrozen) return 'refused';
      onEvent(event);
      if (append(event, reserve)) return 'recorded';
      if (eventClass === 'private') return 'refused';
      count(counts, event.type);
      return 'dropped';
    },
    dropped: () => Object.fromEntries(counts),
    finalize: (stopped) => {
      if (isFrozen) return { status: 'lost' };
      isFrozen = true;
      const dropped = Object.fromEntries(counts);
      const terminal = [...(counts.size === 0 ? [] : [eventsDropped(dropped)]), stopped(dropped)];
      const areIn = terminal.every((event) => append(event, { events: 0, bytes: 0 }));
      return areIn ? { status: 'complete', bytes: new TextEncoder().encode(lines.join('')) } : { status: 'lost' };
    },
  };
}

function count(counts: Map<string, number>, type: string): void {
  const isCounted = counts.has(type) || (TYPE_PATTERN.test(type) && namedTypes(counts) < COUNTED_EVENT_TYPES);
  const key = isCounted ? type : OVERFLOW;
  counts.set(key, Math.min(EVENT_COUNT_MAX, (counts.get(key) ?? 0) + 1));
}

function namedTypes(counts: ReadonlyMap<string, number>): number {
  return counts.size - (counts.has(OVERFLOW) ? 1 : 0);
}

interface Line {
  readonly runId: string;
  readonly traceId: string;
  readonly sequence: number;
  readonly timestamp: string;
  readonly type: string;
  /** Canonical JSON. */
  readonly data: string;
}

/** Canonical JSON of one event: its data, already such a text, is the first member by name. */
function encodeLine({ runId, traceId, sequence, timestamp, type, data }: Line): string {
  const members: JsonObject = new Map<string, string | number>([
    ['run_id', runId],
    ['schema_version', SCHEMA_VERSION],
    ['sequence', sequence],
    ['timestamp', timestamp],
    ['trace_id', traceId],
    ['type', type],
  ]);
  return `{"data":${data},${canonicalJson(members).slice(1)}\n`;
}

function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}
