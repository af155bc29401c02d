import type { JsonFault, JsonLimits } from './fault.ts';
import { slicedValue, valueOf, type JsonNode } from './node.ts';
import { scanJson, slicedScan, type JsonScan } from './scan.ts';
import { doPaced, type Pace } from './paced.ts';
import { utf8Length, wellFormedLength } from './utf8.ts';
import type { JsonValue } from './value.ts';

export type { JsonFault, JsonLimits } from './fault.ts';
export { documentLimits } from './fault.ts';

/** A document with all its places, or the first fault of its bytes (documents.md §1). */
export type JsonParse =
  | { readonly ok: true; readonly root: JsonNode }
  | { readonly ok: false; readonly fault: JsonFault };

/**
 * Parses a document strictly (documents.md §1): UTF-8 without byte order mark or lone surrogates, nothing but JSON,
 * no key twice in one object, numbers by class.
 *
 * Faults win in this order: `too_large` (at `limits.bytes`), `encoding` of the bytes (at the first malformed
 * sequence), then whichever of `syntax`, `encoding` (an escaped lone surrogate), `too_deep`, `too_many_nodes` comes
 * first in the text, and last `duplicate_key`: a text that is no JSON has no objects. A float beyond the range of a
 * double is a `syntax` fault.
 */
export function parseJson(bytes: Uint8Array, limits: JsonLimits): JsonParse {
  if (bytes.length > limits.bytes) {
    return refused('too_large', limits.bytes);
  }
  const text = decode(bytes);
  if (text === undefined) {
    return refused('encoding', wellFormedLength(bytes));
  }
  return text.startsWith('\uFEFF') ? refused('encoding', 0) : withoutDuplicates(scanJson(text, limits));
}

/** As `parseJson`, of a text already decoded; offsets are those of its UTF-8 form. */
export function parseJsonText(text: string, limits: JsonLimits): JsonParse {
  const fault = textFault(text, limits);
  return fault === null ? withoutDuplicates(scanJson(text, limits)) : { ok: false, fault };
}

/** A value without its places, or the first fault of its text. */
export type JsonReading =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly fault: JsonFault };

/**
 * The value that `parseJsonText` finds, at once where the text is short, else a slice in each turn of its pace.
 */
export function readJsonText(text: string, limits: JsonLimits, pace: Pace): JsonReading | Promise<JsonReading> {
  if (text.length > pace.units) {
    return readLong(text, limits, pace);
  }
  const parsed = parseJsonText(text, limits);
  return parsed.ok ? { ok: true, value: valueOf(parsed.root) } : parsed;
}

async function readLong(text: string, limits: JsonLimits, pace: Pace): Promise<JsonReading> {
  const fault = textFault(text, limits);
  if (fault !== null) {
    return { ok: false, fault };
  }
  const parsed = withoutDuplicates(await doPaced(slicedScan(text, limits), pace));
  return parsed.ok ? { ok: true, value: await doPaced(slicedValue(parsed.root), pace) } : parsed;
}

/** The value that `parseJson` finds, at once where there are few bytes, else a slice in each turn of its pace. */
export function readJson(bytes: Uint8Array, limits: JsonLimits, pace: Pace): JsonReading | Promise<JsonReading> {
  const text = bytes.length > pace.units && bytes.length <= limits.bytes ? decode(bytes) : undefined;
  if (text !== undefined) return readLong(text, limits, pace);
  const parsed = parseJson(bytes, limits);
  return parsed.ok ? { ok: true, value: valueOf(parsed.root) } : parsed;
}

/** What is wrong with a text before it is looked at as JSON. */
function textFault(text: string, limits: JsonLimits): JsonFault | null {
  // No unit is more than three bytes.
  if (text.length > limits.bytes / 3 && utf8Length(text) > limits.bytes) {
    return { kind: 'too_large', offset: limits.bytes };
  }
  if (!text.isWellFormed()) {
    return { kind: 'encoding', offset: utf8Length(text.slice(0, text.search(/\p{Surrogate}/u))) };
  }
  return text.startsWith('\uFEFF') ? { kind: 'encoding', offset: 0 } : null;
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // The one way a fatal decoder fails on a byte array: the bytes are not UTF-8.
    return undefined;
  }
}

function withoutDuplicates(scan: JsonScan): JsonParse {
  if (!scan.ok) {
    return scan;
  }
  return scan.duplicate === null ? { ok: true, root: scan.root } : { ok: false, fault: scan.duplicate };
}

function refused(kind: 'too_large' | 'encoding', offset: number): JsonParse {
  return { ok: false, fault: { kind, offset } };
}
