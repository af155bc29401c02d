import type { Result } from '../../../contract/outcome.ts';
import { basename, join } from 'node:path';
import { jsonDigest, sha256Hex, type Digest } from '../../documents/digest.ts';
import { traceSteps, type TraceRecord } from '../../evidence/reader/read-trace.ts';
import { answer, refuseQuery, type AnalysisFault, type Answer } from './answer.ts';
import { evidenceIndex } from './evidence/evidence-index.ts';
import type { RunEvidence } from './evidence/run-evidence.ts';
import { captureTime } from './files/capture-time.ts';
import { countEntryBytes, type Entry } from './files/directory.ts';
import { isSameFile, type EvidenceFiles } from './files/evidence-files.ts';
import { paced } from './files/pace.ts';
import { correlates } from './capture/correlate.ts';
import { INDEX_BOUNDS, readInspectionFile } from './capture/inspection-file.ts';
import { capturedRun, type CapturedRun, type TraceSource } from './capture/run.ts';

/** Bytes of one trace file, and of one inspection file (evidence.md §5, §6). */
const TRACE_BYTES = 8_000_000;
const INSPECTION_BYTES = 536_870_912n;

/** What one run is read from. Paths are absolute and name directories or files that are no links. */
export interface SingleRunRequest {
  readonly files: EvidenceFiles;
  readonly runId: string;
  /** Where `RUN_ID.jsonl` or `RUN_ID.private.jsonl` lies; it is never listed. */
  readonly traces: string;
  readonly inspectionFile: string;
}

/** One run with its private evidence, from exactly two files. */
export interface SingleRun {
  readonly evidence: RunEvidence;
  readonly snapshotHash: Digest;
  readonly traceSnapshotHash: Digest;
  /** Whether both files are still what was read. */
  isUnchanged(): Promise<boolean>;
  close(): Promise<void>;
}

/** Which of the two files a refusal is about. */
export type SingleRunFault =
  | { readonly kind: 'run_not_found' | 'inspection_not_found' | 'run_ambiguous' | 'run_mismatch' }
  | { readonly kind: 'trace' | 'inspection'; readonly fault: AnalysisFault };

export type SingleRunAnswer = Result<SingleRun, SingleRunFault>;

/**
 * Reads one run from its trace and its inspection, whole or not at all (evidence.md §5, §9). Nothing else is opened.
 */
export async function captureRun(request: SingleRunRequest): Promise<SingleRunAnswer> {
  const { files, runId, traces, inspectionFile } = request;
  const named = await Promise.all(
    [`${runId}.jsonl`, `${runId}.private.jsonl`].map(async (name) => readEntryAt(files, join(traces, name), name)),
  );
  const present = named.filter((entry) => entry !== null);
  const [entry] = present;
  if (entry === undefined) return { ok: false, fault: { kind: 'run_not_found' } };
  if (present.length > 1) return { ok: false, fault: { kind: 'run_ambiguous' } };
  const trace = await readTrace(files, entry, { runId, most: TRACE_BYTES });
  if (!trace.ok) return { ok: false, fault: { kind: 'trace', fault: trace.fault } };
  if (trace.value === OTHER_RUN) return { ok: false, fault: { kind: 'run_mismatch' } };
  const inspectionEntry = await readEntryAt(files, inspectionFile, `${runId}.svcins`);
  if (inspectionEntry === null) return { ok: false, fault: { kind: 'inspection_not_found' } };
  const inspection = await readRunInspection(files, inspectionEntry, trace.value.run);
  if (!inspection.ok) return { ok: false, fault: { kind: 'inspection', fault: inspection.fault } };
  const traceSnapshotHash = jsonDigest(['svc.traces.v1', [[entry.name, trace.value.digest]]]);
  const isUnchanged = async (): Promise<boolean> => {
    const now = await Promise.all(
      [entry, inspectionEntry].map(async ({ path, facts }) => isSameFile(facts, await files.facts(path))),
    );
    const others = await Promise.all(
      named.map(
        async (one, index) =>
          one !== null ||
          (await files.facts(join(traces, [`${runId}.jsonl`, `${runId}.private.jsonl`][index] ?? ''))) === null,
      ),
    );
    return now.every(Boolean) && others.every(Boolean);
  };
  return {
    ok: true,
    value: {
      evidence: { run: trace.value.run, inspection: inspection.value, index: evidenceIndex(inspection.value) },
      snapshotHash: jsonDigest([
        'svc.inspections.v1',
        traceSnapshotHash,
        [[inspectionEntry.name, inspection.value.digest]],
      ]),
      traceSnapshotHash,
      isUnchanged,
      close: async () => inspection.value.close(),
    },
  };
}

/**
 * One run of one trace file, which may hold others; null where there is no such file. `path`: absolute; the name says
 * which kind of trace.
 */
export async function captureTraceFile(
  files: EvidenceFiles,
  path: string,
  runId: string,
): Promise<Answer<CapturedRun> | null> {
  const entry = await readEntryAt(files, path, basename(path));
  if (entry === null) return null;
  const trace = await readTrace(files, entry, { runId, most: TRACE_BYTES });
  if (!trace.ok) return trace;
  return trace.value === OTHER_RUN ? refuseQuery('malformed_source') : answer(trace.value.run);
}

/** Null for what is not there; what is there and no regular file is refused when it is read. */
export async function readEntryAt(files: EvidenceFiles, path: string, name: string): Promise<Entry | null> {
  const facts = await files.facts(path);
  return facts === null ? null : { name, path, facts };
}

/** A whole trace, of which no event is the run's. */
export const OTHER_RUN = 'other_run';

export interface ReadTrace {
  readonly run: CapturedRun;
  /** SHA-256 of the file, 64 hex digits. */
  readonly digest: string;
}

/** The events of one run in a trace file of at most `most` bytes. */
export async function readTrace(
  files: EvidenceFiles,
  entry: Entry,
  { runId, most }: { readonly runId: string; readonly most: number },
): Promise<Answer<ReadTrace | typeof OTHER_RUN>> {
  if (entry.facts.kind !== 'file') return refuseQuery('source_unavailable');
  const content = await countEntryBytes(files, entry, most);
  if (!content.ok) return content;
  const pace = paced();
  const own: TraceRecord[] = [];
  const steps = traceSteps(content.value);
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) {
    if (step.value.runId === runId) own.push(step.value);
    await pace();
  }
  if (!step.value.ok) return refuseQuery(step.value.fault.reason);
  if (own.length === 0) return answer(OTHER_RUN);
  const source: TraceSource = entry.name.endsWith('.private.jsonl') ? 'private' : 'sanitized';
  return answer({ run: capturedRun(own, source), digest: sha256Hex(content.value) });
}

/** The private evidence of a run, held to its trace. */
export async function readRunInspection(
  files: EvidenceFiles,
  { path, facts }: Entry,
  run: CapturedRun,
): ReturnType<typeof readInspectionFile> {
  if (facts.kind !== 'file') return refuseQuery('source_unavailable');
  if (facts.size > INSPECTION_BYTES) return refuseQuery('source_limit_exceeded');
  const file = await files.open(path);
  if (file === null)
    return refuseQuery(isSameFile(facts, await files.facts(path)) ? 'source_unavailable' : 'source_changed');
  const inspection = await readInspectionFile({ file, facts, ...INDEX_BOUNDS, pace: paced(), time: captureTime() });
  const isOfRun =
    inspection.ok &&
    inspection.value.runId === run.runId &&
    inspection.value.traceId === run.traceId &&
    correlates(inspection.value, run);
  if (isOfRun) return inspection;
  await file.close();
  return inspection.ok ? refuseQuery('inspection_correlation_missing') : inspection;
}
