import { valueOf } from '../../contract/json/node.ts';
import { parseJsonText } from '../../contract/json/parse.ts';
import type { JsonObject } from '../../contract/json/value.ts';
import { isJsonObject } from '../../contract/json/value.ts';
import { utf8Length } from '../../contract/json/utf8.ts';

/** Levels of arguments; deeper ones no private record could hold (evidence.md §6, nesting 53 with its envelope). */
const ARGUMENT_DEPTH = 50;

export type GivenArguments =
  | { readonly ok: true; readonly given: JsonObject; readonly bytes: number }
  | { readonly ok: false; readonly reason: 'argument_exceeded' | 'ambiguous_arguments' | 'invalid_arguments' };

/**
 * The argument map of a call (runtime.md §5 step 3). The guest writes it canonically, so its bytes are its size; a text
 * that is padded only makes itself larger. Exactly at the limit passes.
 */
export function givenArguments(text: string, limitBytes: number): GivenArguments {
  const bytes = text.length > limitBytes ? text.length : utf8Length(text);
  if (bytes > limitBytes) return { ok: false, reason: 'argument_exceeded' };
  const parsed = parseJsonText(text, { bytes: limitBytes, depth: ARGUMENT_DEPTH, nodes: Number.MAX_SAFE_INTEGER });
  if (!parsed.ok) return { ok: false, reason: parsed.fault.kind === 'duplicate_key' ? 'ambiguous_arguments' : 'invalid_arguments' };
  const given = valueOf(parsed.root);
  return isJsonObject(given) ? { ok: true, given, bytes } : { ok: false, reason: 'invalid_arguments' };
}
