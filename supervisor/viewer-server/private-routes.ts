import { isJsonArray, isJsonObject } from '../../contract/json/value.ts';
import type { JsonObject, JsonValue } from '../../contract/json/value.ts';
import { canonicalJson } from '../../contract/json/canonical.ts';
import { answer, refuse } from '../analysis/answer.ts';
import type { Answer } from '../analysis/answer.ts';
import type { Analysis } from '../analysis/analysis.ts';
import { members, objectOf, textOf } from '../analysis/members.ts';
import { ANSWER_BYTES, faultAnswer, jsonAnswer, refusal } from './answers.ts';
import type { HttpAnswer } from './answers.ts';
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

const NOT_CONFIGURED = refusal(404, 'inspection_not_configured', 'the project records no inspections: set artifacts.trace and artifacts.inspection, and run it again');
const NOT_PRIVATE = refusal(404, 'inspection_not_private', 'private evidence is not shown: set viewer.private in the project, and start the viewer again');
const NOT_RECORDED = refusal(404, 'inspection_run_not_recorded', 'nothing private was recorded of this run: run it again');

/** The four gates before anything private (evidence.md §11). */
type Gate = Pick<EvidencePlaces, 'showsPrivate' | 'recordsInspection'>;

function closedGate({ recordsInspection, showsPrivate }: Gate): HttpAnswer | null {
  if (!recordsInspection) return NOT_CONFIGURED;
  return showsPrivate ? null : NOT_PRIVATE;
}

/** At most 1,000 items of a collection, in one answer. */
export async function privateItems({ analysis }: PinnedEvidence, gate: Gate, runId: string, collection: string): Promise<HttpAnswer> {
  const closed = closedGate(gate);
  if (closed !== null) return closed;
  const read = await collected(analysis, runId, collection);
  if (!read.ok) return privateFault(read.fault);
  const { items, last } = read.value;
  return fitting(members({ ...Object.fromEntries(last), items, next_cursor: null, truncated: last.get('next_cursor') !== null, omitted_count: last.get('omitted_count') }));
}

/** Every turn of every stream of a run, complete or not (evidence.md §9). */
export async function conversation({ analysis }: PinnedEvidence, gate: Gate, runId: string): Promise<HttpAnswer> {
  const closed = closedGate(gate);
  if (closed !== null) return closed;
  const read = await collected(analysis, runId, 'turns');
  if (!read.ok) return privateFault(read.fault);
  const { items, last } = read.value;
  const streams = new Map<string, JsonValue[]>();
  for (const turn of items.filter(isJsonObject)) {
    const stream = textOf(turn, 'stream_id') ?? '';
    streams.set(stream, [...(streams.get(stream) ?? []), turn]);
  }
  const evidence = objectOf(last, 'evidence');
  const ambiguities = evidence?.get('ambiguity_count') ?? 0;
  return fitting(members({
    ...Object.fromEntries(evidence ?? []),
    'ambiguous?': ambiguities !== 0,
    streams: [...streams].map(([streamId, turns]) => members({ stream_id: streamId, turns })),
    truncated: last.get('next_cursor') !== null,
    snapshot_hash: last.get('snapshot_hash'),
    trace_snapshot_hash: last.get('trace_snapshot_hash'),
  }));
}

/** What the run came to. */
export async function result({ analysis }: PinnedEvidence, gate: Gate, runId: string): Promise<HttpAnswer> {
  const closed = closedGate(gate);
  if (closed !== null) return closed;
  const opened = await analysis.open(members({ run_id: runId }));
  if (!opened.ok) return privateFault(opened.fault);
  const isThere = objectOf(opened.value, 'inspection')?.get('available?') === true;
  return isThere ? fitting(members({ result: opened.value.get('result'), snapshot_hash: opened.value.get('snapshot_hash') })) : NOT_RECORDED;
}

interface Collected {
  readonly items: readonly JsonValue[];
  readonly last: JsonObject;
}

async function collected(analysis: Analysis, runId: string, collection: string): Promise<Answer<Collected>> {
  const items: JsonValue[] = [];
  let cursor: JsonValue = null;
  for (;;) {
    const page: Answer<JsonObject> = await analysis.read(members({ run_id: runId, collection, limit: PAGE, cursor }));
    if (!page.ok) return page;
    const found: JsonValue | undefined = page.value.get('items');
    if (!isJsonArray(found)) return refuse('malformed_source');
    items.push(...found);
    cursor = page.value.get('next_cursor') ?? null;
    if (cursor === null || items.length >= ITEMS_MOST) return answer({ items, last: page.value });
  }
}

function privateFault(fault: Parameters<typeof faultAnswer>[0]): HttpAnswer {
  return fault === 'evidence_unavailable' ? NOT_RECORDED : faultAnswer(fault);
}

function fitting(value: JsonObject): HttpAnswer {
  return Buffer.byteLength(canonicalJson(value)) <= ANSWER_BYTES ? jsonAnswer(200, value) : faultAnswer('result_limit_exceeded');
}
