import { compareUtf8 } from './utf8.ts';
import type { JsonObject, JsonScalar, JsonValue } from './value.ts';
import { isJsonArray, isJsonObject } from './value.ts';

/** What a notation writes around and for the parts of a value; items and members are separated by commas. */
export interface TreeNotation {
  readonly scalar: (value: JsonScalar) => string;
  readonly key: (key: string) => string;
  readonly array: readonly [open: string, close: string];
  readonly object: readonly [open: string, close: string];
  /** Before the key, between key and value, after the value. */
  readonly member: readonly [open: string, between: string, close: string];
}

/** A container that is being written; `keys` is null for an array, else as long as `values`. */
interface Level {
  readonly keys: readonly string[] | null;
  readonly values: readonly JsonValue[];
  next: number;
}

/**
 * Writes a value in a notation, members sorted by the UTF-8 bytes of their keys. Open containers are kept in a list,
 * so that nesting never reaches the call stack.
 */
export function writeTree(value: JsonValue, notation: TreeNotation): string {
  const [arrayOpen, arrayClose] = notation.array;
  const [objectOpen, objectClose] = notation.object;
  const [memberOpen, memberBetween, memberClose] = notation.member;
  const levels: Level[] = [];
  const begin = (next: JsonValue): string => {
    if (isJsonArray(next)) {
      levels.push({ keys: null, values: next, next: 0 });
      return arrayOpen;
    }
    if (isJsonObject(next)) {
      levels.push(objectLevel(next));
      return objectOpen;
    }
    return notation.scalar(next);
  };
  let text = begin(value);
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const { keys, values, next } = level;
    const item = values[next];
    const written = keys !== null && next > 0 ? memberClose : '';
    if (item === undefined) {
      levels.pop();
      text += written + (keys === null ? arrayClose : objectClose);
    } else {
      level.next += 1;
      const key = keys?.[next];
      text += written + (next > 0 ? ',' : '') + (key === undefined ? '' : memberOpen + notation.key(key) + memberBetween);
      text += begin(item);
    }
  }
  return text;
}

function objectLevel(object: JsonObject): Level {
  const members = [...object].toSorted(([left], [right]) => compareUtf8(left, right));
  return { keys: members.map(([key]) => key), values: members.map(([, value]) => value), next: 0 };
}
