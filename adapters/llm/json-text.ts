import { documentLimits, parseJsonText as parse } from '../../contract/json/parse.ts';
import { valueOf } from '../../contract/json/node.ts';
import type { JsonValue } from '../../contract/json/value.ts';
import { utf8Length } from '../../contract/json/utf8.ts';

/** The value of a text that somebody else wrote; undefined where it is no strict JSON (documents.md §1). */
export function parseJsonText(text: string): JsonValue | undefined {
  const parsed = parse(text, documentLimits(utf8Length(text)));
  return parsed.ok ? valueOf(parsed.root) : undefined;
}
