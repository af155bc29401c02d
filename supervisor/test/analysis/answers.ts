import { jsonFromPlain, plainFromJson } from '../../../contract/json/plain.ts';
import { isJsonObject, type JsonObject } from '../../../contract/json/value.ts';
import type { Analysis } from '../../history/analysis/analysis.ts';
import type { AnalysisFault, Answer } from '../../history/analysis/answer.ts';

export const COLLECTIONS = [
  'activity',
  'turns',
  'model_exchanges',
  'capability_calls',
  'provider_exchanges',
  'generated_sources',
  'prelude_sources',
  'execution_prints',
  'execution_errors',
  'explicit_failure_values',
] as const;

export function query(plain: Readonly<Record<string, unknown>>): JsonObject {
  const json = jsonFromPlain(plain);
  if (!isJsonObject(json)) throw new TypeError('a query is a JSON object');
  return json;
}

/** The answer as plain data, or the word for why there is none. */
export function plain(answer: Answer<JsonObject>): unknown {
  return answer.ok ? plainFromJson(answer.value) : answer.fault;
}

/** Ids of all runs, the newest first. */
export async function runIds(analysis: Analysis): Promise<readonly string[]> {
  const { items } = Object(plain(await analysis.runs(query({ limit: 100 }))));
  return Array.isArray(items) ? items.map(({ run_id: id }: { readonly run_id: string }) => id) : [];
}

/** Everything that can be asked of a capture, by what was asked. */
export async function allAnswers(analysis: Analysis | AnalysisFault): Promise<Readonly<Record<string, unknown>>> {
  if (typeof analysis === 'string') return { capture: analysis };
  const answers: Record<string, unknown> = {
    runs: plain(await analysis.runs(query({}))),
    'runs in full': plain(await analysis.runs(query({ view: 'full', tags: { environment: 'test' } }))),
    'runs that failed': plain(await analysis.runs(query({ status: 'error', limit: 1 }))),
    counters: plain(await analysis.counters(query({}))),
    'counters of a mission': plain(await analysis.counters(query({ mission_name: 'room', name: 'talk' }))),
  };
  for (const id of await runIds(analysis)) {
    answers[`open ${id}`] = plain(await analysis.open(query({ run_id: id })));
    for (const collection of COLLECTIONS)
      answers[`read ${id} ${collection}`] = plain(await analysis.read(query({ run_id: id, collection, limit: 100 })));
  }
  return answers;
}

const RUN_ID = /cmd-[0-7][0-9a-hjkmnp-tv-z]{25}/g;
const VOLATILE = /^(?:duration_ms|remaining_ms|bytes|.*_bytes)$/;

/** Answers of one day as of any other: ids by their order, and nothing of times, sizes, digests and cursors. */
export function normalised(answers: Readonly<Record<string, unknown>>): unknown {
  const ids = new Map<string, string>();
  const text = JSON.stringify(answers, (key, value: unknown) =>
    VOLATILE.test(key) && typeof value === 'number' ? 0 : value,
  )
    .replaceAll(RUN_ID, (id) => {
      const name = ids.get(id) ?? `run-${ids.size + 1}`;
      ids.set(id, name);
      return name;
    })
    .replaceAll(/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{15}Z/g, '<time>')
    .replaceAll(/sha256:[0-9a-f]{64}/g, '<digest>')
    .replaceAll(/(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g, '<hex>')
    .replaceAll(/"next_cursor":"[^"]+"/g, '"next_cursor":"<cursor>"');
  return JSON.parse(text);
}
