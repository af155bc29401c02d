import { EVENT_LOOP_PACE } from '../../../system/event-loop-pace.ts';
import { SerializedJson } from '../../../contract/json/serialized.ts';
import type { JsonObject } from '../../../contract/json/value.ts';
import { timestampOf, type Clock } from '../../../system/clock.ts';
import { BoundedContainer } from './bounded-container.ts';
import { APPROVAL_RECORDS, APPROVALS_VERSION, beginContainer, type InspectionVersion } from './container.ts';

/** evidence.md §6, bounds of one run. */
export const INSPECTION_BOUNDS = { evidenceBytes: 128_000_000, records: 65_536, recordBytes: 20_000_000 } as const;

export type InspectionBounds = Readonly<Record<keyof typeof INSPECTION_BOUNDS, number>>;

export interface InspectionRecord {
  readonly type: string;
  readonly correlation: JsonObject;
  readonly payload: SerializedJson<JsonObject>;
}

/** Where the bytes go, in order; false when they could not be written. */
export interface InspectionSink {
  write(bytes: Uint8Array): Promise<boolean>;
  /** Bytes that were written before; null where they cannot be read. */
  read(position: number, length: number): Promise<Uint8Array | null>;
  /** Puts bytes in the place of some that were written. */
  overwrite(position: number, bytes: Uint8Array): Promise<boolean>;
  /** Makes all written bytes permanent. */
  sync(): Promise<boolean>;
}

/**
 * `limit`: beyond a bound; `unavailable`: the file is lost. Either ends the capture: the next records answer the same.
 */
export type CaptureOutcome = 'recorded' | 'limit' | 'unavailable';

/** The private evidence of one run, streamed as it happens and worth nothing before its seal (evidence.md §6). */
export interface InspectionWriter {
  record(record: InspectionRecord): Promise<CaptureOutcome>;
  seal(): Promise<'sealed' | 'limit' | 'unavailable'>;
}

export interface InspectionOptions {
  readonly file: InspectionSink;
  readonly runId: string;
  readonly traceId: string;
  readonly clock: Clock;
  readonly bounds: InspectionBounds;
}

/** Null when not even the header could be written. */
export async function openInspection({
  file,
  runId,
  traceId,
  clock,
  bounds,
}: InspectionOptions): Promise<InspectionWriter | null> {
  const startedAt = { wall: clock.wall(), monotonic: clock.monotonic() };
  const now = (): string => timestampOf(startedAt.wall + (clock.monotonic() - startedAt.monotonic));
  const identity = { runId, traceId, created: now() };
  const header = beginContainer(identity);
  if (!(await file.write(header.line))) return null;
  return new StreamingWriter(file, new BoundedContainer(identity, header, bounds), now);
}

/** Writes the lines of a container in the order in which its records come. */
class StreamingWriter implements InspectionWriter {
  readonly #file: InspectionSink;
  readonly #container: BoundedContainer;
  readonly #now: () => string;
  /** What is on its way into the file. */
  readonly #unwritten = new Set<Promise<boolean>>();
  #ended: Exclude<CaptureOutcome, 'recorded'> | null = null;
  /**
   * A record that is being written in several turns of the event loop, or all that are being written again; those that
   * come meanwhile wait until it has its place.
   */
  #long: Promise<unknown> | null = null;

  constructor(file: InspectionSink, container: BoundedContainer, now: () => string) {
    this.#file = file;
    this.#container = container;
    this.#now = now;
  }

  async record(record: InspectionRecord): Promise<CaptureOutcome> {
    while (this.#long !== null) await this.#long;
    if (this.#mustRaise(record)) {
      this.#long = this.#raise();
      // Those that came meanwhile may have long records of their own.
      while (this.#long !== null) await this.#long;
    }
    if (this.#ended !== null) return this.#ended;
    const outcome = await this.#append(record);
    if (outcome !== 'recorded') this.#ended = outcome;
    return outcome;
  }

  async seal(): Promise<'sealed' | 'limit' | 'unavailable'> {
    while (this.#long !== null) await this.#long;
    const sealed = this.#ended ?? ((await this.#file.write(this.#container.seal())) ? 'sealed' : 'unavailable');
    const isPermanent = await this.#file.sync();
    this.#ended = sealed === 'limit' ? 'limit' : 'unavailable';
    return sealed === 'sealed' && !isPermanent ? 'unavailable' : sealed;
  }

  /** Only files with records that earlier readers do not know have the version that these refuse. */
  #mustRaise({ type }: InspectionRecord): boolean {
    return this.#ended === null && this.#container.version() !== APPROVALS_VERSION && APPROVAL_RECORDS.has(type);
  }

  async #raise(): Promise<void> {
    try {
      await Promise.all(this.#unwritten);
      if (!(await this.#container.raise(this.#file))) this.#ended ??= 'unavailable';
    } finally {
      this.#long = null;
    }
  }

  async #append(record: InspectionRecord): Promise<CaptureOutcome> {
    const { runId, traceId } = this.#container.identity;
    const version = this.#container.version();
    const sequence = this.#container.records() + 1;
    const text = recordLine({ version, runId, traceId, sequence, timestamp: this.#now(), record }).text(
      EVENT_LOOP_PACE,
    );
    if (typeof text === 'string' && text.length <= EVENT_LOOP_PACE.units)
      return this.#write(this.#container.take(text));
    const taking = this.#takeLong(text);
    this.#long = taking;
    return this.#write(await taking);
  }

  async #takeLong(text: string | Promise<string>): Promise<Uint8Array | null> {
    try {
      const line = await this.#container.takeLong(await text);
      // Those that wait find the capture over.
      if (line === null) this.#ended = 'limit';
      return line;
    } finally {
      this.#long = null;
    }
  }

  /** A line that is null is beyond a bound: the capture ends. */
  async #write(line: Uint8Array | null): Promise<CaptureOutcome> {
    if (line === null) {
      this.#ended = 'limit';
      return 'limit';
    }
    const writing = this.#file.write(line);
    this.#unwritten.add(writing);
    const isWritten = await writing;
    this.#unwritten.delete(writing);
    return isWritten ? 'recorded' : 'unavailable';
  }
}

interface Line {
  readonly version: InspectionVersion;
  readonly runId: string;
  readonly traceId: string;
  readonly sequence: number;
  readonly timestamp: string;
  readonly record: InspectionRecord;
}

function recordLine({ version, runId, traceId, sequence, timestamp, record }: Line): SerializedJson {
  return SerializedJson.object([
    ['schema_version', version],
    ['run_id', runId],
    ['trace_id', traceId],
    ['sequence', sequence],
    ['timestamp', timestamp],
    ['record_type', record.type],
    ['correlation', SerializedJson.object(record.correlation)],
    ['payload', record.payload],
  ]);
}
