import type { JsonText } from '../../../contract/json/canonical.ts';
import { valueOf } from '../../../contract/json/node.ts';
import { parseJsonText } from '../../../contract/json/parse.ts';
import type { JsonValue } from '../../../contract/json/value.ts';

/** The value of a text whose size and depth were held to their bounds before; null where it is no JSON. */
export function admittedValue(text: JsonText): JsonValue {
  const parsed = parseJsonText(text, { bytes: Number.MAX_SAFE_INTEGER, depth: 64, nodes: Number.MAX_SAFE_INTEGER });
  return parsed.ok ? valueOf(parsed.root) : null;
}
