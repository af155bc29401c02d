import { createHash } from 'node:crypto';
import type { JsonObject } from '../../../../contract/json/value.ts';
import { inspectionHeader, inspectionObject, inspectionScan } from '../../../evidence/inspection/scan.ts';
import { HEADER_BYTES, isInspectionVersion } from '../../../evidence/inspection/container.ts';
import { RECORD_HEAD_BYTES } from '../../../evidence/inspection/proven-prefix.ts';
import { INSPECTION_BOUNDS } from '../../../evidence/inspection/writer.ts';
import { answer, refuseQuery, type AnalysisFault, type Answer } from '../answer.ts';
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
  const lines = new JoinedLines();
  const index = new RecordIndex({ mostRecords, mostIndexBytes });
  for (let position = 0; position < size; position += CHUNK_BYTES) {
    const chunk = await file.read(position, Math.min(CHUNK_BYTES, size - position));
    if (chunk?.length !== Math.min(CHUNK_BYTES, size - position)) return refuseQuery('source_changed');
    digest.update(chunk);
    for (const line of lines.endedBy(chunk)) {
      const fault = await index.take(line);
      if (fault !== null) return refuseQuery(fault);
      if (time.isOver()) return refuseQuery('source_unavailable');
      await pace();
    }
    if (lines.bufferedBytes() > LINE_BYTES) return refuseQuery('malformed_source');
  }
  const sealed = lines.bufferedBytes() > 0 ? null : index.sealed();
  if (sealed === null) return refuseQuery('malformed_source');
  if (!isSameFile(facts, await file.facts())) return refuseQuery('source_changed');
  return answer({
    ...sealed,
    digest: digest.digest('hex'),
    bytes: size,
    record: async (entry) => readRecord(file, entry),
    close: async () => file.close(),
  });
}

async function readRecord(file: OpenEvidence, entry: RecordEntry): Promise<Answer<JsonObject>> {
  const bytes = await file.read(entry.offset, entry.length);
  if (bytes?.length !== entry.length || !(await proofOf(bytes)).equals(entry.proof))
    return refuseQuery('source_changed');
  const read = await inspectionObject(bytes);
  return read === null ? refuseQuery('source_changed') : answer(read);
}

/** The lines of a file that is read in chunks. */
class JoinedLines {
  /** The beginning of a line whose end is in a later chunk: put together once. */
  #buffered: Buffer[] = [];
  #bufferedBytes = 0;

  /** Those that end in this chunk, without their line feeds. */
  *endedBy(chunk: Buffer): Generator<Buffer, void> {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
      const part = chunk.subarray(start, end);
      const line = this.#buffered.length === 0 ? part : Buffer.concat([...this.#buffered, part]);
      [this.#buffered, this.#bufferedBytes] = [[], 0];
      start = end + 1;
      yield line;
    }
    if (start < chunk.length) this.#buffered.push(chunk.subarray(start));
    this.#bufferedBytes += chunk.length - start;
  }

  /** Bytes behind the last line feed. */
  bufferedBytes(): number {
    return this.#bufferedBytes;
  }
}

/** Proves the lines of a file one after the other, and keeps what finds their records again. */
class RecordIndex {
  readonly #bounds: Pick<InspectionFileRequest, 'mostRecords' | 'mostIndexBytes'>;
  readonly #scan = inspectionScan();
  readonly #entries: RecordEntry[] = [];
  #identity: FileIdentity | null = null;
  #isSealed = false;
  #lineStart = 0;
  #indexBytes = 0;

  constructor(bounds: Pick<InspectionFileRequest, 'mostRecords' | 'mostIndexBytes'>) {
    this.#bounds = bounds;
  }

  /** Why the next line makes the file unreadable; null: it does not. */
  async take(line: Buffer): Promise<AnalysisFault | null> {
    if (this.#isSealed) return 'malformed_source';
    const scanned = await this.#scan.line(line);
    if (scanned.kind === 'broken') return 'malformed_source';
    if (scanned.kind === 'header') {
      const identity = identityOf(line);
      if (!identity.ok) return identity.fault;
      this.#identity = identity.value;
    }
    if (this.#identity === null) return 'malformed_source';
    if (scanned.kind === 'sealed') this.#isSealed = true;
    const fault = scanned.kind === 'record' ? await this.#keep(scanned.record, this.#identity) : null;
    this.#lineStart += line.length + 1;
    return fault;
  }

  /** What the whole file is; null where its seal did not come. */
  sealed(): Pick<ProvenInspection, 'runId' | 'traceId' | 'schemaVersion' | 'entries' | 'indexBytes'> | null {
    if (!this.#isSealed || this.#identity === null) return null;
    const { runId, traceId, version: schemaVersion } = this.#identity;
    return { runId, traceId, schemaVersion, entries: this.#entries, indexBytes: this.#indexBytes };
  }

  async #keep(bytes: Buffer, identity: FileIdentity): Promise<AnalysisFault | null> {
    if (this.#entries.length === this.#bounds.mostRecords) return 'source_limit_exceeded';
    const record = await inspectionObject(bytes);
    const sequence = this.#entries.length + 1;
    const place = { ...identity, sequence, offset: this.#lineStart + RECORD_HEAD_BYTES };
    const entry = record === null ? null : await recordEntry(record, bytes, place);
    if (entry === null) return 'malformed_source';
    this.#entries.push(entry);
    this.#indexBytes += indexBytes(entry);
    return this.#indexBytes > this.#bounds.mostIndexBytes ? 'source_limit_exceeded' : null;
  }
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
