import { createHash } from 'node:crypto';
import { canonicalJson } from '../../contract/json/canonical.ts';
import { identityPreimage } from '../../contract/json/identity.ts';
import type { JsonValue } from '../../contract/json/value.ts';

/** `sha256:` and 64 lowercase hex digits. */
export type Digest = `sha256:${string}`;

/** SHA-256, 64 lowercase hex digits. */
export function sha256Hex(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** H(domain, v) of documents.md §10, 64 hex digits. */
export function identityHex(domain: string, value: JsonValue): string {
  return sha256Hex(identityPreimage(domain, value));
}

/** H(domain, v) of documents.md §10, as a digest. */
export function identityDigest(domain: string, value: JsonValue): Digest {
  return `sha256:${identityHex(domain, value)}`;
}

/** J(v) of documents.md §10: snapshot facts, results. */
export function jsonDigest(value: JsonValue): Digest {
  return `sha256:${sha256Hex(canonicalJson(value))}`;
}
