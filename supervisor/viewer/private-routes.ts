import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../contract/json/value.ts';
import { canonicalJson } from '../../contract/json/canonical.ts';
import type { Showing, ShownConversation } from '../../contract/viewer-answers.ts';
import { answer, refuseQuery, type Answer } from '../history/analysis/answer.ts';
import type { Analysis } from '../history/analysis/analysis.ts';
import { members, objectOf, findText } from '../history/analysis/members.ts';
import { VIEWER_ANSWER_BYTES, faultAnswer, renderJson, refuseViewerRequest, type HttpAnswer } from './answers.ts';
import type { EvidencePlaces, PinnedEvidence } from './evidence.ts';

/** What private evidence of one run is asked for, by the last part of its route. */
export const PRIVATE_COLLECTIONS: ReadonlyMap<string, string> = new Map([
  ['preludes', 'prelude_sources'],
  ['execution-errors', 'execution_errors'],
  ['explicit-failure-values', 'explicit_failure_values'],
  ['execution-prints', 'execution_prints'],
  ['generated-sources', 'generated_sources'],
  ['capability-calls', 'capability_calls'],
]);

const ITEMS_MOST = 1000;
const PAGE = 100;
/** Of the pages of one answer; what a route adds around them fits beside. */
const PAGES_BYTES = VIEWER_ANSWER_BYTES - 50_000;

const NOT_CONFIGURED = refuseViewerRequest(
  404,
  'inspection_not_configured',
  'the project records no inspections: set artifacts.trace and artifacts.inspection, and run it again',
);
const NOT_PRIVATE = refuseViewerRequest(
  404,
  'inspection_not_private',
  'private evidence is not shown: set viewer.private in the project, and start the viewer again',
);
const NOT_RECORDED = refuseViewerRequest(
  404,
  'inspection_run_not_recorded',
  'nothing private was recorded of this run: run it again',
);

/** The four gates before anything private (evidence.md §11). */
type Gate = Pick<EvidencePlaces, 'showsPrivate' | 'recordsInspection'>;

function closedGate({ recordsInspection, showsPrivate }: Gate): HttpAnswer | null {
  if (!recordsInspection) return NOT_CONFIGURED;
  return showsPrivate ? null : NOT_PRIVATE;
}

/** Items of a collection from `cursor` on, as many as one answer holds. */
export async function servePrivateItems(
  { analysis }: PinnedEvidence,
  gate: Gate,
  { runId, collection, cursor }: Wanted,
): Promise<HttpAnswer> {
  const closed = closedGate(gate);
  if (closed !== null) return closed;
  const read = await collectItems(analysis, { runId, collection, cursor });
  if (!read.ok) return privateFault(read.fault);
  const { items, last } = read.value;
  return renderJson(200, members({ ...Object.fromEntries(last), items }));
}

/** Turns of the streams of a run from `cursor` on, complete or not, as many as one answer holds (evidence.md §9). */
export async function serveConversation(
  { analysis }: PinnedEvidence,
  gate: Gate,
  { runId, cursor }: Omit<Wanted, 'collection'>,
): Promise<HttpAnswer> {
  const closed = closedGate(gate);
  if (closed !== null) return closed;
  const read = await collectItems(analysis, { runId, collection: 'turns', cursor });
  if (!read.ok) return privateFault(read.fault);
  const { items, last } = read.value;
  const streams = Map.groupBy(items.filter(isJsonObject), (turn) => findText(turn, 'stream_id') ?? '');
  const evidence = objectOf(last, 'evidence');
  const ambiguities = evidence?.get('ambiguity_count') ?? 0;
  return renderJson(
    200,
    members({
      ...Object.fromEntries(evidence ?? []),
      'ambiguous?': ambiguities !== 0,
      streams: [...streams].map(([streamId, turns]) =>
        members({ stream_id: streamId, turns } satisfies Showing<ShownConversation['streams'][number]>),
      ),
      next_cursor: last.get('next_cursor'),
      omitted_count: last.get('omitted_count'),
      truncated: last.get('next_cursor') !== null,
      snapshot_hash: last.get('snapshot_hash'),
      trace_snapshot_hash: last.get('trace_snapshot_hash'),
    } satisfies Showing<Pick<ShownConversation, 'streams' | 'next_cursor' | 'omitted_count'>>),
  );
}

/** What the run came to. */
export async function serveResult({ analysis }: PinnedEvidence, gate: Gate, runId: string): Promise<HttpAnswer> {
  const closed = closedGate(gate);
  if (closed !== null) return closed;
  const opened = await analysis.open(members({ run_id: runId }));
  if (!opened.ok) return privateFault(opened.fault);
  const isThere = objectOf(opened.value, 'inspection')?.get('available?') === true;
  return isThere
    ? renderJson(200, members({ result: opened.value.get('result'), snapshot_hash: opened.value.get('snapshot_hash') }))
    : NOT_RECORDED;
}

/** What a private route is asked for. */
interface Wanted {
  readonly runId: string;
  readonly collection: string;
  /** Null: from the beginning. */
  readonly cursor: string | null;
}

interface Collected {
  readonly items: readonly JsonValue[];
  /** The page that has the last of the items. */
  readonly last: JsonObject;
}

/** Pages of a collection that fit one answer together: always the first, which does by itself. */
async function collectItems(analysis: Analysis, { runId, collection, cursor }: Wanted): Promise<Answer<Collected>> {
  const items: JsonValue[] = [];
  let [last, from, used]: [JsonObject | null, JsonValue, number] = [null, cursor, 0];
  for (;;) {
    const page: Answer<JsonObject> = await analysis.read(
      members({ run_id: runId, collection, limit: PAGE, cursor: from }),
    );
    if (!page.ok) return page;
    const found: JsonValue | undefined = page.value.get('items');
    if (!isJsonArray(found)) return refuseQuery('malformed_source');
    used += Buffer.byteLength(canonicalJson(page.value));
    if (last !== null && (used > PAGES_BYTES || items.length + found.length > ITEMS_MOST))
      return answer({ items, last });
    items.push(...found);
    last = page.value;
    from = last.get('next_cursor') ?? null;
    if (from === null) return answer({ items, last });
  }
}

function privateFault(fault: Parameters<typeof faultAnswer>[0]): HttpAnswer {
  return fault === 'evidence_unavailable' ? NOT_RECORDED : faultAnswer(fault);
}
