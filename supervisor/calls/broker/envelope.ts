import { SerializedJson, type JsonPart } from '../../../contract/json/serialized.ts';
import type { JsonObject, JsonValue } from '../../../contract/json/value.ts';
import { EVENT_LOOP_PACE } from '../../../system/event-loop-pace.ts';
import type { NormalisedArguments } from './arguments.ts';

/** The error envelopes that programs see (runtime.md §5, "Envelopes"). */
export interface CallError {
  readonly kind: string;
  readonly reason: string;
  readonly retryable: boolean;
  readonly details: JsonValue | null;
  /** A write may or may not have happened. */
  readonly isIndeterminate: boolean;
  /** Alias of a model call. */
  readonly model: string | null;
  /** Milliseconds after which the provider wants to be asked again; null where it did not say. */
  readonly retryAfterMs: number | null;
}

/** How one call is answered. */
export type CallAnswer =
  | { readonly kind: 'value'; readonly value: SerializedJson }
  | { readonly kind: 'ok'; readonly envelope: SerializedJson<JsonObject> }
  | { readonly kind: 'error'; readonly error: CallError; readonly envelope: SerializedJson<JsonObject> }
  /** Raises tool_error with this text. */
  | { readonly kind: 'raise'; readonly message: string }
  /** Ends the evaluation; nothing catches it. */
  | { readonly kind: 'closed'; readonly reason: string };

export function okAnswer(value: SerializedJson): CallAnswer {
  return {
    kind: 'ok',
    envelope: SerializedJson.object([
      ['status', 'ok'],
      ['value', value],
    ]),
  };
}

/** `{:status :ok}`: there is nothing to report. */
export function doneAnswer(): CallAnswer {
  return { kind: 'ok', envelope: SerializedJson.object([['status', 'ok']]) };
}

export function errorAnswer(
  kind: string,
  reason: string,
  more: Partial<Omit<CallError, 'kind' | 'reason'>> = {},
): CallAnswer {
  const error: CallError = {
    kind,
    reason,
    retryable: false,
    details: null,
    isIndeterminate: false,
    model: null,
    retryAfterMs: null,
    ...more,
  };
  const members: JsonPart[] = [
    ['status', 'error'],
    ['kind', kind],
    ['reason', reason],
    ['retryable?', error.retryable],
  ];
  if (error.details !== null) members.push(['details', error.details]);
  if (error.retryAfterMs !== null) members.push(['retry_after_ms', error.retryAfterMs]);
  if (error.isIndeterminate) members.push(['mutation_state', 'indeterminate']);
  if (error.model !== null) members.push(['model', error.model]);
  return { kind: 'error', error, envelope: SerializedJson.object(members) };
}

/** Of arguments that are none; two keys of one property are named, as the program wrote them. */
export function refusedArguments(refused: Extract<NormalisedArguments, { readonly ok: false }>): CallAnswer {
  if (refused.reason !== 'input_validation_failed') return errorAnswer('protocol_error', refused.reason);
  const { property, keys } = refused.same;
  return errorAnswer('protocol_error', refused.reason, {
    details: new Map<string, JsonValue>([
      ['property', property],
      ['keys', keys],
    ]),
  });
}

/** The text of one `CapabilityReply`; of a large answer it is written in several turns of the event loop. */
export function replyText(answer: CallAnswer): string | Promise<string> {
  return SerializedJson.object(replyMembers(answer)).text(EVENT_LOOP_PACE);
}

function replyMembers(answer: CallAnswer): readonly JsonPart[] {
  switch (answer.kind) {
    case 'value':
      return [
        ['reply', 'value'],
        ['value', answer.value],
      ];
    case 'ok':
    case 'error':
      return [
        ['reply', 'envelope'],
        ['envelope', answer.envelope],
      ];
    case 'raise':
      return [
        ['reply', 'error'],
        ['message', answer.message],
      ];
    case 'closed':
      return [
        ['reply', 'closed'],
        ['reason', answer.reason],
      ];
  }
}
