import type { JsonObject, JsonValue } from '../../../contract/json/value.ts';
import { answer, refuseQuery, type Answer } from './answer.ts';
import type { InspectionCapture } from './capture/inspections.ts';
import type { CapturedRun } from './capture/run.ts';
import type { TraceCapture } from './capture/traces.ts';
import { COLLECTIONS } from './collections/all.ts';
import { matchesOf, type Selected } from './collections/collection.ts';
import type { RunEvidence } from './evidence/run-evidence.ts';
import { evidenceIndex } from './evidence/evidence-index.ts';
import { members, findText } from './members.ts';
import { openAnalysedRun } from './open-run.ts';
import { foldCounters } from './queries/counters.ts';
import type { CutValue } from './queries/cut-value.ts';
import { isolationFacts } from './queries/isolation-facts.ts';
import { boundQuery, queryOptions, type FilterForms } from './queries/options.ts';
import { pageOf, whole } from './queries/page.ts';
import { fullRun, isMatch, newestFirst, runSummary } from './queries/run-view.ts';

/** What is asked: traces alone, or traces with the private evidence of the same runs. */
export interface AnalysisCapture {
  readonly traces: TraceCapture;
  /** Null: nothing private is ever answered. */
  readonly inspections: InspectionCapture | null;
}

/**
 * The queries over captured runs (evidence.md §7). Every answer is a JSON object of at most `bytes` canonical bytes, a
 * function of the capture and the query alone. A query with an option that it does not know is `invalid_query`.
 */
export interface Analysis {
  /** A page of runs, the newest first. */
  runs(query: JsonObject): Promise<Answer<JsonObject>>;
  /** One run with everything that its trace reports, and the catalogue of what can be read of it. */
  open(query: JsonObject): Promise<Answer<JsonObject>>;
  /** A page of one collection of a run. */
  read(query: JsonObject): Promise<Answer<JsonObject>>;
  /** What the events of all matching runs come to. */
  counters(query: JsonObject): Promise<Answer<JsonObject>>;
}

/** Filters of `runs`. */
export const RUN_FILTERS = {
  status: 'trace text',
  run_id: 'trace text',
  trace_id: 'trace text',
  name: 'label',
  model: 'label',
  provider: 'label',
  bundle: 'hex',
  tags: 'tags',
  from: 'time',
  to: 'time',
} as const satisfies FilterForms;
/** Filters of `counters`. */
export const COUNTER_FILTERS = { ...RUN_FILTERS, mission_name: 'trace text' } as const satisfies FilterForms;
export const RUNS_LIMIT = 20;

/**
 * `bytes`: of an answer; 1,000,000 where nothing else is wanted, and 1,048,576 at most (evidence.md §7). `cut`: for
 * callers who would rather have the beginning of a large item than `result_limit_exceeded`.
 */
export function analysisOver({ traces, inspections }: AnalysisCapture, bytes: number, cut?: CutValue): Analysis {
  const found = (query: JsonObject): Answer<CapturedRun> => {
    const runId = findText(query, 'run_id');
    if (runId === undefined) return refuseQuery('invalid_query');
    const run = traces.runs.get(runId);
    if (run !== undefined) return answer(run);
    return refuseQuery(traces.isolated.some(({ runIds }) => runIds.includes(runId)) ? 'run_isolated' : 'not_found');
  };
  const evidenceOf = (run: CapturedRun): Answer<RunEvidence> => {
    const inspection = inspections?.inspections.get(run.runId);
    if (inspection !== undefined) return answer({ run, inspection, index: evidenceIndex(inspection) });
    return refuseQuery(
      inspections?.isolated.some(({ runIds }) => runIds.includes(run.runId)) === true
        ? 'run_isolated'
        : 'evidence_unavailable',
    );
  };
  const advisory = (): Readonly<Record<string, JsonValue | undefined>> => ({
    excluded_private_trace_files: traces.excludedPrivate > 0 ? traces.excludedPrivate : undefined,
    isolation: isolationFacts([...traces.isolated, ...(inspections?.isolated ?? [])]),
  });

  return {
    runs: async (query) => {
      const options = queryOptions(query, { ...RUN_FILTERS, view: 'view' }, RUNS_LIMIT);
      if (!options.ok) return options;
      const { filters, limit, cursor } = options.value;
      const runs = newestFirst([...traces.runs.values()].filter((run) => isMatch(run, filters)));
      const view = filters.get('view') === 'full' ? fullRun : runSummary;
      return pageOf({
        matches: matchesOf(runs, (run) => answer(view(run))),
        limit,
        cursor,
        bytes,
        beside: advisory(),
        binding: { query: boundQuery(['runs'], filters), snapshotHash: traces.snapshotHash },
      });
    },
    open: async (query) => {
      if ([...query.keys()].some((name) => name !== 'run_id')) return refuseQuery('invalid_query');
      const run = found(query);
      if (!run.ok) return run;
      const evidence = evidenceOf(run.value);
      const opened = await openAnalysedRun(
        run.value,
        evidence.ok ? evidence.value : null,
        (inspections ?? traces).snapshotHash,
      );
      return opened.ok ? whole(opened.value, bytes, cut) : opened;
    },
    read: async (query) => {
      const collection = COLLECTIONS.find(({ name }) => name === query.get('collection'));
      const run = found(query);
      if (!run.ok) return run;
      if (collection === undefined)
        return refuseQuery(typeof query.get('collection') === 'string' ? 'not_found' : 'invalid_query');
      const own = new Map([...query].filter(([name]) => name !== 'run_id' && name !== 'collection'));
      const options = queryOptions(own, collection.filters, collection.standardLimit);
      if (!options.ok) return options;
      const { filters, limit, cursor } = options.value;
      const binding = (snapshotHash: string) => ({
        query: boundQuery(['read', run.value.runId, collection.name], filters),
        snapshotHash,
      });
      const page = async ({ matches, beside = {} }: Selected, snapshotHash: string): Promise<Answer<JsonObject>> =>
        pageOf({ matches, limit, cursor, bytes, beside, cut, binding: binding(snapshotHash) });
      if (collection.authority === 'public') return page(collection.select(run.value, filters), traces.snapshotHash);
      const evidence = evidenceOf(run.value);
      if (!evidence.ok) return evidence;
      const selected = await collection.select(evidence.value, filters);
      if (!selected.ok) return selected;
      const beside = {
        ...selected.value.beside,
        ...(collection.name === 'turns' ? { trace_snapshot_hash: traces.snapshotHash } : {}),
      };
      return page({ ...selected.value, beside }, (inspections ?? traces).snapshotHash);
    },
    counters: async (query) => {
      const options = queryOptions(query, COUNTER_FILTERS, RUNS_LIMIT);
      if (!options.ok || query.has('limit') || query.has('cursor')) return refuseQuery('invalid_query');
      const { filters } = options.value;
      const mission = findText(filters, 'mission_name') ?? null;
      const runs = [...traces.runs.values()].filter((run) => isMatch(run, filters));
      return whole(
        members({
          ...Object.fromEntries(foldCounters(runs, mission)),
          ...advisory(),
          snapshot_hash: traces.snapshotHash,
        }),
        bytes,
      );
    },
  };
}
