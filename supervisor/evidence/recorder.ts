import { canonicalInteger, canonicalString } from '../../contract/json/canonical.ts';
import { flatObjectText } from '../../contract/json/serialized.ts';
import { timestampOf, type Clock } from '../../system/clock.ts';
import { eventsDropped, type TraceEvent } from './event.ts';
import { traceOrder } from './reader/order.ts';
import { openTraceSpool, type TraceSpool } from './trace-spool.ts';

const SCHEMA_VERSION = 2;
const TYPE_PATTERN = /^[a-z][a-z0-9-]{0,127}$/;
/** Types counted by name when their events are lost (evidence.md §4). */
export const COUNTED_EVENT_TYPES = 16;
const OVERFLOW = '$overflow';
export const EVENT_COUNT_MAX = 4_294_967_295;
/** `events-dropped` and `run-stopped`. */
const RESERVED_EVENTS = 2;
/** What `since` gives in one go. */
const READ_BYTES = 1_048_576;

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
  /** Where its lines go; by default they stay in memory. */
  readonly spool?: TraceSpool;
}

/** An event as listeners get it. */
export interface ReportedEvent {
  readonly event: TraceEvent;
  /** Its place in the trace, from 1; null for one that the trace had no room for. */
  readonly sequence: number | null;
}

export type TraceListener = (reported: ReportedEvent) => void;

/** A line of the trace: canonical JSON without a line feed. */
export interface TraceLine {
  readonly sequence: number;
  readonly text: string;
}

/** A limit for which a trace lacks events. */
export interface EventLoss {
  readonly limit: 'normal_event_count' | 'normal_event_bytes' | 'event_payload_bytes';
  readonly value: number;
}

/** Names of events lost, with how many of each. */
export type DroppedCounts = Readonly<Record<string, number>>;

export type RecordOutcome = 'recorded' | 'dropped' | 'refused';

/**
 * `complete`: the terminal events are in and the trace is frozen. `lost`: they did not fit; there is no trace, and
 * the run's usage by call is unknown.
 */
export type FinalizeOutcome =
  /** `isReadable`: every rule of a reader is kept (evidence.md §5); what is not is never published. */
  { readonly status: 'complete'; readonly isReadable: boolean } | { readonly status: 'lost' };

/** The event sink of one run: bounded, ordered, frozen by `finalize` (evidence.md §2, §4). */
export interface TraceRecorder {
  /**
   * `dropped` takes no sequence number and is counted; `refused` (private runs, or after the end) means that the run
   * cannot go on with complete evidence.
   */
  record(event: TraceEvent): RecordOutcome;
  dropped(): DroppedCounts;
  /** The limit that kept the first lost event out; null where none was. */
  loss(): EventLoss | null;
  /**
   * Lines from a sequence on, oldest first: at least one if there is any, then as many as `mostBytes` hold or fewer;
   * further ones with another call. Empty where they can no longer be read, as after the end of the run. Anyone who
   * subscribes first and then reads from 1 on misses nothing and knows by the sequence what it has twice.
   */
  since(sequence: number, mostBytes?: number): Promise<readonly TraceLine[]>;
  /**
   * Reports every event from now on, until the trace is frozen or the returned function is called. A listener that
   * throws is reported nothing more: it is never part of the run.
   */
  subscribe(listener: TraceListener): () => void;
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

/** What must stay free behind an event. */
interface Reserve {
  readonly events: number;
  readonly bytes: number;
}

const NO_RESERVE: Reserve = { events: 0, bytes: 0 };

export function openTrace(options: TraceOptions): TraceRecorder {
  const { bounds, runId, traceId, eventClass, spool = openTraceSpool(null) } = options;
  const reserve =
    eventClass === 'normal' ? { events: RESERVED_EVENTS, bytes: terminalReserve(bounds, runId, traceId) } : NO_RESERVE;
  const lines = new BoundedLines(options, spool);
  const listeners = new TraceListeners();
  const counts = new Map<string, number>();
  let isFrozen = false;

  function append(event: TraceEvent, stored: Reserve): boolean {
    const sequence = lines.append(event, stored);
    listeners.report(event, sequence);
    return sequence !== null;
  }

  return {
    record: (event) => {
      if (isFrozen) return 'refused';
      if (append(event, reserve)) return 'recorded';
      if (eventClass === 'private') return 'refused';
      count(counts, event.type);
      return 'dropped';
    },
    dropped: () => Object.fromEntries(counts),
    loss: () => lines.loss(),
    since: async (sequence, mostBytes = READ_BYTES) => {
      const first = Math.max(1, sequence);
      const texts = await spool.read(first - 1, mostBytes);
      return texts.map((text, index) => ({ sequence: first + index, text }));
    },
    subscribe: (listener) => (isFrozen ? () => undefined : listeners.add(listener)),
    finalize: (stopped) => {
      if (isFrozen) return { status: 'lost' };
      isFrozen = true;
      const dropped = Object.fromEntries(counts);
      const terminal = [...(counts.size === 0 ? [] : [eventsDropped(dropped)]), stopped(dropped)];
      const areIn = terminal.every((event) => append(event, NO_RESERVE));
      listeners.clear();
      return areIn ? { status: 'complete', isReadable: lines.isReadable() } : { status: 'lost' };
    },
  };
}

/** The lines of a trace as they are numbered and written, within its bounds. */
class BoundedLines {
  readonly #options: TraceOptions;
  readonly #spool: TraceSpool;
  readonly #startedAt: { readonly wall: number; readonly monotonic: number };
  readonly #order = traceOrder();
  #recorded = 0;
  #bytes = 0;
  #isReadable = true;
  #loss: EventLoss | null = null;

  constructor(options: TraceOptions, spool: TraceSpool) {
    this.#options = options;
    this.#spool = spool;
    this.#startedAt = { wall: options.clock.wall(), monotonic: options.clock.monotonic() };
  }

  /** Its sequence; null for an event that there is no room for, `stored` left free. */
  append(event: TraceEvent, stored: Reserve): number | null {
    if (!TYPE_PATTERN.test(event.type)) return null;
    const { bounds, runId, traceId } = this.#options;
    const data = flatObjectText(event.data);
    if (byteLength(data) > bounds.payloadBytes) return this.#lose('event_payload_bytes', bounds.payloadBytes);
    const timestamp = this.#timestamp();
    const sequence = this.#recorded + 1;
    const line = encodeLine({ runId, traceId, sequence, timestamp, type: event.type, data });
    const size = byteLength(line);
    if (sequence + stored.events > bounds.eventCount) return this.#lose('normal_event_count', bounds.eventCount);
    if (this.#bytes + size + stored.bytes > bounds.eventBytes)
      return this.#lose('normal_event_bytes', bounds.eventBytes);
    this.#spool.append(line);
    this.#recorded = sequence;
    this.#bytes += size;
    this.#isReadable &&=
      this.#order.accept({ runId, traceId, sequence, timestamp, type: event.type, data: event.data }) === null;
    return sequence;
  }

  /** Whether the lines keep every rule of a reader. */
  isReadable(): boolean {
    return this.#isReadable;
  }

  /** The limit that kept the first event out; null where none was. */
  loss(): EventLoss | null {
    return this.#loss;
  }

  #lose(limit: EventLoss['limit'], value: number): null {
    this.#loss ??= { limit, value };
    return null;
  }

  #timestamp(): string {
    const { wall, monotonic } = this.#startedAt;
    return timestampOf(wall + (this.#options.clock.monotonic() - monotonic));
  }
}

/** Those who follow a trace. */
class TraceListeners {
  readonly #listeners = new Set<TraceListener>();

  /** Until the returned function is called. */
  add(listener: TraceListener): () => void {
    // Each subscription is one of its own, no matter who listens.
    const own: TraceListener = (reported) => listener(reported);
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
    };
  }

  report(event: TraceEvent, sequence: number | null): void {
    for (const listener of this.#listeners) {
      try {
        listener({ event, sequence });
      } catch {
        this.#listeners.delete(listener);
      }
    }
  }

  clear(): void {
    this.#listeners.clear();
  }
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

/** Canonical JSON of one event: its members by name, of which the data is a text already. */
function encodeLine({ runId, traceId, sequence, timestamp, type, data }: Line): string {
  const members = [
    `"run_id":${canonicalString(runId)}`,
    `"schema_version":${SCHEMA_VERSION}`,
    `"sequence":${canonicalInteger(sequence)}`,
    `"timestamp":${canonicalString(timestamp)}`,
    `"trace_id":${canonicalString(traceId)}`,
    `"type":${canonicalString(type)}`,
  ];
  return `{"data":${data},${members.join(',')}}\n`;
}

function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}
