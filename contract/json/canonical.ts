import { doubleLayout } from './double-layout.ts';
import { doPaced, type Pace } from './paced.ts';
import { isJsonFloat, type JsonScalar, type JsonValue } from './value.ts';
import { slicedTree, writeTree, type TreeNotation } from './write-tree.ts';

/** Canonical JSON: how values cross where classes and maps cannot, and number classes must be kept. */
export type JsonText = string;

/**
 * The canonical JSON text of a value (providers.md §6), the one encoding that every digest, size and artifact uses:
 * keys in the order of their UTF-8 bytes, no white space, only `"`, `\` and control characters escaped, integers
 * exact, floats as in language.md §18. Has no line feed at its end.
 *
 * Throws RangeError for what `JsonValue` rules out but its type cannot: a lone surrogate, a `number` that is no safe
 * integer.
 */
export function canonicalJson(value: JsonValue): string {
  return writeTree(value, CANONICAL);
}

/** As `canonicalJson`, at once where the value is small, else in slices. */
export function writeCanonical(value: JsonValue, pace: Pace): string | Promise<string> {
  return doPaced(slicedTree(value, CANONICAL), pace);
}

/** Canonical text of a string, with its quotes; throws as `canonicalJson` does. */
export function canonicalString(text: string): string {
  if (!text.isWellFormed()) {
    throw new RangeError('a JSON string holds no lone surrogate');
  }
  return `"${escapedPiece(text)}"`;
}

/** A piece of a string without its quotes; where it is cut makes no difference. */
export function escapedPiece(text: string): string {
  return ESCAPED.test(text) ? text.replace(ESCAPED_ALL, escape) : text;
}

/** Canonical digits of an integer; throws as `canonicalJson` does. */
export function canonicalInteger(value: number | bigint): string {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new RangeError('a JSON integer held as number is safe');
  }
  return String(value);
}

/** Canonical text of a value without parts; throws as `canonicalJson` does. */
export function canonicalScalar(value: JsonScalar): string {
  if (typeof value === 'string') {
    return canonicalString(value);
  }
  if (typeof value === 'number' || typeof value === 'bigint') {
    return canonicalInteger(value);
  }
  return isJsonFloat(value) ? doubleLayout(value.value) : String(value);
}

const CANONICAL: TreeNotation = {
  scalar: canonicalScalar,
  key: canonicalString,
  piece: escapedPiece,
  string: ['"', '"'],
  array: ['[', ']'],
  object: ['{', '}'],
  member: ['', ':', ''],
};

// eslint-disable-next-line no-control-regex -- control characters are what must be escaped
const ESCAPED = /["\\\u0000-\u001f]/;
const ESCAPED_ALL = new RegExp(ESCAPED, 'g');

const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\b', '\\b'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\f', '\\f'],
  ['\r', '\\r'],
]);

function escape(unit: string): string {
  return SHORT_ESCAPES.get(unit) ?? `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}
