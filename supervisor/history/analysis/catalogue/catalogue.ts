import { isJsonObject, type JsonObject, type JsonValue } from '../../../../contract/json/value.ts';
import { jsonDigest, type Digest } from '../../../documents/digest.ts';
import { answer, refuseQuery, type Answer } from '../answer.ts';
import { matchesOf } from '../collections/collection.ts';
import { captureTime, type CaptureTime } from '../files/capture-time.ts';
import { DIRECTORY_ENTRIES, listInventory, type Inventory } from '../files/directory.ts';
import type { EvidenceFiles } from '../files/evidence-files.ts';
import { paced } from '../files/pace.ts';
import { objectOf, findText } from '../members.ts';
import { boundQuery, queryOptions, type FilterForms } from '../queries/options.ts';
import { pageOf } from '../queries/page.ts';
import { probeInspection, probeTrace } from './probe.ts';
import { catalogueRow, type Member, type RunFiles } from './row.ts';

/** Runs of one catalogue (evidence.md §8). */
const RUNS = 1024;
const STANDARD_LIMIT = 20;
const STEM = /^[A-Za-z0-9][A-Za-z0-9._-]{0,255}$/;
const FILTERS = {
  run_id: 'trace text',
  trace_id: 'trace text',
  status: 'trace text',
  name: 'label',
  model: 'label',
  provider: 'label',
  correlation: 'trace text',
  state: 'trace text',
  tags: 'tags',
  from: 'time',
  to: 'time',
} as const satisfies FilterForms;

export interface CatalogueRequest {
  readonly files: EvidenceFiles;
  /** Absolute directories. */
  readonly traces: string;
  readonly inspection: string;
  /** Absent: it begins now. */
  readonly time?: CaptureTime;
}

/**
 * What the ends of evidence files say of their runs: no payload was read, and nothing is proved of what lies between.
 */
export interface RunCatalogue {
  readonly rows: readonly JsonObject[];
  readonly digest: Digest;
  /** Files whose names are none of a run. */
  readonly excluded: number;
  readonly traceFiles: number;
  readonly inspectionFiles: number;
}

/** Looks at head and tail of every file of both directories; damaged ones have rows that say so. */
export async function captureCatalogue({
  files,
  traces,
  inspection,
  time = captureTime(),
}: CatalogueRequest): Promise<Answer<RunCatalogue>> {
  const listed = await listInventory({
    files,
    directory: traces,
    choose: (name) => choose(name, '.jsonl'),
    mostNames: DIRECTORY_ENTRIES,
    time,
  });
  if (!listed.ok) return listed;
  const inspected = await listInventory({
    files,
    directory: inspection,
    choose: (name) => choose(name, '.svcins'),
    mostNames: DIRECTORY_ENTRIES,
    time,
  });
  if (!inspected.ok) return inspected;
  const runs = await collectRuns(files, listed.value, inspected.value, time);
  if (!runs.ok) return runs;
  if (!(await listed.value.isUnchanged()) || !(await inspected.value.isUnchanged()))
    return refuseQuery('source_changed');
  const duplicates = duplicatesIn(runs.value);
  const rows = runs.value.map((run) => catalogueRow(run, duplicates.has(run.stem))).toSorted(newestFirst);
  return answer({
    rows,
    digest: jsonDigest(['svc.catalog.v1', rows]),
    excluded: listed.value.excluded + inspected.value.excluded,
    traceFiles: listed.value.entries.length,
    inspectionFiles: inspected.value.entries.length,
  });
}

function choose(name: string, suffix: string): 'take' | 'exclude' {
  return name.endsWith(suffix) && STEM.test(stemOf(name)) ? 'take' : 'exclude';
}

function stemOf(name: string): string {
  return name.replace(/(?:\.private)?\.jsonl$|\.svcins$/, '');
}

async function collectRuns(
  files: EvidenceFiles,
  traces: Inventory,
  inspections: Inventory,
  time: CaptureTime,
): Promise<Answer<readonly RunFiles[]>> {
  const stems = new Set([...traces.entries, ...inspections.entries].map(({ name }) => stemOf(name)));
  if (stems.size > RUNS) return refuseQuery('source_limit_exceeded');
  const runs = new Map<string, RunFiles>(
    [...stems].map((stem) => [stem, { stem, sanitized: null, private: null, inspection: null }]),
  );
  const pace = paced();
  const put = (name: string, member: Partial<RunFiles>): void => {
    const run = runs.get(stemOf(name));
    if (run !== undefined) runs.set(run.stem, { ...run, ...member });
  };
  for (const entry of traces.entries) {
    const member = { entry, probed: await probeTrace(files, entry) };
    put(entry.name, entry.name.endsWith('.private.jsonl') ? { private: member } : { sanitized: member });
    if (time.isOver()) return refuseQuery('source_unavailable');
    await pace();
  }
  for (const entry of inspections.entries) {
    put(entry.name, { inspection: { entry, probed: await probeInspection(files, entry) } });
    if (time.isOver()) return refuseQuery('source_unavailable');
    await pace();
  }
  return answer([...runs.values()]);
}

/** Names of which the run or the trace has another name as well. */
function duplicatesIn(runs: readonly RunFiles[]): ReadonlySet<string> {
  const stems = new Map<string, Set<string>>();
  for (const { stem, sanitized, private: own, inspection } of runs) {
    const members: readonly (Member<{ readonly runId: string; readonly traceId: string }> | null)[] = [
      sanitized,
      own,
      inspection,
    ];
    for (const member of members) {
      if (member?.probed.ok !== true) continue;
      const { runId, traceId } = member.probed.value;
      for (const key of [`run ${runId}`, `trace ${traceId}`]) stems.set(key, (stems.get(key) ?? new Set()).add(stem));
    }
  }
  return new Set([...stems.values()].filter(({ size }) => size > 1).flatMap((shared) => [...shared]));
}

/** Runs without a start come last. */
function newestFirst(left: JsonObject, right: JsonObject): number {
  const key = (row: JsonObject): string => `${findText(row, 'start_timestamp') ?? ''} ${findText(row, 'run_id') ?? ''}`;
  return key(left) < key(right) ? 1 : -1;
}

/** A page of the catalogue (evidence.md §8). `bytes`: of the whole answer. */
export async function queryCatalogue(
  { rows, digest, excluded }: RunCatalogue,
  query: JsonObject,
  bytes: number,
): Promise<Answer<JsonObject>> {
  const options = queryOptions(query, FILTERS, STANDARD_LIMIT);
  if (!options.ok) return options;
  const { filters, limit, cursor } = options.value;
  const matching = rows.filter((row) => isMatch(row, filters));
  return pageOf({
    matches: matchesOf(matching, (row) => answer(row)),
    limit,
    cursor,
    bytes,
    beside: { catalog_digest: digest, excluded_files: excluded },
    binding: { query: boundQuery(['catalog'], filters), snapshotHash: digest },
  });
}

function isMatch(row: JsonObject, filters: ReadonlyMap<string, JsonValue>): boolean {
  const start = findText(row, 'start_timestamp');
  return [...filters].every(([name, value]) => {
    switch (name) {
      case 'name':
      case 'model':
      case 'provider':
        return objectOf(row, 'labels')?.get(name) === value;
      case 'tags':
        return isJsonObject(value) && [...value].every(([tag, wanted]) => objectOf(row, 'tags')?.get(tag) === wanted);
      case 'from':
        return typeof value === 'string' && start !== undefined && start >= value;
      case 'to':
        return typeof value === 'string' && start !== undefined && start <= value;
      default:
        return row.get(name) === value;
    }
  });
}
