import type { JsonFault, JsonLimits } from './fault.ts';
import type { JsonNode } from './node.ts';
import type { JsonScan } from './scan.ts';
import { scanJson } from './scan.ts';
import { utf8Length, wellFormedLength } from './utf8.ts';

export type { JsonFault, JsonLimits } from './fault.ts';
export { documentLimits } from './fault.ts';

/** A document with all its places, or the first fault of its bytes (documents.md §1). */
export type JsonParse =
  { readonly ok: true; readonly root: JsonNode } | { readonly ok: false; readonly fault: JsonFault };

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
  if (utf8Length(text) > limits.bytes) {
    return refused('too_large', limits.bytes);
  }
  if (!text.isWellFormed()) {
    return refused('encoding', utf8Length(text.slice(0, text.search(/\p{Surrogate}/u))));
  }
  return text.startsWith('\uFEFF') ? refused('encoding', 0) : withoutDuplicates(scanJson(text, limits));
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
