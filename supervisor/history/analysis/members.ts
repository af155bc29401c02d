import { isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';

/** An object of these members, without those that are absent. */
export function members(input: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return new Map(Object.entries(input).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
}

/** The text of a member; undefined where it is none. */
export function findText(object: JsonObject | undefined, member: string): string | undefined {
  const value = object?.get(member);
  return typeof value === 'string' ? value : undefined;
}

export function objectOf(object: JsonObject | undefined, member: string): JsonObject | undefined {
  const value = object?.get(member);
  return isJsonObject(value) ? value : undefined;
}

/** A safe integer; undefined where it is none. */
export function findNumber(object: JsonObject | undefined, member: string): number | undefined {
  const value = object?.get(member);
  return typeof value === 'number' ? value : undefined;
}
