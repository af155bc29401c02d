import { jsonDigest, type Digest } from '../../../documents/digest.ts';
import { answer, refuseQuery, type Answer } from '../answer.ts';
import { captureTime, type CaptureTime } from '../files/capture-time.ts';
import { listInventory, type Entry } from '../files/directory.ts';
import { isSameFile, type EvidenceFiles } from '../files/evidence-files.ts';
import { paced } from '../files/pace.ts';
import { correlates } from './correlate.ts';
import {
  INDEX_BOUNDS,
  readInspectionFile,
  type ProvenInspection,
  type InspectionFileRequest,
} from './inspection-file.ts';
import { isolate, type IsolatedComponent, type IsolationReason, type SuspectFile } from './isolation.ts';
import type { TraceCapture } from './traces.ts';

/**
 * The inspection files of a directory, held to the traces of the same runs. Holds the admitted ones open until it is
 * closed.
 */
export interface InspectionCapture {
  /** By run id; each belongs to a captured trace. */
  readonly inspections: ReadonlyMap<string, ProvenInspection>;
  readonly isolated: readonly IsolatedComponent[];
  readonly snapshotHash: Digest;
  readonly files: number;
  readonly bytes: number;
  close(): Promise<void>;
}

export interface InspectionRequest {
  readonly files: EvidenceFiles;
  /** Absolute. */
  readonly directory: string;
  /** At most 1024. */
  readonly mostFiles: number;
  /** Bytes of all files together, at most 536,871,120. */
  readonly sourceBytes: number;
  readonly traces: TraceCapture;
  /** Absent: it begins now. */
  readonly time?: CaptureTime;
}

const SUFFIX = '.svcins';

interface ReadMember extends SuspectFile {
  readonly name: string;
  readonly inspection: ProvenInspection | null;
}

export async function captureInspections(request: InspectionRequest): Promise<Answer<InspectionCapture>> {
  const opened: ProvenInspection[] = [];
  const captured = await capture(request, opened);
  if (!captured.ok) await closeAll(opened);
  return captured;
}

/** Whatever is open when it ends is in `opened`. */
async function capture(
  { files, directory, mostFiles, sourceBytes, traces, time = captureTime() }: InspectionRequest,
  opened: ProvenInspection[],
): Promise<Answer<InspectionCapture>> {
  const inventory = await listInventory({
    files,
    directory,
    choose: (name) => (name.endsWith(SUFFIX) ? 'take' : 'ignore'),
    mostNames: mostFiles,
    time,
  });
  if (!inventory.ok) return inventory;
  const { entries, isUnchanged } = inventory.value;
  const bytes = entries.reduce((all, { facts }) => all + (facts.kind === 'file' ? facts.size : 0n), 0n);
  if (bytes > BigInt(sourceBytes)) return refuseQuery('source_limit_exceeded');
  const pace = paced();
  const read: ReadMember[] = [];
  for (const entry of entries) {
    const records = opened.reduce((all, { entries: own }) => all + own.length, 0);
    const indexed = opened.reduce((all, { indexBytes }) => all + indexBytes, 0);
    const member = await readMember(files, entry, {
      mostRecords: INDEX_BOUNDS.mostRecords - records,
      mostIndexBytes: INDEX_BOUNDS.mostIndexBytes - indexed,
      pace,
      time,
      traces,
    });
    if (!member.ok) return member;
    if (member.value.inspection !== null) opened.push(member.value.inspection);
    read.push(member.value);
  }
  if (!(await isUnchanged())) return refuseQuery('source_changed');
  const { admitted, components } = isolate(read);
  const inspections = new Map(
    admitted.flatMap(({ inspection }) => (inspection === null ? [] : [[inspection.runId, inspection] as const])),
  );
  return answer({
    inspections,
    isolated: components,
    snapshotHash: jsonDigest([
      'svc.inspections.v1',
      traces.snapshotHash,
      read.map(({ name, inspection }) => [name, inspection?.digest ?? null]),
    ]),
    files: entries.length,
    bytes: Number(bytes),
    close: async () => closeAll(opened),
  });
}

interface MemberTools extends Omit<InspectionFileRequest, 'file' | 'facts'> {
  readonly traces: TraceCapture;
}

async function readMember(
  files: EvidenceFiles,
  { name, path, facts }: Entry,
  { traces, ...bounds }: MemberTools,
): Promise<Answer<ReadMember>> {
  const stem = name.slice(0, -SUFFIX.length);
  const aside = (reason: IsolationReason): Answer<ReadMember> =>
    answer({ name, reason, inspection: null, runIds: new Set([stem]), traceIds: new Set() });
  if (facts.kind !== 'file') return aside('unstable_entry');
  const file = await files.open(path);
  if (file === null)
    return isSameFile(facts, await files.facts(path)) ? aside('unstable_entry') : refuseQuery('source_changed');
  const inspection = await readInspectionFile({ file, facts, ...bounds });
  if (!inspection.ok) {
    await file.close();
    const { fault } = inspection;
    return fault === 'malformed_source' || fault === 'unsupported_version' ? aside(fault) : inspection;
  }
  const { runId, traceId } = inspection.value;
  const run = traces.runs.get(runId);
  const isOfTrace = run !== undefined && run.traceId === traceId && correlates(inspection.value, run);
  const mismatch = isOfTrace ? null : 'inspection_correlation_missing';
  return answer({
    name,
    inspection: inspection.value,
    reason: stem === runId ? mismatch : 'filename_run_mismatch',
    runIds: new Set([stem, runId]),
    traceIds: new Set([traceId]),
  });
}

async function closeAll(opened: readonly ProvenInspection[]): Promise<void> {
  for (const inspection of opened) await inspection.close();
}
