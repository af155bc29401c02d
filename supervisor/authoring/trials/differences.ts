import { canonicalJson } from '../../../contract/json/canonical.ts';
import { compareUtf8 } from '../../../contract/json/utf8.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { equalValues } from '../../documents/contracts/equality.ts';

/** Where two values differ. Texts are canonical JSON; null: there is nothing there. */
export interface Difference {
  readonly path: readonly string[];
  readonly expected: string | null;
  readonly actual: string | null;
}

/** `partial`: objects may have further members. */
export type Comparison = 'whole' | 'partial';

/** Differences that are reported of one value. */
export const DIFFERENCES_MAX = 16;

/** Where a value differs from what is expected, in the order of its places; numbers compare by what they say. */
export function findDifferences(expected: JsonValue, actual: JsonValue, comparison: Comparison): readonly Difference[] {
  return [...differencesAt([], expected, actual, comparison)].slice(0, DIFFERENCES_MAX);
}

function* differencesAt(
  path: readonly string[],
  expected: JsonValue | undefined,
  actual: JsonValue | undefined,
  comparison: Comparison,
): Iterable<Difference> {
  if (isObject(expected) && isObject(actual)) {
    const keys = comparison === 'partial' ? expected.keys() : new Set([...expected.keys(), ...actual.keys()]);
    for (const key of [...keys].toSorted(compareUtf8))
      yield* differencesAt([...path, key], expected.get(key), actual.get(key), comparison);
  } else if (isList(expected) && isList(actual)) {
    const length = Math.max(expected.length, actual.length);
    for (let index = 0; index < length; index += 1)
      yield* differencesAt([...path, String(index)], expected[index], actual[index], comparison);
  } else if (expected === undefined || actual === undefined || !equalValues(expected, actual)) {
    yield { path, expected: textOf(expected), actual: textOf(actual) };
  }
}

function isObject(value: JsonValue | undefined): value is Extract<JsonValue, ReadonlyMap<string, JsonValue>> {
  return value !== undefined && isJsonObject(value);
}

function isList(value: JsonValue | undefined): value is Extract<JsonValue, readonly JsonValue[]> {
  return value !== undefined && isJsonArray(value);
}

function textOf(value: JsonValue | undefined): string | null {
  return value === undefined ? null : canonicalJson(value);
}
