import { createHash } from 'node:crypto';
import { doPaced, SLICE_UNITS } from '../../../contract/json/paced.ts';
import { SerializedJson } from '../../../contract/json/serialized.ts';
import type { JsonObject } from '../../../contract/json/value.ts';
import { timestampOf, type Clock } from '../../../system/clock.ts';
import { appendRecord, beginContainer, sealContainer, type ContainerState, type ContainerStep } from './container.ts';
import { slicedRecord, slicedUpdate } from './long-record.ts';

const RECORD_VERSION = 10;

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
  const digest = createHash('sha256');
  const header = beginContainer({ runId, traceId, created: now() });
  digest.update(header.line);
  if (!(await file.write(header.line))) return null;
  let state: ContainerState = header.state;
  let ended: Exclude<CaptureOutcome, 'recorded'> | null = null;

  /**
   * A record that is being written in several turns of the event loop; those that come meanwhile wait until it has its
   * place.
   */
  let long: Promise<Uint8Array | null> | null = null;

  /** Whether the bounds admit a record; beyond them the capture ends. */
  const admits = (step: ContainerStep): boolean => {
    const isWithin =
      step.line.length <= bounds.recordBytes &&
      step.state.evidenceBytes <= bounds.evidenceBytes &&
      step.state.records <= bounds.records;
    if (!isWithin) ended = 'limit';
    return isWithin;
  };

  /** Gives a record its place; null where it is beyond a bound. */
  const take = (text: string): Uint8Array | null => {
    const step = appendRecord(state, text);
    if (!admits(step)) return null;
    digest.update(step.line);
    state = step.state;
    return step.line;
  };

  const takeLong = async (writing: string | Promise<string>): Promise<Uint8Array | null> => {
    try {
      const step = await doPaced(slicedRecord(state, await writing));
      if (!admits(step)) return null;
      await doPaced(slicedUpdate(digest, step.line));
      state = step.state;
      return step.line;
    } finally {
      long = null;
    }
  };

  const append = async (record: InspectionRecord): Promise<CaptureOutcome> => {
    const writing = recordLine({ runId, traceId, sequence: state.records + 1, timestamp: now(), record }).text();
    const isShort = typeof writing === 'string' && writing.length <= SLICE_UNITS;
    if (!isShort) long = takeLong(writing);
    const line = isShort ? take(writing) : await long;
    if (line === null) return 'limit';
    return (await file.write(line)) ? 'recorded' : 'unavailable';
  };

  return {
    record: async (record) => {
      for (let before = long; before !== null; before = long) await before;
      if (ended !== null) return ended;
      const outcome = await append(record);
      if (outcome !== 'recorded') ended = outcome;
      return outcome;
    },
    seal: async () => {
      for (let before = long; before !== null; before = long) await before;
      const sealed =
        ended ?? ((await file.write(sealContainer(state, digest.digest('hex')))) ? 'sealed' : 'unavailable');
      const isPermanent = await file.sync();
      ended = sealed === 'limit' ? 'limit' : 'unavailable';
      return sealed === 'sealed' && !isPermanent ? 'unavailable' : sealed;
    },
  };
}

interface Line {
  readonly runId: string;
  readonly traceId: string;
  readonly sequence: number;
  readonly timestamp: string;
  readonly record: InspectionRecord;
}

function recordLine({ runId, traceId, sequence, timestamp, record }: Line): SerializedJson {
  return SerializedJson.object([
    ['schema_version', RECORD_VERSION],
    ['run_id', runId],
    ['trace_id', traceId],
    ['sequence', sequence],
    ['timestamp', timestamp],
    ['record_type', record.type],
    ['correlation', SerializedJson.object(record.correlation)],
    ['payload', record.payload],
  ]);
}
