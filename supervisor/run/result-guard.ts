import { diagnostic, type Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { resultLimitMessage } from '../../contract/diagnostics/messages/execution.ts';
import { writeCanonical } from '../../contract/json/canonical.ts';
import type { JsonValue } from '../../contract/json/value.ts';
import { failure, success, type Outcome } from '../../contract/outcome.ts';
import { EVENT_LOOP_PACE } from '../../system/event-loop-pace.ts';
import { decodeGuestJson } from '../calls/evaluation/guest-json.ts';
import type { ResultContract } from './application.ts';

/** A value that may leave the run, with the canonical text that its size and hash are taken of. */
export interface GuardedResult {
  readonly value: JsonValue;
  readonly text: string;
}

/**
 * Decoding refuses text this much longer than the limit unread: canonical text is never longer than any other, so
 * such a value is too large or padded, and neither leaves.
 */
const PADDING_FACTOR = 2;

/**
 * The guards between a workflow's value and the world (runtime.md §1 step 17): JSON at all, then size, then the
 * result contract. `limitBytes` is `terminal_result_bytes`; exactly at the limit passes.
 */
export async function guardResult(
  json: string,
  limitBytes: number,
  contract: ResultContract | null,
): Promise<Outcome<GuardedResult>> {
  const tooLarge = diagnosticOfLimit(limitBytes);
  if (json.length > limitBytes * PADDING_FACTOR) return failure(tooLarge);
  const value = await decodeGuestJson(json);
  if (value === null) return failure(diagnostic('result_invalid'));
  const text = await writeCanonical(value.value, EVENT_LOOP_PACE);
  if (Buffer.byteLength(text) > limitBytes) return failure(tooLarge);
  const violation = contract?.check(value.value) ?? null;
  return violation === null
    ? success({ value: value.value, text })
    : failure(violation, { faults: contract?.explain(value.value) ?? null });
}

function diagnosticOfLimit(limitBytes: number): Diagnostic {
  return diagnostic('result_limit_exceeded', { message: resultLimitMessage('terminal_result_bytes', limitBytes) });
}
