import { valueOf } from '../../contract/json/node.ts';
import { parseJsonText } from '../../contract/json/parse.ts';
import type { JsonValue } from '../../contract/json/value.ts';

/** Levels of a value that leaves: those of plain data (contract/json/plain.ts, 512) less the envelope around it. */
export const VALUE_DEPTH = 500;

/** Null for text that is no JSON, or nested too deep to be published. The caller bounds its length. */
export function decodeGuestJson(json: string, depth: number = VALUE_DEPTH): { readonly value: JsonValue } | null {
  const unbounded = Number.MAX_SAFE_INTEGER;
  const parsed = parseJsonText(json, { bytes: unbounded, depth, nodes: unbounded });
  return parsed.ok ? { value: valueOf(parsed.root) } : null;
}
