import { canonicalJson } from '../../../../contract/json/canonical.ts';
import { isJsonObject, type JsonObject } from '../../../../contract/json/value.ts';
import type { TraceRecord } from '../../../evidence/reader/read-trace.ts';
import type { IsolationReason, SuspectFile } from '../capture/isolation.ts';
import { capturedRun, type TraceSource } from '../capture/run.ts';
import type { FileFacts } from '../files/evidence-files.ts';
import { members, objectOf, findText } from '../members.ts';
import { fullRun } from '../queries/run-view.ts';

/** What a list of runs filters, orders and searches by, and what it shows of each. */
export interface IndexedRun {
  readonly runId: string;
  readonly traceId: string;
  readonly start: string;
  readonly status: string | null;
  readonly name: string | null;
  readonly model: string | null;
  readonly provider: string | null;
  /** Hashes of the bundles of all environments. */
  readonly bundles: readonly string[];
  readonly tags: Readonly<Record<string, string>>;
  /** Words that a search finds as well, in lower case: the reason, the name of the input, the missions. */
  readonly words: string;
  /** Canonical JSON of everything that the trace says of its run (`fullRun`). */
  readonly view: string;
}

/** One trace file of a directory: what it is, and what its run is if it holds exactly one. */
export interface IndexRow extends SuspectFile {
  readonly name: string;
  /** Changes whenever the file does; see `stampOf`. */
  readonly stamp: string;
  /** SHA-256 of the file, 64 hex digits; null where it could not be read. */
  readonly digest: string | null;
  readonly bytes: number;
  readonly source: TraceSource;
  readonly run: IndexedRun | null;
}

/** What a file has to keep for its row to hold: device, inode, size and both times. */
export function stampOf({ kind, device, inode, size, modified, changed }: FileFacts): string {
  return [kind, device, inode, size, modified, changed].join(' ');
}

/** `events`: of one run, all of its file. */
export function indexedRun(events: readonly TraceRecord[], source: TraceSource): IndexedRun {
  const run = capturedRun(events, source);
  const inputName = findText(events.find(({ type }) => type === 'run-started')?.data, 'input_name');
  const view = members({ ...Object.fromEntries(fullRun(run)), input_name: inputName });
  const tags = objectOf(view, 'tags') ?? new Map();
  const missions = objectOf(view, 'missions') ?? members({});
  return {
    runId: run.runId,
    traceId: run.traceId,
    start: findText(view, 'start_timestamp') ?? '',
    status: findText(view, 'status') ?? null,
    name: findText(view, 'name') ?? null,
    model: findText(view, 'model') ?? null,
    provider: findText(view, 'provider') ?? null,
    bundles: bundlesIn(view, missions),
    tags: Object.fromEntries([...tags].filter((tag): tag is [string, string] => typeof tag[1] === 'string')),
    words: [findText(view, 'terminal_reason') ?? '', inputName ?? '', ...missions.keys()].join(' ').toLowerCase(),
    view: canonicalJson(view),
  };
}

function bundlesIn(view: JsonObject, missions: JsonObject): readonly string[] {
  const preludes = [
    objectOf(view, 'workflow_prelude'),
    ...[...missions.values()].map((mission) => (isJsonObject(mission) ? objectOf(mission, 'prelude') : undefined)),
  ];
  return preludes.flatMap((prelude) => findText(prelude, 'hash') ?? []);
}

/** A file that is set aside, with whatever ids are known of it. */
export function asideRow(
  file: Pick<IndexRow, 'name' | 'stamp' | 'digest' | 'bytes' | 'source'>,
  reason: IsolationReason,
  ids: Pick<SuspectFile, 'runIds' | 'traceIds'>,
): IndexRow {
  return { ...file, reason, runIds: ids.runIds, traceIds: ids.traceIds, run: null };
}
