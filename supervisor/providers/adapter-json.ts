import type { JsonText } from '../../contract/json/canonical.ts';
import { valueOf } from '../../contract/json/node.ts';
import { parseJsonText, readJsonText, type JsonReading } from '../../contract/json/parse.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../contract/json/value.ts';
import { EVENT_LOOP_PACE } from '../../system/event-loop-pace.ts';

/** The value of a text that an adapter wrote, nested at most so deep; undefined where it is no JSON, or deeper. */
export function parsedText(text: JsonText, depth: number): JsonValue | undefined {
  const parsed = parseJsonText(text, { bytes: Number.MAX_SAFE_INTEGER, depth, nodes: Number.MAX_SAFE_INTEGER });
  return parsed.ok ? valueOf(parsed.root) : undefined;
}

/** As `parsedText`, of a text that may be long: it is then read in several turns of the event loop. */
export function readText(text: JsonText, depth: number): JsonValue | undefined | Promise<JsonValue | undefined> {
  const reading = readJsonText(
    text,
    { bytes: Number.MAX_SAFE_INTEGER, depth, nodes: Number.MAX_SAFE_INTEGER },
    EVENT_LOOP_PACE,
  );
  return reading instanceof Promise ? reading.then(valueIn) : valueIn(reading);
}

/** Whether a value that needs no parsing is nested at most so deep, as `readText` counts. */
export function isWithin(value: JsonValue, depth: number): boolean {
  if (depth < 1) return false;
  const parts = isJsonArray(value) ? value : isJsonObject(value) ? [...value.values()] : [];
  return parts.every((part) => isWithin(part, depth - 1));
}

function valueIn(read: JsonReading): JsonValue | undefined {
  return read.ok ? read.value : undefined;
}
