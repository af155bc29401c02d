import { createHash } from 'node:crypto';
import { doPaced } from '../../../contract/json/paced.ts';
import { SerializedJson } from '../../../contract/json/serialized.ts';
import type { JsonObject } from '../../../contract/json/value.ts';
import { EVENT_LOOP_PACE } from '../../../system/event-loop-pace.ts';
import { timestampOf, type Clock } from '../../../system/clock.ts';
import {
  appendRecord,
  APPROVAL_RECORDS,
  APPROVALS_VERSION,
  beginContainer,
  INSPECTION_VERSION,
  sealContainer,
  type ContainerState,
  type ContainerStep,
  type InspectionVersion,
} from './container.ts';
import { slicedRecord, slicedUpdate } from './long-record.ts';
import { raiseVersion } from './raise-version.ts';

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
  let digest = createHash('sha256').update(header.line);
  if (!(await file.write(header.line))) return null;
  let state: ContainerState = header.state;
  let version: InspectionVersion = INSPECTION_VERSION;
  /** What is on its way into the file. */
  const unwritten = new Set<Promise<boolean>>();
  let ended: Exclude<CaptureOutcome, 'recorded'> | null = null;

  /**
   * A record that is being written in several turns of the event loop, or all that are being written again; those that
   * come meanwhile wait until it has its place.
   */
  let long: Promise<unknown> | null = null;

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
      const step = await doPaced(slicedRecord(state, await writing), EVENT_LOOP_PACE);
      if (!admits(step)) return null;
      await doPaced(slicedUpdate(digest, step.line), EVENT_LOOP_PACE);
      state = step.state;
      return step.line;
    } finally {
      long = null;
    }
  };

  /** Only files with records that earlier readers do not know have the version that these refuse. */
  const raise = async (): Promise<boolean> => {
    try {
      await Promise.all(unwritten);
      const raised = await raiseVersion(file, identity, header.line.length + state.evidenceBytes);
      if (raised === null) return false;
      ({ state, digest } = raised);
      version = APPROVALS_VERSION;
      return true;
    } finally {
      long = null;
    }
  };

  const append = async (record: InspectionRecord): Promise<CaptureOutcome> => {
    const line = recordLine({ version, runId, traceId, sequence: state.records + 1, timestamp: now(), record });
    const writing = line.text(EVENT_LOOP_PACE);
    const isShort = typeof writing === 'string' && writing.length <= EVENT_LOOP_PACE.units;
    if (isShort) return write(take(writing));
    const taking = takeLong(writing);
    long = taking;
    return write(await taking);
  };

  const write = async (line: Uint8Array | null): Promise<CaptureOutcome> => {
    if (line === null) return 'limit';
    const writing = file.write(line);
    unwritten.add(writing);
    const isWritten = await writing;
    unwritten.delete(writing);
    return isWritten ? 'recorded' : 'unavailable';
  };

  return {
    record: async (record) => {
      for (let before = long; before !== null; before = long) await before;
      if (ended === null && version !== APPROVALS_VERSION && APPROVAL_RECORDS.has(record.type)) {
        const raising = raise();
        long = raising;
        if (!(await raising)) ended ??= 'unavailable';
        for (let before = long; before !== null; before = long) await before;
      }
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
