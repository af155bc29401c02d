import { TURN_KINDS } from '../../../../contract/diagnostics/messages/execution.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../../contract/json/value.ts';
import type { Route } from '../../broker/route.ts';
import type { LimitProofs } from '../proofs.ts';
import { authenticated, unproven } from './answers.ts';
import { hasForm, integerMember, integerWithin, isText, oneOf, getText } from './arguments.ts';

/** Why an agent loop ended without a result (agent-library.md §10). */
export const TURN_REASONS = [
  'turn-limit-exceeded',
  'intermediate-result',
  'evaluation-error',
  'protocol-error',
  'terminal-source-required',
];
export const isTurns = integerWithin(1, 2048);

const ALIAS = /^[a-z][a-z0-9._-]{0,127}$/;
/** What can bound a model's output, in this order (agent-library.md §5.2). */
const BINDINGS = [
  'application_limit',
  'installation_param',
  'configured',
  'adapter_default',
  'model_output_limit',
  'remaining_context',
];

const isTranscriptLimit = integerWithin(1, 1_000_000);
const isTrue = (value: JsonValue): boolean => value === true;
const isOutputLimit = integerWithin(1, 1_000_000);

export interface LimitTools {
  readonly proofs: LimitProofs;
  /** `subordinate_evaluations`. */
  readonly evaluations: number;
  /** `capability_argument_bytes`. */
  readonly argumentBytes: number;
  /** The claim says that this evaluation was the last to fail; null: whichever was. */
  readonly claimLastError: (evaluationId: string | null) => void;
}

/** `kernel-runtime-limit-failure`, in its five forms. */
export function runtimeLimitFailureRoute({ proofs, evaluations, argumentBytes, claimLastError }: LimitTools): Route {
  return async ({ json, caller }) => {
    if (hasForm(json, { required: { proof: isText } })) {
      const isProven = proofs.redeem(caller.evaluationId, getText(json, 'proof'));
      return isProven
        ? authenticated('runtime_limit', { limit: 'subordinate_evaluations', limit_value: evaluations })
        : unproven(INVALID);
    }
    if (
      hasForm(json, {
        required: { agent_turns: isTurns, reason: oneOf(TURN_REASONS) },
        optional: { evaluation_id: isText, turn_counts: areTurnCounts },
      })
    ) {
      const reason = getText(json, 'reason');
      if (reason === 'evaluation-error')
        claimLastError(json.has('evaluation_id') ? getText(json, 'evaluation_id') : null);
      return authenticated('agent_turns', {
        agent_turns: integerMember(json, 'agent_turns'),
        reason,
        ...turnCounts(json),
      });
    }
    if (hasForm(json, { required: { max_transcript_chars: isTranscriptLimit } })) {
      return authenticated('transcript_limit', { limit_value: integerMember(json, 'max_transcript_chars') });
    }
    // Of the request itself, which the broker refused for its bytes: their bound is the run's own.
    if (hasForm(json, { required: { request_bytes: isTrue } })) {
      return authenticated('transcript_limit', { limit: 'capability_argument_bytes', limit_value: argumentBytes });
    }
    return isTruncation(json) ? authenticated('output_truncated', truncationFacts(json)) : unproven(INVALID);
  };
}

const INVALID = 'invalid_runtime_limit_failure';

/** How many turns came to what, by words of TURN_KINDS. */
function areTurnCounts(value: JsonValue): boolean {
  return (
    isJsonObject(value) &&
    [...value].every(([word, turns]) => TURN_KINDS.some((kind) => kind === word) && isTurns(turns))
  );
}

/** The fact `turn_counts` of a claim that says it, in the order of TURN_KINDS; nothing where it says none. */
export function turnCounts(input: JsonObject): Readonly<Record<string, unknown>> {
  const counts = input.get('turn_counts');
  if (counts === undefined || !areTurnCounts(counts) || !isJsonObject(counts)) return {};
  return { turn_counts: TURN_KINDS.flatMap((kind) => (counts.has(kind) ? [[kind, integerMember(counts, kind)]] : [])) };
}

function isAlias(value: JsonValue): boolean {
  return typeof value === 'string' && ALIAS.test(value);
}

function isTruncation(input: JsonObject): boolean {
  return (
    hasForm(input, { required: { alias: isAlias } }) ||
    hasForm(input, { required: { alias: isAlias, max_tokens: isOutputLimit, bindings: areBindings } })
  );
}

/** One or more of the known words, each once, in their order. */
function areBindings(value: JsonValue): boolean {
  if (!isJsonArray(value) || value.length === 0) return false;
  const places = value.map((word) => (typeof word === 'string' ? BINDINGS.indexOf(word) : -1));
  return places.every((place, index) => place > (places[index - 1] ?? -1));
}

function truncationFacts(input: JsonObject): Readonly<Record<string, unknown>> {
  const maxTokens = integerMember(input, 'max_tokens');
  return {
    alias: input.get('alias'),
    ...(maxTokens === null ? {} : { max_tokens: maxTokens, bindings: input.get('bindings') }),
  };
}
