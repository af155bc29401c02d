import {
  isJsonArray,
  isJsonInteger,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../../../contract/json/value.ts';

const NAME = /^[a-z][a-z0-9._-]{0,127}$/;
const HEX = /^[0-9a-f]{64}$/;
const DIGEST = /^sha256:[0-9a-f]{64}$/;

export function isName(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && NAME.test(value);
}

export function isDigest(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && DIGEST.test(value);
}

export function isCount(value: JsonValue | undefined): boolean {
  return isJsonInteger(value) && value >= 0;
}

/** The data of `run-started` (evidence.md §3): the preludes of the workflow and of each mission, by name. */
export function isRunStarted(data: JsonObject): boolean {
  const missions = data.get('missions');
  if (!isJsonObject(missions) || !isPrelude(data.get('workflow_prelude'))) return false;
  return [...missions].every(
    ([name, mission]) => isName(name) && isJsonObject(mission) && isPrelude(mission.get('prelude')),
  );
}

function isPrelude(value: JsonValue | undefined): boolean {
  if (!isJsonObject(value)) return false;
  const ids = value.get('component_ids');
  const rows = value.get('dependency_indices');
  const hash = value.get('hash');
  if (!isJsonArray(ids) || !isJsonArray(rows) || rows.length !== ids.length) return false;
  const isHashRight = ids.length === 0 ? hash === null : typeof hash === 'string' && HEX.test(hash);
  return isHashRight && ids.every(isName) && new Set(ids).size === ids.length && rows.every(isRow);
}

/** Ascending, unique, below its own position. */
function isRow(row: JsonValue, position: number): boolean {
  return isJsonArray(row) && row.every((index, at) => isIndex(row, index, at, position));
}

function isIndex(row: JsonArray, index: JsonValue, at: number, position: number): boolean {
  const before = at === 0 ? -1 : row[at - 1];
  return typeof index === 'number' && typeof before === 'number' && index > before && index < position;
}

const USAGE_COUNTS = [
  'remaining_ms',
  'subordinate_evaluations',
  'protocol_errors',
  'agent_protocol_errors',
  'evaluation_memory_bytes',
  'evaluation_history_bytes',
  'evaluation_continuation_bytes',
] as const;
const SPEND_STATES: ReadonlySet<JsonValue | undefined> = new Set([
  'empty',
  'incomplete',
  'overflow',
  'unpriced',
  'available',
]);

/** The usage of a run's `run-stopped` (evidence.md §3). */
export function isRunUsage(value: JsonValue | undefined): boolean {
  if (!isJsonObject(value)) return false;
  const calls = value.get('capability_calls');
  const budget = value.get('llm_budget');
  const spend = value.get('llm_spend');
  if (!isJsonObject(calls) || !isCounts(calls.get('workflow')) || !isCounts(calls.get('mission'))) return false;
  if (!isJsonObject(budget) || !budget.has('total_tokens') || !budget.has('cost')) return false;
  if (!isJsonObject(spend) || !SPEND_STATES.has(spend.get('state'))) return false;
  return USAGE_COUNTS.every((member) => isCount(value.get(member))) && isCounts(value.get('events_dropped'));
}

function isCounts(value: JsonValue | undefined): boolean {
  return isJsonObject(value) && [...value.values()].every(isCount);
}
