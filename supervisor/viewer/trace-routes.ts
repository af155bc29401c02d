import { valueOf } from '../../contract/json/node.ts';
import { documentLimits, parseJsonText } from '../../contract/json/parse.ts';
import type { JsonObject, JsonValue } from '../../contract/json/value.ts';
import { refuseQuery, type Answer } from '../history/analysis/answer.ts';
import { members } from '../history/analysis/members.ts';
import { otlpJson } from '../history/otlp/otlp-json.ts';
import { renderAnswer, faultAnswer, renderJson, type HttpAnswer } from './answers.ts';
import type { PinnedEvidence } from './evidence.ts';

const QUERY_BYTES = 8192;
const INTEGER = /^[0-9]{1,4}$/;

/** Runs, newest first, each with everything that its trace reports (evidence.md §11). */
export async function serveRunsPage({ analysis }: PinnedEvidence, options: URLSearchParams): Promise<HttpAnswer> {
  const query = queryOf(options);
  if (!query.ok || query.value.has('view')) return faultAnswer('invalid_query');
  return renderAnswer(await analysis.runs(new Map([...query.value, ['view', 'full']])));
}

/** One run, without its result: that is private. */
export async function serveRun({ analysis }: PinnedEvidence, runId: string): Promise<HttpAnswer> {
  const opened = await analysis.open(members({ run_id: runId }));
  if (!opened.ok) return faultAnswer(opened.fault);
  const { value } = opened;
  return renderJson(
    200,
    members({
      run: value.get('run'),
      inspection: value.get('inspection'),
      collections: value.get('collections'),
      snapshot_hash: value.get('snapshot_hash'),
    }),
  );
}

/** A page of the events of a run. */
export async function serveActivityPage(
  { analysis }: PinnedEvidence,
  runId: string,
  options: URLSearchParams,
): Promise<HttpAnswer> {
  const query = queryOf(options);
  if (!query.ok || query.value.has('run_id') || query.value.has('collection')) return faultAnswer('invalid_query');
  return renderAnswer(await analysis.read(new Map([...query.value, ['run_id', runId], ['collection', 'activity']])));
}

/** The spans of a run, for a tool that knows those of OpenTelemetry (evidence.md §13). */
export async function serveSpans(evidence: PinnedEvidence, runId: string): Promise<HttpAnswer> {
  const read = await evidence.run(runId);
  if (!read.ok) return faultAnswer(read.fault);
  const run = read.value;
  const events = run.events.map(({ type, data, timestamp }) => ({
    event: { type, data },
    at: millisecondsOf(timestamp),
  }));
  return {
    status: 200,
    type: 'application/json; charset=utf-8',
    body: Buffer.from(otlpJson({ runId: run.runId, traceId: run.traceId, events })),
  };
}

/** Of a time stamp with microseconds, which a date would cut. */
function millisecondsOf(timestamp: string): number {
  return Date.parse(`${timestamp.slice(0, 19)}Z`) + Number(timestamp.slice(20, 26)) / 1000;
}

export async function serveCounters({ analysis }: PinnedEvidence, options: URLSearchParams): Promise<HttpAnswer> {
  const query = queryOf(options);
  return query.ok ? renderAnswer(await analysis.counters(query.value)) : faultAnswer(query.fault);
}

const STATUS_OF_REFRESH: Readonly<Record<string, number>> = { source_unavailable: 503, not_found: 404 };

export async function refresh(evidence: PinnedEvidence): Promise<HttpAnswer> {
  const refreshed = await evidence.refresh();
  if (refreshed.ok) return renderJson(200, members({ status: 'ok' }));
  return { ...faultAnswer(refreshed.fault), status: STATUS_OF_REFRESH[refreshed.fault] ?? 500 };
}

/** Options of an address as those of a query: each once, `limit` an integer, `tags` JSON. */
function queryOf(options: URLSearchParams): Answer<JsonObject> {
  const query = new Map<string, JsonValue>();
  for (const [name, text] of options) {
    if (query.has(name)) return refuseQuery('invalid_query');
    const value = optionOf(name, text);
    if (value === undefined) return refuseQuery('invalid_query');
    query.set(name, value);
  }
  return { ok: true, value: query };
}

function optionOf(name: string, text: string): JsonValue | undefined {
  if (name === 'limit') return INTEGER.test(text) ? Number(text) : undefined;
  if (name !== 'tags') return text;
  const parsed = parseJsonText(text, documentLimits(QUERY_BYTES));
  return parsed.ok ? valueOf(parsed.root) : undefined;
}
