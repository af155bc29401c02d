import { sha256Hex, jsonDigest, type Digest } from '../../../documents/digest.ts';
import { traceSteps, type TraceRecord } from '../../../evidence/reader/read-trace.ts';
import { answer, refuseQuery, type Answer } from '../answer.ts';
import { captureTime, type CaptureTime } from '../files/capture-time.ts';
import { countEntryBytes, listInventory, type Entry } from '../files/directory.ts';
import type { EvidenceFiles } from '../files/evidence-files.ts';
import { paced, type Pace } from '../files/pace.ts';
import { isolate, type IsolatedComponent, type IsolationReason, type SuspectFile } from './isolation.ts';
import { retainedBytes } from './retained.ts';
import { capturedRun, type CapturedRun, type TraceSource } from './run.ts';

/** Trace files of one directory, and bytes of what is kept of them (evidence.md §5, "Directory capture"). */
const TRACE_FILES = 1024;
const RETAINED_BYTES = 32_000_000;
/** Of an event, in addition to its data. */
const RECORD_BYTES = 64;

/** The traces of a directory as they were at one moment. Immutable; holds no file open. */
export interface TraceCapture {
  /** By run id. */
  readonly runs: ReadonlyMap<string, CapturedRun>;
  readonly isolated: readonly IsolatedComponent[];
  /** Private trace files that were not opened. */
  readonly excludedPrivate: number;
  /** Of names and bytes of everything that was read. */
  readonly snapshotHash: Digest;
  readonly files: number;
  readonly bytes: number;
}

export interface TraceRequest {
  readonly files: EvidenceFiles;
  /** Absolute. */
  readonly directory: string;
  /** `sanitized`: normal traces only, no private one is ever opened. `private`: both kinds. */
  readonly authority: TraceSource;
  /** Bytes of all trace files together, at most 8,000,000. */
  readonly sourceBytes: number;
  /** Absent: it begins now. */
  readonly time?: CaptureTime;
}

const STEM = /^[A-Za-z0-9][A-Za-z0-9._-]{0,255}$/;

interface ReadMember extends SuspectFile {
  readonly name: string;
  readonly digest: string | null;
  readonly run: CapturedRun | null;
}

/** Captures every trace of a directory, or says why there is no capture; bad members are set aside (evidence.md §5). */
export async function captureTraces({
  files,
  directory,
  authority,
  sourceBytes,
  time = captureTime(),
}: TraceRequest): Promise<Answer<TraceCapture>> {
  const choose = (name: string): 'take' | 'exclude' | 'ignore' => {
    if (!name.endsWith('.jsonl')) return 'ignore';
    return authority === 'sanitized' && sourceOf(name) === 'private' ? 'exclude' : 'take';
  };
  const inventory = await listInventory({ files, directory, choose, mostNames: TRACE_FILES, time });
  if (!inventory.ok) return inventory;
  const { entries, excluded, isUnchanged } = inventory.value;
  const pace = paced();
  const read: ReadMember[] = [];
  let [bytes, retained] = [0, 0];
  for (const entry of entries) {
    const member = await readMember(files, entry, {
      source: sourceBytes - bytes,
      retained: RETAINED_BYTES - retained,
      pace,
      time,
    });
    if (!member.ok) return member;
    bytes += member.value.bytes;
    retained += member.value.retained;
    read.push(member.value.member);
  }
  if (!(await isUnchanged())) return refuseQuery('source_changed');
  const { admitted, components } = isolate(read);
  const runs = admitted.flatMap(({ run }) => (run === null ? [] : [run]));
  return answer({
    runs: new Map(runs.map((run) => [run.runId, run])),
    isolated: components,
    excludedPrivate: excluded,
    snapshotHash: jsonDigest(['svc.traces.v1', read.map(({ name, digest }) => [name, digest])]),
    files: entries.length,
    bytes,
  });
}

function sourceOf(name: string): TraceSource {
  return name.endsWith('.private.jsonl') ? 'private' : 'sanitized';
}

interface Member {
  readonly member: ReadMember;
  readonly bytes: number;
  readonly retained: number;
}

/** Bytes that there is still room for, and how long. */
interface Room {
  readonly source: number;
  readonly retained: number;
  readonly pace: Pace;
  readonly time: CaptureTime;
}

async function readMember(
  files: EvidenceFiles,
  entry: Entry,
  { source: room, retained: most, pace, time }: Room,
): Promise<Answer<Member>> {
  const { name, facts } = entry;
  const source = sourceOf(name);
  const stem = name.slice(0, source === 'private' ? -'.private.jsonl'.length : -'.jsonl'.length);
  const suspect = (reason: IsolationReason, digest: string | null, seen: readonly TraceRecord[] = []): ReadMember => ({
    name,
    digest,
    reason,
    run: null,
    runIds: new Set([...(STEM.test(stem) ? [stem] : []), ...seen.map(({ runId }) => runId)]),
    traceIds: new Set(seen.map(({ traceId }) => traceId)),
  });
  if (facts.kind !== 'file') return answer({ member: suspect('unstable_entry', null), bytes: 0, retained: 0 });
  const content = await countEntryBytes(files, entry, room);
  if (!content.ok)
    return content.fault === 'source_unavailable'
      ? answer({ member: suspect('unstable_entry', null), bytes: 0, retained: 0 })
      : content;
  const bytes = content.value.length;
  const digest = sha256Hex(content.value);
  const seen: TraceRecord[] = [];
  const steps = traceSteps(content.value);
  let step = steps.next();
  let retained = 0;
  for (; step.done !== true; step = steps.next()) {
    seen.push(step.value);
    retained += RECORD_BYTES + retainedBytes(step.value.data);
    if (retained > most) return refuseQuery('source_limit_exceeded');
    if (time.isOver()) return refuseQuery('source_unavailable');
    await pace();
  }
  if (!step.value.ok) return answer({ member: suspect(step.value.fault.reason, digest, seen), bytes, retained });
  const [first] = seen;
  if (first === undefined || first.runId !== stem || !STEM.test(stem) || seen.some(({ runId }) => runId !== stem))
    return answer({ member: suspect('filename_run_mismatch', digest, seen), bytes, retained });
  const run = capturedRun(seen, source);
  return answer({
    member: { name, digest, reason: null, run, runIds: new Set([run.runId]), traceIds: new Set([run.traceId]) },
    bytes,
    retained,
  });
}
