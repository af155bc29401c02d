import { isJsonArray, isJsonObject, type JsonValue } from '../../../../contract/json/value.ts';

/**
 * Bytes, near enough to what an engine takes, of any value, of what holds others, and of a member in addition to its
 * name.
 */
const VALUE_BYTES = 8;
const LIST_BYTES = 16;
const OBJECT_BYTES = 32;
const MEMBER_BYTES = 8;

/**
 * What a value takes in memory: some twice its text for what runs write, and many times that for lists and objects that
 * are empty (evidence.md §5, "retained bytes").
 */
export function retainedBytes(value: JsonValue): number {
  if (typeof value === 'string') return VALUE_BYTES + value.length;
  if (isJsonArray(value)) return value.reduce<number>((sum, item) => sum + retainedBytes(item), LIST_BYTES);
  if (!isJsonObject(value)) return VALUE_BYTES;
  let sum = OBJECT_BYTES;
  for (const [name, member] of value) sum += MEMBER_BYTES + name.length + retainedBytes(member);
  return sum;
}
