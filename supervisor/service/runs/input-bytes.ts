import { canonicalJson } from '../../../contract/json/canonical.ts';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { MAX_BYTES } from '../../documents/sizes.ts';
import type { RunRequest } from '../embedding/types.ts';

/**
 * The input of a request as one JSON document, of which the caller keeps nothing; null: it is no JSON, or too large to
 * be one.
 */
export function inputBytes(input: NonNullable<RunRequest['input']>): Uint8Array | null {
  if (input instanceof Uint8Array) return input.length > MAX_BYTES.input ? null : input.slice();
  const value = jsonFromPlain(input);
  if (value === undefined) return null;
  const bytes = new TextEncoder().encode(canonicalJson(value));
  return bytes.length > MAX_BYTES.input ? null : bytes;
}
