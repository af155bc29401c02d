import { canonicalJson } from '../../contract/json/canonical.ts';
import { valueOf } from '../../contract/json/node.ts';
import { parseJsonText } from '../../contract/json/parse.ts';
import type { JsonObject, JsonValue } from '../../contract/json/value.ts';
import { isJsonObject } from '../../contract/json/value.ts';
import { utf8Length } from '../../contract/json/utf8.ts';
import { namedArguments } from './argument-names.ts';
import type { SameProperty } from './argument-names.ts';

/** Levels of arguments; deeper ones no private record could hold (evidence.md §6, nesting 53 with its envelope). */
const ARGUMENT_DEPTH = 50;
/** Of the text that a guest writes: each member has five bytes at least, of which the mark of a keyword takes two more. */
const MARKED_BYTES = 7 / 5;

export type GivenArguments =
  | { readonly ok: true; readonly given: JsonObject }
  | { readonly ok: false; readonly reason: 'argument_exceeded' | 'ambiguous_arguments' | 'invalid_arguments' }
  | { readonly ok: false; readonly reason: 'input_validation_failed'; readonly same: SameProperty };

/**
 * The argument map of a call (runtime.md §5 step 3), with the keys that `schema` gives it; null for a route, which has none. Its
 * size is that of its canonical form. Exactly at the limit passes.
 */
export function givenArguments(text: string, limitBytes: number, schema: JsonValue | null): GivenArguments {
  const mostBytes = Math.ceil(limitBytes * MARKED_BYTES);
  const bytes = text.length > mostBytes ? text.length : utf8Length(text);
  if (bytes > mostBytes) return { ok: false, reason: 'argument_exceeded' };
  const parsed = parseJsonText(text, { bytes: mostBytes, depth: ARGUMENT_DEPTH, nodes: Number.MAX_SAFE_INTEGER });
  if (!parsed.ok) return { ok: false, reason: parsed.fault.kind === 'duplicate_key' ? 'ambiguous_arguments' : 'invalid_arguments' };
  const value = valueOf(parsed.root);
  if (!isJsonObject(value)) return { ok: false, reason: 'invalid_arguments' };
  const named = namedArguments(value, schema);
  if (!named.ok) return { ok: false, reason: 'input_validation_failed', same: { property: named.property, keys: named.keys } };
  // No name is longer than its keyword: only the marks can have made the text too long.
  return bytes <= limitBytes || utf8Length(canonicalJson(named.given)) <= limitBytes ? { ok: true, given: named.given } : { ok: false, reason: 'argument_exceeded' };
}
