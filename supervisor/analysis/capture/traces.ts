import { sha256Hex, jsonDigest } from '../../documents/digest.ts';
import type { Digest } from '../../documents/digest.ts';
import { traceSteps } from '../../evidence/reader/read-trace.ts';
import type { TraceRecord } from '../../evidence/reader/read-trace.ts';
import { answer, refuse } from '../answer.ts';
import type { Answer } from '../answer.ts';
import { entryBytes, inventoryOf } from '../files/directory.ts';
import type { Entry } from '../files/directory.ts';
import type { EvidenceFiles } from '../files/evidence-files.ts';
import { paced } from '../files/pace.ts';
import type { Pace } from '../files/pace.ts';
import { isolate } from './isolation.ts';
import type { IsolatedComponent, IsolationReason, Suspect } from './isolation.ts';
import { capturedRun } from './run.ts';
import type { CapturedRun, TraceSource } from './run.ts';

/** Trace files of one directory (evidence.md §5, "Directory capture"). */
const TRACE_FILES = 1024;

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
}

const STEM = /^[A-Za-z0-9][A-Za-z0-9._-]{0,255}$/;

interface ReadMember extends Suspect {
  readonly name: string;
  readonly digest: string | null;
  readonly run: CapturedRun | null;
}

/** Captures every trace of a directory, or says why there is no capture; bad members are set aside (evidence.md §5). */
export async function captureTraces({ files, directory, authority, sourceBytes }: TraceRequest): Promise<Answer<TraceCapture>> {
  const choose = (name: string): 'take' | 'exclude' | 'ignore' => {
    if (!name.endsWith('.jsonl')) return 'ignore';
    return authority === 'sanitized' && sourceOf(name) === 'private' ? 'exclude' : 'take';
  };
  const inventory = await inventoryOf({ files, directory, choose, mostTaken: TRACE_FILES });
  if (!inventory.ok) return inventory;
  const { entries, excluded, isUnchanged } = inventory.value;
  const pace = paced();
  const read: ReadMember[] = [];
  let bytes = 0;
  for (const entry of entries) {
    const member = await memberOf(files, entry, sourceBytes - bytes, pace);
    if (!member.ok) return member;
    bytes += member.value.bytes;
    read.push(member.value.member);
  }
  if (!(await isUnchanged())) return refuse('source_changed');
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
}

async function memberOf(files: EvidenceFiles, entry: Entry, room: number, pace: Pace): Promise<Answer<Member>> {
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
  if (facts.kind !== 'file') return answer({ member: suspect('unstable_entry', null), bytes: 0 });
  const content = await entryBytes(files, entry, room);
  if (!content.ok) return content.fault === 'source_unavailable' ? answer({ member: suspect('unstable_entry', null), bytes: 0 }) : content;
  const bytes = content.value.length;
  const digest = sha256Hex(content.value);
  const seen: TraceRecord[] = [];
  const steps = traceSteps(content.value);
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) {
    seen.push(step.value);
    await pace();
  }
  if (!step.value.ok) return answer({ member: suspect(step.value.fault.reason, digest, seen), bytes });
  const [first] = seen;
  if (first === undefined || first.runId !== stem || !STEM.test(stem) || seen.some(({ runId }) => runId !== stem)) return answer({ member: suspect('filename_run_mismatch', digest, seen), bytes });
  const run = capturedRun(seen, source);
  return answer({ member: { name, digest, reason: null, run, runIds: new Set([run.runId]), traceIds: new Set([run.traceId]) }, bytes });
}
