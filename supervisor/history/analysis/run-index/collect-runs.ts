import { join } from 'node:path';
import { compareUtf8 } from '../../../../contract/json/utf8.ts';
import { jsonDigest, sha256Hex, type Digest } from '../../../documents/digest.ts';
import { traceSteps, type TraceRecord } from '../../../evidence/reader/read-trace.ts';
import { answer, refuseQuery, type Answer } from '../answer.ts';
import { isolate, type IsolatedComponent, type IsolationReason } from '../capture/isolation.ts';
import type { TraceSource } from '../capture/run.ts';
import { countEntryBytes, type Entry } from '../files/directory.ts';
import type { EvidenceFiles } from '../files/evidence-files.ts';
import { paced, type Pace } from '../files/pace.ts';
import { asideRow, indexedRun, stampOf, type IndexRow, type IndexedRun } from './index-row.ts';

/** Names of one directory, and bytes of one trace. */
const NAMES_MOST = 200_000;
export const TRACE_BYTES = 64_000_000;
/** Looks at files that are under way at once. */
const LOOKS = 64;

/** The runs of a directory as they were when it was listed. */
export interface RunIndex {
  /** Newest first. */
  readonly runs: readonly IndexedEntry[];
  readonly isolated: readonly IsolatedComponent[];
  /** Private trace files, which were not opened. */
  readonly excludedPrivate: number;
  /** Files that were not read yet. */
  readonly unread: number;
  readonly snapshotHash: Digest;
  /** Every file that was read, for the next look. */
  readonly rows: ReadonlyMap<string, IndexRow>;
  /** Whether any row is another one than was known. */
  readonly hasChanged: boolean;
}

/** One run with the file that holds it. */
export interface IndexedEntry {
  readonly run: IndexedRun;
  readonly source: TraceSource;
  readonly name: string;
  readonly stamp: string;
  readonly digest: string;
  readonly bytes: number;
}

export interface CollectRequest {
  readonly files: EvidenceFiles;
  /** Absolute. */
  readonly directory: string;
  /** `sanitized`: no private trace is opened. */
  readonly authority: TraceSource;
  /** Rows of an earlier look; one holds as long as its file is what it was. */
  readonly known: ReadonlyMap<string, IndexRow>;
  /** Whether no further file may be started; asked before each. What is left counts as unread. */
  readonly isTimeOver: () => boolean;
}

/** Looks at every trace of a directory and reads those that are not known, the youngest first. */
export async function collectRuns({
  files,
  directory,
  authority,
  known,
  isTimeOver,
}: CollectRequest): Promise<Answer<RunIndex>> {
  if ((await files.facts(directory))?.kind !== 'directory') return refuseQuery('source_unavailable');
  const names = await files.names(directory, NAMES_MOST);
  if (names === null) return refuseQuery('source_unavailable');
  if (names.length > NAMES_MOST) return refuseQuery('source_limit_exceeded');
  const traces = names.filter((name) => !name.startsWith('.') && name.endsWith('.jsonl'));
  const chosen = traces.filter((name) => authority === 'private' || classifyTrace(name) === 'sanitized');
  const entries = await collectEntries(files, directory, chosen);
  const rows = new Map<string, IndexRow>();
  const fresh: Entry[] = [];
  for (const entry of entries) {
    const row = known.get(entry.name);
    if (row !== undefined && row.stamp === stampOf(entry.facts)) rows.set(entry.name, row);
    else fresh.push(entry);
  }
  const pace = paced();
  const youngestFirst = fresh.toSorted((left, right) => Number(right.facts.modified - left.facts.modified));
  let started = 0;
  for (const entry of youngestFirst) {
    if (isTimeOver()) break;
    started += 1;
    const row = await readRow(files, entry, pace);
    // One that changed under the reader is read with the next look.
    if (row !== null) rows.set(entry.name, row);
  }
  return answer({
    ...indexOf(rows),
    excludedPrivate: traces.length - chosen.length,
    unread: fresh.length - started,
    hasChanged: started > 0 || rows.size !== known.size,
  });
}

function indexOf(rows: ReadonlyMap<string, IndexRow>): Pick<RunIndex, 'runs' | 'isolated' | 'rows' | 'snapshotHash'> {
  const inOrder = [...rows.values()].toSorted((left, right) => compareUtf8(left.name, right.name));
  const { admitted, components } = isolate(inOrder);
  const runs = admitted.flatMap(({ run, digest, ...file }) =>
    run === null || digest === null ? [] : [{ run, digest, ...file }],
  );
  return {
    runs: runs.toSorted(({ run: left }, { run: right }) =>
      left.start === right.start ? compare(right.runId, left.runId) : compare(right.start, left.start),
    ),
    isolated: components,
    rows,
    snapshotHash: jsonDigest(['svc.traces.v1', inOrder.map(({ name, digest }) => [name, digest])]),
  };
}

function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

async function collectEntries(
  files: EvidenceFiles,
  directory: string,
  names: readonly string[],
): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (let from = 0; from < names.length; from += LOOKS) {
    const looked = await Promise.all(
      names.slice(from, from + LOOKS).map(async (name) => {
        const path = join(directory, name);
        return { name, path, facts: await files.facts(path) };
      }),
    );
    for (const { name, path, facts } of looked) if (facts !== null) entries.push({ name, path, facts });
  }
  return entries;
}

export function classifyTrace(name: string): TraceSource {
  return name.endsWith('.private.jsonl') ? 'private' : 'sanitized';
}

const STEM = /^[A-Za-z0-9][A-Za-z0-9._-]{0,255}$/;

/** Null where the file is no longer what was looked at. */
async function readRow(files: EvidenceFiles, entry: Entry, pace: Pace): Promise<IndexRow | null> {
  const { name, facts } = entry;
  const source = classifyTrace(name);
  const stem = name.slice(0, source === 'private' ? -'.private.jsonl'.length : -'.jsonl'.length);
  const [stamp, bytes] = [stampOf(facts), Number(facts.size)];
  const aside = (reason: IsolationReason, digest: string | null, seen: readonly TraceRecord[] = []): IndexRow =>
    asideRow({ name, stamp, digest, bytes, source }, reason, {
      runIds: new Set([...(STEM.test(stem) ? [stem] : []), ...seen.map(({ runId }) => runId)]),
      traceIds: new Set(seen.map(({ traceId }) => traceId)),
    });
  if (facts.kind !== 'file') return aside('unstable_entry', null);
  const content = await countEntryBytes(files, entry, TRACE_BYTES);
  if (!content.ok) {
    if (content.fault === 'source_changed') return null;
    return aside(content.fault === 'source_limit_exceeded' ? 'malformed_source' : 'unstable_entry', null);
  }
  const digest = sha256Hex(content.value);
  const seen: TraceRecord[] = [];
  const steps = traceSteps(content.value);
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) {
    seen.push(step.value);
    await pace();
  }
  if (!step.value.ok) return aside(step.value.fault.reason, digest, seen);
  const [first] = seen;
  if (first === undefined || !STEM.test(stem) || seen.some(({ runId }) => runId !== stem))
    return aside('filename_run_mismatch', digest, seen);
  return {
    name,
    stamp,
    digest,
    bytes,
    source,
    reason: null,
    runIds: new Set([first.runId]),
    traceIds: new Set([first.traceId]),
    run: indexedRun(seen, source),
  };
}
