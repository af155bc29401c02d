import { canonicalInteger, canonicalString, escapedPiece } from './canonical.ts';
import { isJsonFloat, type JsonScalar, type JsonValue } from './value.ts';
import { writeTree } from './write-tree.ts';

/**
 * The typed encoding T(v) of documents.md §10 as canonical JSON text: every value says its class, so that `1` and
 * `1.0`, or a text and a number, never share a digest. Throws as `canonicalJson` does.
 */
export function identityText(value: JsonValue): string {
  return writeTree(value, {
    scalar: identityScalar,
    key: canonicalString,
    piece: escapedPiece,
    string: ['["string","', '"]'],
    array: ['["array",[', ']]'],
    object: ['["object",[', ']]'],
    member: ['[', ',', ']'],
  });
}

/**
 * What the digest H(domain, v) of documents.md §10 is the SHA-256 of: the domain, a zero byte, the length of the
 * typed encoding as eight bytes big-endian, the encoding.
 */
export function identityPreimage(domain: string, value: JsonValue): Uint8Array {
  const encoder = new TextEncoder();
  const name = encoder.encode(domain);
  const encoded = encoder.encode(identityText(value));
  const preimage = new Uint8Array(name.length + 9 + encoded.length);
  preimage.set(name, 0);
  new DataView(preimage.buffer).setBigUint64(name.length + 1, BigInt(encoded.length));
  preimage.set(encoded, name.length + 9);
  return preimage;
}

function identityScalar(value: JsonScalar): string {
  if (typeof value === 'string') {
    return `["string",${canonicalString(value)}]`;
  }
  if (typeof value === 'number' || typeof value === 'bigint') {
    return `["integer","${canonicalInteger(value)}"]`;
  }
  if (isJsonFloat(value)) {
    return `["float64","${float64Hex(value.value)}"]`;
  }
  return value === null ? '["null"]' : `["boolean",${value}]`;
}

function float64Hex(value: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return view.getBigUint64(0).toString(16).padStart(16, '0');
}
