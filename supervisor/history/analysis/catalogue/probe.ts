import type { Result } from '../../../../contract/outcome.ts';
import { sha256Hex } from '../../../documents/digest.ts';
import { HEADER_BYTES, isInspectionVersion, SEAL_BYTES } from '../../../evidence/inspection/container.ts';
import { inspectionHeader } from '../../../evidence/inspection/scan.ts';
import { readLine, type TraceRecord } from '../../../evidence/reader/line.ts';
import type { JsonObject } from '../../../../contract/json/value.ts';
import { isSameFile, type EvidenceFiles } from '../files/evidence-files.ts';
import type { Entry } from '../files/directory.ts';
import { findNumber, objectOf, findText } from '../members.ts';

/** Bytes at each end of a trace that a catalogue looks at (evidence.md §8). */
const END_BYTES = 65_536;

/** What keeps a file from saying anything of its run. */
export type ProbeFault = 'unstable_entry' | 'malformed_metadata' | 'unsupported_schema';

/** What the ends of a trace say. */
export interface TraceProbe {
  readonly runId: string;
  readonly traceId: string;
  readonly start: string;
  /** Data of `run-started`. */
  readonly started: JsonObject;
  /** The last event; null of a run that has not stopped. */
  readonly stopped: TraceRecord | null;
  /** Of name, size and what was looked at. */
  readonly digest: string;
}

/** What header and seal of an inspection say: not that they are true. */
export interface InspectionProbe {
  readonly runId: string;
  readonly traceId: string;
  readonly schemaVersion: number;
  readonly records: number;
  readonly digest: string;
}

export type Probed<T> = Result<T, ProbeFault>;

/** The first and the last event of a trace. */
export async function probeTrace(files: EvidenceFiles, entry: Entry): Promise<Probed<TraceProbe>> {
  const ends = await readEnds(files, entry, END_BYTES, END_BYTES);
  if (ends === null) return { ok: false, fault: 'unstable_entry' };
  const { head, tail, digest } = ends;
  const first = head.indexOf(0x0a);
  if (first < 0 || tail.at(-1) !== 0x0a) return MALFORMED;
  const lastStart = tail.subarray(0, -1).lastIndexOf(0x0a) + 1;
  // A last line that is longer than what is looked at says nothing.
  if (lastStart === 0 && entry.facts.size > BigInt(tail.length)) return MALFORMED;
  const started = readLine(head.subarray(0, first));
  const last = readLine(tail.subarray(lastStart, -1));
  if (!started.ok || !last.ok)
    return {
      ok: false,
      fault: [started, last].some((line) => !line.ok && line.fault.reason === 'unsupported_version')
        ? 'unsupported_schema'
        : 'malformed_metadata',
    };
  const { runId, traceId, timestamp, type, data } = started.record;
  if (type !== 'run-started' || last.record.runId !== runId || last.record.traceId !== traceId) return MALFORMED;
  return {
    ok: true,
    value: {
      runId,
      traceId,
      start: timestamp,
      started: data,
      stopped: last.record.type === 'run-stopped' ? last.record : null,
      digest,
    },
  };
}

const MALFORMED = { ok: false, fault: 'malformed_metadata' } as const;

/** Header and seal of an inspection; nothing between them is read. */
export async function probeInspection(files: EvidenceFiles, entry: Entry): Promise<Probed<InspectionProbe>> {
  const ends = await readEnds(files, entry, HEADER_BYTES, SEAL_BYTES);
  if (ends === null) return { ok: false, fault: 'unstable_entry' };
  const { head, tail, digest } = ends;
  const end = head.indexOf(0x0a);
  if (end < 0 || tail.length !== SEAL_BYTES || tail.at(-1) !== 0x0a) return MALFORMED;
  const header = inspectionHeader(head.subarray(0, end));
  const seal = objectOf(inspectionHeader(tail.subarray(0, -1)) ?? undefined, 'seal');
  const schemaVersion = findNumber(header ?? undefined, 'schema_version');
  if (header?.get('format') !== 'svcins' || schemaVersion === undefined) return MALFORMED;
  if (!isInspectionVersion(schemaVersion)) return { ok: false, fault: 'unsupported_schema' };
  const [runId, traceId, records] = [
    findText(header, 'run_id'),
    findText(header, 'trace_id'),
    findNumber(seal, 'records'),
  ];
  if (runId === undefined || traceId === undefined || records === undefined) return MALFORMED;
  return { ok: true, value: { runId, traceId, schemaVersion, records, digest } };
}

interface Ends {
  readonly head: Buffer;
  readonly tail: Buffer;
  readonly digest: string;
}

/** Null where it is no regular file, cannot be read, or is not what was listed. */
async function readEnds(
  files: EvidenceFiles,
  { name, path, facts }: Entry,
  headBytes: number,
  tailBytes: number,
): Promise<Ends | null> {
  if (facts.kind !== 'file') return null;
  const file = await files.open(path);
  if (file === null) return null;
  try {
    const size = Number(facts.size);
    if (!isSameFile(facts, await file.facts())) return null;
    const head = await file.read(0, Math.min(headBytes, size));
    const tailStart = Math.max(0, size - tailBytes);
    const tail = await file.read(tailStart, size - tailStart);
    if (head === null || tail === null || !isSameFile(facts, await file.facts())) return null;
    return { head, tail, digest: sha256Hex(`${name}\n${size}\n${sha256Hex(head)}\n${sha256Hex(tail)}\n`) };
  } finally {
    await file.close();
  }
}
