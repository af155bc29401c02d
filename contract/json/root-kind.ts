import { parseJson } from './parse.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const LOWER_K = 0x6b;

/** Bytes of `"kind"` with every letter written as a unicode escape, the longest way to write that key. */
const LONGEST_KIND_KEY = 26;

/**
 * The first readable string that a root object gives for the key `kind`, for documents that are too large, too deep
 * or repeat keys (documents.md §6). Takes any bytes, also a document cut off at its bound; reads no further than
 * that string or the first byte that fits no root object, and looks inside nested values only for where they end.
 */
export function firstRootKind(bytes: Uint8Array): string | undefined {
  let index = afterSpace(bytes, 0);
  if (bytes[index] !== 0x7b) {
    return undefined;
  }
  do {
    const key = afterSpace(bytes, index + 1);
    const keyEnd = stringEnd(bytes, key);
    const colon = keyEnd === undefined ? bytes.length : afterSpace(bytes, keyEnd);
    if (bytes[colon] !== COLON) {
      return undefined;
    }
    const value = afterSpace(bytes, colon + 1);
    const end = valueEnd(bytes, value);
    const kind = isKindKey(bytes.subarray(key, keyEnd)) ? decoded(bytes.subarray(value, end)) : undefined;
    if (kind !== undefined) {
      return kind;
    }
    index = afterSpace(bytes, end);
  } while (bytes[index] === COMMA);
  return undefined;
}

function isKindKey(token: Uint8Array): boolean {
  const first = token[1];
  return token.length <= LONGEST_KIND_KEY && (first === LOWER_K || first === BACKSLASH) && decoded(token) === 'kind';
}

/** The text of a string token; undefined for anything else. */
function decoded(token: Uint8Array): string | undefined {
  const parse = parseJson(token, { bytes: token.length, depth: 1, nodes: 1 });
  return parse.ok && parse.root.kind === 'string' ? parse.root.value : undefined;
}

/** Index behind a value, found by its brackets and strings alone. */
function valueEnd(bytes: Uint8Array, start: number): number {
  let depth = 0;
  let index = start;
  while (index < bytes.length) {
    const byte = bytes[index];
    if (byte === QUOTE) {
      index = stringEnd(bytes, index) ?? bytes.length;
    } else {
      const opens = byte === 0x7b || byte === 0x5b;
      const closes = byte === 0x7d || byte === 0x5d;
      if (depth === 0 && (closes || byte === COMMA)) {
        return index;
      }
      depth += opens ? 1 : 0;
      depth -= closes ? 1 : 0;
      index += 1;
    }
  }
  return index;
}

/** Index behind the string token that starts there; undefined when none starts or it does not end. */
function stringEnd(bytes: Uint8Array, start: number): number | undefined {
  if (bytes[start] !== QUOTE) {
    return undefined;
  }
  for (let index = start + 1; index < bytes.length; index += 1) {
    if (bytes[index] === QUOTE) {
      return index + 1;
    }
    if (bytes[index] === BACKSLASH) {
      index += 1;
    }
  }
  return undefined;
}

function afterSpace(bytes: Uint8Array, start: number): number {
  let index = start;
  while (bytes[index] === 0x20 || bytes[index] === 0x0a || bytes[index] === 0x0d || bytes[index] === 0x09) {
    index += 1;
  }
  return index;
}
