import { canonicalJson } from '../../../contract/json/canonical.ts';
import { valueOf } from '../../../contract/json/node.ts';
import { parseJsonText } from '../../../contract/json/parse.ts';
import type { JsonObject, JsonValue } from '../../../contract/json/value.ts';
import { members } from '../../history/analysis/members.ts';
import type { FormEnd, FormError } from '../../session/form-end.ts';
import { cutText } from './cut.ts';

/**
 * JSON bytes of each of value, printed form and prints: three of them and a source are within one entry of a transcript
 * (evidence.md §11).
 */
export const PART_BYTES = 32_768;
const MESSAGE_BYTES = 4096;
const DEPTH = 512;

const EFFECTS: Readonly<Record<string, string>> = {
  continued: 'committed_with_history',
  returned: 'committed_without_history',
};

/** How one form ended, with what is reported beside. */
export interface FormEvaluation {
  readonly id: string;
  readonly end: FormEnd;
  /** The value as the language prints it; null where it cannot be printed whole, or there is none. */
  readonly printed: string | null;
  readonly durationMs: number;
  readonly calls: Readonly<Record<string, number>>;
}

/** `evaluation` of an answer (evidence.md §11): bounded, without its source. */
export function evaluationOf({ id, end, printed, durationMs, calls }: FormEvaluation): JsonObject {
  const prints = cutText(end.prints.join('\n'), PART_BYTES);
  return new Map([
    ...members({
      evaluation_id: id,
      status: end.kind === 'value' ? 'ok' : 'error',
      outcome: end.outcome ?? 'evaluation_error',
      continuation_effect: end.kind === 'failed' ? 'preserved' : (EFFECTS[end.outcome ?? ''] ?? 'preserved'),
      duration_ms: Math.round(durationMs),
      prints: prints.text,
      'prints_truncated?': prints.isCut,
      recovered: end.recovered,
      usage: members({ capability_calls: members(calls) }),
    }),
    ...(end.kind === 'value' ? valueMembers(end, printed) : members({ error: errorOf(end.error) })),
  ]);
}

/**
 * What is too large for an answer is reported only as it is printed; `value_available?` says whether there is JSON of
 * it at all.
 */
function valueMembers(end: Extract<FormEnd, { readonly kind: 'value' }>, printed: string | null): JsonObject {
  const isThere = end.isUnavailable !== true;
  const isSmall = isThere && Buffer.byteLength(end.text) <= PART_BYTES;
  const value = isSmall ? jsonOf(end.text) : undefined;
  const formatted = cutText(
    printed ?? (value === undefined ? end.text : JSON.stringify(JSON.parse(end.text), null, 2)),
    PART_BYTES,
  );
  return members({
    'value_available?': isThere,
    value: value !== undefined && Buffer.byteLength(canonicalJson(value)) <= PART_BYTES ? value : undefined,
    formatted: formatted.text,
    'formatted_truncated?': formatted.isCut,
  });
}

function errorOf({ kind, message, place }: FormError): JsonObject {
  const { text, isCut } = cutText(message, MESSAGE_BYTES);
  return members({
    kind,
    message: text,
    'message_truncated?': isCut ? true : undefined,
    line: place?.line,
    column: place?.column,
  });
}

function jsonOf(text: string): JsonValue {
  const parsed = parseJsonText(text, { bytes: Number.MAX_SAFE_INTEGER, depth: DEPTH, nodes: Number.MAX_SAFE_INTEGER });
  if (!parsed.ok) throw new Error('the sandbox sends values as JSON');
  return valueOf(parsed.root);
}
