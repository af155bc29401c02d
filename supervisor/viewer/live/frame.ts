import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { valueOf } from '../../../contract/json/node.ts';
import { parseJson } from '../../../contract/json/parse.ts';

/** Bytes of a frame, and what it may hold of each list (evidence.md §10). */
export const FRAME_BYTES = 70_000;
const ACTIVITY_MOST = 40;
const SAMPLES_MOST = 100;
const SHOWN_MOST = 64;
const NODES = 20_000;
const DEPTH = 16;
const HEAP_WORDS = ['observed_words', 'peak_words', 'baseline_words', 'ceiling_words'];
const PHASES: ReadonlySet<JsonValue | undefined> = new Set(['running', 'ok', 'error']);

/** A frame as a run sends it; null for bytes that are none. What else it holds is shown to nobody. */
export function frameOf(bytes: Uint8Array): JsonObject | null {
  const parsed = parseJson(bytes, { bytes: FRAME_BYTES, depth: DEPTH, nodes: NODES });
  if (!parsed.ok) return null;
  const frame = valueOf(parsed.root);
  if (!isJsonObject(frame)) return null;
  const heap = frame.get('heap');
  const isWhole =
    PHASES.has(frame.get('phase')) &&
    isCount(frame.get('seq')) &&
    isCount(frame.get('elapsed_ms')) &&
    isTextOrAbsent(frame.get('label')) &&
    isTextOrAbsent(frame.get('outcome_reason')) &&
    isList(frame.get('activity'), ACTIVITY_MOST, isAct) &&
    isListOrAbsent(frame.get('agents'), isAgent) &&
    isListOrAbsent(frame.get('programs'), isProgram) &&
    (heap === undefined || heap === null || isHeap(heap));
  return isWhole ? frame : null;
}

function isCount(value: JsonValue | undefined): boolean {
  return typeof value === 'number' && value >= 0;
}

function isTextOrAbsent(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || typeof value === 'string';
}

function isHeap(value: JsonValue): boolean {
  return (
    isJsonObject(value) &&
    HEAP_WORDS.every((name) => isCount(value.get(name))) &&
    isList(value.get('samples'), SAMPLES_MOST, isSample)
  );
}

function isSample(value: JsonValue): boolean {
  return isJsonObject(value) && isCount(value.get('t')) && isCount(value.get('observed_words'));
}

function isAct(value: JsonValue): boolean {
  return (
    isJsonObject(value) &&
    isCount(value.get('t')) &&
    ['kind', 'name', 'status'].every((name) => typeof value.get(name) === 'string')
  );
}

function isAgent(value: JsonValue): boolean {
  return (
    isJsonObject(value) &&
    isCount(value.get('turn')) &&
    (value.get('max_turns') === null || isCount(value.get('max_turns'))) &&
    ['id', 'kind'].every((name) => typeof value.get(name) === 'string')
  );
}

function isProgram(value: JsonValue): boolean {
  return isJsonObject(value) && typeof value.get('line') === 'string' && isTextOrAbsent(value.get('outcome'));
}

function isListOrAbsent(value: JsonValue | undefined, isItem: (item: JsonValue) => boolean): boolean {
  return value === undefined || isList(value, SHOWN_MOST, isItem);
}

function isList(value: JsonValue | undefined, most: number, isItem: (item: JsonValue) => boolean): boolean {
  return isJsonArray(value) && value.length <= most && value.every(isItem);
}
