import { utf8Length } from '../../../contract/json/utf8.ts';
import { integerOf, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';

/** Whether an object has all of these members, and none beside them and the optional ones. */
export function hasExactly(object: JsonObject, required: readonly string[], optional: readonly string[] = []): boolean {
  return (
    required.every((name) => object.has(name)) &&
    [...object.keys()].every((name) => required.includes(name) || optional.includes(name))
  );
}

/** Whether a value is a text of so many bytes. */
export function isText(value: JsonValue | undefined, least: number, most: number): value is string {
  if (typeof value !== 'string') return false;
  const bytes = utf8Length(value);
  return bytes >= least && bytes <= most;
}

/** A safe integer of at least so much, whichever class it is written in; null for any other value. */
export function countOf(value: JsonValue | undefined, least: number): number | null {
  const integer = integerOf(value);
  return typeof integer === 'number' && integer >= least ? integer : null;
}

/** Whether a value is a list whose items are all such. */
export function isListOf<T extends JsonValue>(
  value: JsonValue | undefined,
  isItem: (item: JsonValue) => item is T,
): value is readonly T[] {
  return isJsonArray(value) && value.every(isItem);
}

/** Whether a value is an object, or is not there. */
export function isObjectOrAbsent(value: JsonValue | undefined): boolean {
  return value === undefined || isJsonObject(value);
}
