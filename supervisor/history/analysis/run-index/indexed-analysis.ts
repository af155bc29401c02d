import { parseJsonText, documentLimits } from '../../../../contract/json/parse.ts';
import { valueOf } from '../../../../contract/json/node.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../contract/json/value.ts';
import { COUNTER_FILTERS, RUNS_LIMIT, RUN_FILTERS, type Analysis } from '../analysis.ts';
import { answer, refuseQuery, type Answer } from '../answer.ts';
import type { CapturedRun } from '../capture/run.ts';
import { members, findText } from '../members.ts';
import { foldCounters } from '../queries/counters.ts';
import { isolationFacts } from '../queries/isolation-facts.ts';
import { boundQuery, queryOptions } from '../queries/options.ts';
import { pageOf, whole, type Matches } from '../queries/page.ts';
import type { IndexedEntry, RunIndex } from './collect-runs.ts';
import type { IndexedRun } from './index-row.ts';
import type { OpenRuns } from './open-runs.ts';

/** Bytes of all traces over which counters are added up. */
const COUNTED_BYTES = 256_000_000;

export interface IndexedAnalysisOptions {
  readonly index: RunIndex;
  readonly open: OpenRuns;
  /** Of an answer. */
  readonly bytes: number;
  /** The clear name of the application, and what traces record of it; a search for the name finds its runs. */
  readonly application: { readonly name: string; readonly fingerprint: string } | null;
}

/**
 * The queries of an analysis over an index of any size: lists come from the index, and one run is read when it is asked
 * for. Beside the filters of `runs`, `search` has words that must all be found in a run's id, name, status, reason,
 * missions or tags, and the status `open` finds runs without an end.
 */
export function indexedAnalysis({ index, open, bytes, application }: IndexedAnalysisOptions): Analysis {
  const entries = new Map(index.runs.map((entry) => [entry.run.runId, entry]));
  const matching = (filters: ReadonlyMap<string, JsonValue>): readonly IndexedEntry[] => {
    const search = findText(filters, 'search');
    const words = search === undefined ? [] : wordsOf(search);
    return index.runs.filter(
      ({ run }) => isMatch(run, filters) && (words.length === 0 || hasWords(run, words, application)),
    );
  };
  const advisory = (): Readonly<Record<string, JsonValue | undefined>> => ({
    excluded_private_trace_files: index.excludedPrivate > 0 ? index.excludedPrivate : undefined,
    unread_trace_files: index.unread > 0 ? index.unread : undefined,
    isolation: isolationFacts(index.isolated),
  });
  const ofRun = async (
    query: JsonObject,
    ask: (analysis: Analysis) => Promise<Answer<JsonObject>>,
  ): Promise<Answer<JsonObject>> => {
    const runId = findText(query, 'run_id');
    if (runId === undefined) return refuseQuery('invalid_query');
    const entry = entries.get(runId);
    if (entry !== undefined) return open.use(entry, async ({ analysis }) => ask(analysis(index.snapshotHash)));
    return refuseQuery(index.isolated.some(({ runIds }) => runIds.includes(runId)) ? 'run_isolated' : 'not_found');
  };
  return {
    runs: async (query) => {
      const options = queryOptions(query, { ...RUN_FILTERS, view: 'view', search: 'trace text' }, RUNS_LIMIT);
      if (!options.ok) return options;
      const { filters, limit, cursor } = options.value;
      const binding = { query: boundQuery(['runs'], filters), snapshotHash: index.snapshotHash };
      return pageOf({ matches: viewsOf(matching(filters)), limit, cursor, bytes, beside: advisory(), binding });
    },
    open: async (query) => ofRun(query, async (analysis) => analysis.open(query)),
    read: async (query) => ofRun(query, async (analysis) => analysis.read(query)),
    counters: async (query) => {
      const options = queryOptions(query, COUNTER_FILTERS, RUNS_LIMIT);
      if (!options.ok || query.has('limit') || query.has('cursor')) return refuseQuery('invalid_query');
      const { filters } = options.value;
      const found = matching(filters);
      if (found.reduce((all, one) => all + one.bytes, 0) > COUNTED_BYTES) return refuseQuery('source_limit_exceeded');
      const runs: CapturedRun[] = [];
      for (const entry of found) {
        const read = await open.use(entry, async ({ run }) => answer(run));
        if (!read.ok) return read;
        runs.push(read.value);
      }
      return whole(
        members({
          ...Object.fromEntries(foldCounters(runs, findText(filters, 'mission_name') ?? null)),
          ...advisory(),
          snapshot_hash: index.snapshotHash,
        }),
        bytes,
      );
    },
  };
}

/** The views of runs, read from their texts when a page wants them. */
function viewsOf(entries: readonly IndexedEntry[]): Matches {
  return {
    count: entries.length,
    item: (at) => {
      const text = entries[at]?.run.view ?? '';
      const parsed = parseJsonText(text, documentLimits(text.length * 4));
      const view = parsed.ok ? valueOf(parsed.root) : undefined;
      return isJsonObject(view) ? answer(view) : refuseQuery('malformed_source');
    },
  };
}

function isMatch(run: IndexedRun, filters: ReadonlyMap<string, JsonValue>): boolean {
  return [...filters].every(([name, value]) => {
    switch (name) {
      case 'status':
        return run.status === (value === 'open' ? null : value);
      case 'run_id':
        return run.runId === value;
      case 'trace_id':
        return run.traceId === value;
      case 'name':
      case 'model':
      case 'provider':
        return run[name] === value;
      case 'bundle':
        return typeof value === 'string' && run.bundles.includes(value);
      case 'tags':
        return isJsonObject(value) && [...value].every(([tag, wanted]) => run.tags[tag] === wanted);
      case 'from':
        return typeof value === 'string' && run.start >= value;
      case 'to':
        return typeof value === 'string' && run.start <= value;
      default:
        return true;
    }
  });
}

function wordsOf(search: string): readonly string[] {
  return search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

function hasWords(
  run: IndexedRun,
  words: readonly string[],
  application: IndexedAnalysisOptions['application'],
): boolean {
  const name = application !== null && run.name === application.fingerprint ? application.name : '';
  const tags = Object.entries(run.tags).map(([tag, value]) => `${tag} ${value} ${tag}=${value}`);
  const text = [run.runId, name, run.status ?? 'open', ...tags].join(' ').toLowerCase();
  return words.every((word) => text.includes(word) || run.words.includes(word));
}
