import type { JsonText } from '../../contract/json/canonical.ts';
import { valueOf } from '../../contract/json/node.ts';
import { parseJsonText } from '../../contract/json/parse.ts';
import type { JsonValue } from '../../contract/json/value.ts';

/** The value of a text that an adapter wrote, nested at most so deep; undefined where it is no JSON, or deeper. */
export function parsedText(text: JsonText, depth: number): JsonValue | undefined {
  const parsed = parseJsonText(text, { bytes: Number.MAX_SAFE_INTEGER, depth, nodes: Number.MAX_SAFE_INTEGER });
  return parsed.ok ? valueOf(parsed.root) : undefined;
}
