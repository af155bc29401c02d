import type { JsonValue } from '../../../../contract/json/value.ts';
import type { AuthenticatedFailure, RouteAnswer } from '../../broker/route.ts';

/** `{:status :ok :value V}`. */
export function answerValue(value: JsonValue): RouteAnswer {
  return { kind: 'value', value };
}

/** A malformed request, which counts against `protocol_errors` (runtime.md §5). */
export function malformed(reason: string): RouteAnswer {
  return { kind: 'protocol_error', reason, counted: true };
}

/** The bare refusal of a claim that the kernel has no evidence for, and of a bad contract request: neither counts. */
export function unproven(reason: string): RouteAnswer {
  return { kind: 'protocol_error', reason, counted: false };
}

export function authenticated(
  report: AuthenticatedFailure['report'],
  facts: Readonly<Record<string, unknown>>,
): RouteAnswer {
  return { kind: 'authenticated', failure: { report, facts } };
}
