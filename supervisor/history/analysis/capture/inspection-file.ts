import { createHash } from 'node:crypto';
import type { JsonObject } from '../../../../contract/json/value.ts';
import { inspectionHeader, inspectionObject, inspectionScan } from '../../../evidence/inspection/scan.ts';
import { HEADER_BYTES, isInspectionVersion } from '../../../evidence/inspection/container.ts';
import { RECORD_HEAD_BYTES } from '../../../evidence/inspection/proven-prefix.ts';
import { INSPECTION_BOUNDS } from '../../../evidence/inspection/writer.ts';
import { answer, refuseQuery, type Answer } from '../answer.ts';
import type { CaptureTime } from '../files/capture-time.ts';
import { isSameFile, type FileFacts, type OpenEvidence } from '../files/evidence-files.ts';
import type { Pace } from '../files/pace.ts';
import { findText } from '../members.ts';
import { indexBytes, proofOf, recordEntry, type RecordEntry, type RecordPlace } from './record-entry.ts';

/** Records that one capture indexes, and bytes of what is kept of them (evidence.md §6, "Reader"). */
export const INDEX_BOUNDS = { mostRecords: 1_000_000, mostIndexBytes: 128_000_000 } as const;

const CHUNK_BYTES = 1_048_576;
/** A record's line, or the seal's. */
const LINE_BYTES = INSPECTION_BOUNDS.recordBytes + HEADER_BYTES;

/** One inspection file, proven from its header to its seal. Its payloads stay in the file, which stays open. */
export interface ProvenInspection {
  readonly runId: string;
  readonly traceId: string;
  readonly schemaVersion: number;
  readonly entries: readonly RecordEntry[];
  /** What the entries take. */
  readonly indexBytes: number;
  /** SHA-256 of the whole file, 64 hex digits. */
  readonly digest: string;
  readonly bytes: number;
  /** The whole record again, proven again; `source_changed` where the file is no longer what was captured. */
  record(entry: RecordEntry): Promise<Answer<JsonObject>>;
  close(): Promise<void>;
}

export interface InspectionFileRequest {
  readonly file: OpenEvidence;
  readonly facts: FileFacts;
  /** Records that may still be indexed. */
  readonly mostRecords: number;
  /** What their entries may still take. */
  readonly mostIndexBytes: number;
  readonly pace: Pace;
  readonly time: CaptureTime;
}

/**
 * `malformed_source` of a file that its own chain and seal do not prove, `unsupported_version` of one that later
 * releases write. Does not close the file, whatever comes of it.
 */
export async function readInspectionFile({
  file,
  facts,
  mostRecords,
  mostIndexBytes,
  pace,
  time,
}: InspectionFileRequest): Promise<Answer<ProvenInspection>> {
  if (!isSameFile(facts, await file.facts())) return refuseQuery('source_changed');
  const size = Number(facts.size);
  const digest = createHash('sha256');
  const scan = inspectionScan();
  const entries: RecordEntry[] = [];
  let ids: FileIdentity | null = null;
  let isSealed = false;
  /** The beginning of a line whose end is in a later chunk: put together once. */
  let held: Buffer[] = [];
  let heldBytes = 0;
  let lineStart = 0;
  let indexed = 0;

  for (let position = 0; position < size; position += CHUNK_BYTES) {
    const chunk = await file.read(position, Math.min(CHUNK_BYTES, size - position));
    if (chunk?.length !== Math.min(CHUNK_BYTES, size - position)) return refuseQuery('source_changed');
    digest.update(chunk);
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
      const part = chunk.subarray(start, end);
      const line = held.length === 0 ? part : Buffer.concat([...held, part]);
      [held, heldBytes] = [[], 0];
      if (isSealed) return refuseQuery('malformed_source');
      const scanned = await scan.line(line);
      if (scanned.kind === 'broken') return refuseQuery('malformed_source');
      if (scanned.kind === 'header') {
        const identity = identityOf(line);
        if (!identity.ok) return identity;
        ids = identity.value;
      }
      if (ids === null) return refuseQuery('malformed_source');
      if (scanned.kind === 'sealed') isSealed = true;
      if (scanned.kind === 'record') {
        if (entries.length === mostRecords) return refuseQuery('source_limit_exceeded');
        const record = await inspectionObject(scanned.record);
        const entry =
          record === null
            ? null
            : await recordEntry(record, scanned.record, {
                ...ids,
                sequence: entries.length + 1,
                offset: lineStart + RECORD_HEAD_BYTES,
              });
        if (entry === null) return refuseQuery('malformed_source');
        entries.push(entry);
        indexed += indexBytes(entry);
        if (indexed > mostIndexBytes) return refuseQuery('source_limit_exceeded');
      }
      lineStart += line.length + 1;
      start = end + 1;
      if (time.isOver()) return refuseQuery('source_unavailable');
      await pace();
    }
    if (start < chunk.length) held.push(chunk.subarray(start));
    heldBytes += chunk.length - start;
    if (heldBytes > LINE_BYTES) return refuseQuery('malformed_source');
  }
  if (!isSealed || heldBytes > 0 || ids === null) return refuseQuery('malformed_source');
  if (!isSameFile(facts, await file.facts())) return refuseQuery('source_changed');
  const { runId, traceId, version } = ids;
  const record = async (entry: RecordEntry): Promise<Answer<JsonObject>> => {
    const bytes = await file.read(entry.offset, entry.length);
    if (bytes?.length !== entry.length || !(await proofOf(bytes)).equals(entry.proof))
      return refuseQuery('source_changed');
    const read = await inspectionObject(bytes);
    return read === null ? refuseQuery('source_changed') : answer(read);
  };
  return answer({
    runId,
    traceId,
    schemaVersion: version,
    entries,
    indexBytes: indexed,
    digest: digest.digest('hex'),
    bytes: size,
    record,
    close: async () => file.close(),
  });
}

type FileIdentity = Pick<RecordPlace, 'runId' | 'traceId' | 'version'>;

function identityOf(line: Buffer): Answer<FileIdentity> {
  const header = inspectionHeader(line);
  const runId = findText(header ?? undefined, 'run_id');
  const traceId = findText(header ?? undefined, 'trace_id');
  const version = header?.get('schema_version');
  if (runId === undefined || traceId === undefined) return refuseQuery('malformed_source');
  if (isInspectionVersion(version)) return answer({ runId, traceId, version });
  return refuseQuery(Number.isSafeInteger(version) ? 'unsupported_version' : 'malformed_source');
}
