import { canonicalJson } from '../../../../contract/json/canonical.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../../contract/json/value.ts';

/** Characters of a text that stay, from generous to strict; of a list, one item for every so many characters. */
const STORED_CHARACTERS: readonly number[] = [65_536, 8192, 1024, 128];
const CHARACTERS_PER_ITEM = 32;

/** Cuts what is too large for an answer. */
export type CutValue = (value: JsonObject, bytes: number) => JsonObject;

/**
 * For readers who would rather see the beginning of a large value than none: cuts texts and lists until the value has
 * at most `bytes` canonical bytes, and says what was left out where it was. Returns the strictest cut where even that
 * is larger.
 */
export const cutValue: CutValue = (value, bytes) => {
  let cut = value;
  for (const most of STORED_CHARACTERS) {
    cut = cutMembers(value, most);
    if (Buffer.byteLength(canonicalJson(cut)) <= bytes) break;
  }
  return cut;
};

function cutMembers(object: JsonObject, most: number): JsonObject {
  return new Map([...object].map(([name, member]) => [name, cutAny(member, most)]));
}

function cutAny(value: JsonValue, most: number): JsonValue {
  if (typeof value === 'string')
    return value.length > most
      ? `${value.slice(0, most).toWellFormed()}… (${value.length - most} more characters)`
      : value;
  if (isJsonObject(value)) return cutMembers(value, most);
  if (!isJsonArray(value)) return value;
  const itemCount = Math.floor(most / CHARACTERS_PER_ITEM);
  const items = value.slice(0, itemCount).map((item) => cutAny(item, most));
  return value.length > itemCount ? [...items, `… (${value.length - itemCount} more items)`] : items;
}
