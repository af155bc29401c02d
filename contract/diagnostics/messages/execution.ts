import {
  COUNT_PATTERN,
  ESCAPED_TOOL_NAME,
  INTEGER,
  LIMIT_NAME,
  NAME,
  PRINTED_LIMIT,
  TURNS,
  listOf,
  literal,
} from '../grammar.ts';
import { admitted } from './admitted.ts';

/** Texts of acquisition, execution and result faults that carry facts. Printed ones are exact (interface.md §2.5). */

export const PROVIDER_TOOL_MISSING = 'the installed endpoint does not expose a declared tool';
export const PROVIDER_TOOL_PATTERN = `the installed endpoint does not expose declared tool "${ESCAPED_TOOL_NAME}"`;
/**
 * `provider_tool_missing` (interface.md §2.5). `toolName`: as the selection writes it; quotes and backslashes are
 * escaped, a name beyond its grammar gives the generic text.
 */
export function providerToolMissingMessage(toolName: string): string {
  const escaped = toolName.replaceAll(/["\\]/g, (character) => `\\${character}`);
  return admitted(
    PROVIDER_TOOL_PATTERN,
    `the installed endpoint does not expose declared tool "${escaped}"`,
    PROVIDER_TOOL_MISSING,
  );
}

export const RUNTIME_LIMIT_EXCEEDED = 'a runtime limit was exceeded';
const AGENT_TURNS_TAIL = ' was exceeded; raise max_turns for this agent.core/run call, or reduce the work per turn';
export const AGENT_TURNS_PATTERN = `agent turn limit ${TURNS}${literal(AGENT_TURNS_TAIL)}`;
/** Source null (interface.md §2.5, Form A). */
export function agentTurnsMessage(turns: number): string {
  return admitted(AGENT_TURNS_PATTERN, `agent turn limit ${String(turns)}${AGENT_TURNS_TAIL}`, RUNTIME_LIMIT_EXCEEDED);
}

const EVALUATIONS_TAIL =
  ' was exceeded; raise the manifest or host ceiling, or reduce total subordinate evaluations or agent turns';
export const RUNTIME_LIMIT_PATTERNS = [
  `subordinate_evaluations limit ${PRINTED_LIMIT}${literal(EVALUATIONS_TAIL)}`,
  `(?:parallel_timeout_ms|workflow_timeout_ms) limit ${PRINTED_LIMIT} ms was exceeded during (?:compilation|execution)`,
] as const;
/** Source runtime (interface.md §2.5, Form B). */
export function subordinateEvaluationsMessage(limit: number): string {
  return admitted(
    RUNTIME_LIMIT_PATTERNS[0],
    `subordinate_evaluations limit ${String(limit)}${EVALUATIONS_TAIL}`,
    RUNTIME_LIMIT_EXCEEDED,
  );
}
/** Source runtime (interface.md §2.5, Form B). */
export function timeLimitMessage(facts: {
  readonly limit: 'parallel_timeout_ms' | 'workflow_timeout_ms';
  readonly milliseconds: number;
  readonly during: 'compilation' | 'execution';
}): string {
  const message = `${facts.limit} limit ${String(facts.milliseconds)} ms was exceeded during ${facts.during}`;
  return admitted(RUNTIME_LIMIT_PATTERNS[1], message, RUNTIME_LIMIT_EXCEEDED);
}

export const REPLAY_FIXTURE_MISSING = 'no replay fixture matches the workflow request';
export const REPLAY_FIXTURE_PATTERN = 'no replay fixture matches this request \\(request_hash: sha256:[0-9a-f]{64}\\)';
/** `requestHash`: `sha256:` and 64 hex digits. Source runtime (runtime.md §13). */
export function replayFixtureMissingMessage(requestHash: string): string {
  return admitted(
    REPLAY_FIXTURE_PATTERN,
    `no replay fixture matches this request (request_hash: ${requestHash})`,
    REPLAY_FIXTURE_MISSING,
  );
}

export const EXPLICIT_FAILURE = 'the workflow failed explicitly';
const FAILURE_VALUES = {
  kept: 'its value is kept in the inspection artifact',
  not_requested: 'its value is not kept, no inspection artifact was requested',
  not_written: 'its value is not kept, the inspection artifact was not written',
  too_large: 'its value is not kept, it is larger than terminal_result_bytes',
  not_representable: 'its value is not kept, it is not representable as JSON',
} as const;
/** The class of the value that a workflow failed with; the value itself is never reported. */
export type FailureValue = keyof typeof FAILURE_VALUES;
export const EXPLICIT_FAILURE_PATTERN = `${EXPLICIT_FAILURE}; (?:${Object.values(FAILURE_VALUES).join('|')})`;
/** Says only what became of the failure's value (runtime.md §7). */
export function explicitFailureMessage(value: FailureValue): string {
  return `${EXPLICIT_FAILURE}; ${FAILURE_VALUES[value]}`;
}

export const EVALUATION_FAILED = 'the workflow ended with an evaluation error';
export const EVALUATION_FAILED_PATTERN = `${EVALUATION_FAILED}: [a-z][a-z_]{0,63}`;
/** `kind`: a reason of language.md §17, a closed word of the language. */
export function evaluationFailedMessage(kind: string): string {
  return admitted(EVALUATION_FAILED_PATTERN, `${EVALUATION_FAILED}: ${kind}`, EVALUATION_FAILED);
}

export const INVALID_AGENT_CONFIG = 'an agent was configured with an option out of range';
const VALUE_TYPES = ['string', 'float', 'bool', 'map', 'vector', 'nil', 'other'] as const;
/** The type of a value in words that do not show it. */
export type ValueTypeName = (typeof VALUE_TYPES)[number];
const OPTION = '[a-z][a-z_]{0,63}';
const RANGE = `agent option ${OPTION} must be an integer between ${INTEGER} and ${INTEGER}`;
export const AGENT_CONFIG_PATTERN = `${RANGE}; given (?:${INTEGER}|a value of type (?:${VALUE_TYPES.join('|')}))|agent option ${OPTION} violates rule [a-z][a-z_-]{0,63}|agent option ${OPTION} is not known(?:; did you mean ${OPTION}\\?)?`;
/** `given`: the rejected integer or the type of what was rejected, never its content (agent-library.md §4). */
export function agentConfigMessage(facts: {
  readonly option: string;
  readonly minimum: number;
  readonly maximum: number;
  readonly given: bigint | number | ValueTypeName;
}): string {
  const input = typeof facts.given === 'string' ? `a value of type ${facts.given}` : String(facts.given);
  const range = `agent option ${facts.option} must be an integer between ${String(facts.minimum)} and ${String(facts.maximum)}`;
  return admitted(AGENT_CONFIG_PATTERN, `${range}; given ${input}`, INVALID_AGENT_CONFIG);
}
/** `rule`: one of the closed reason words of agent-library.md §4. */
export function agentConfigRuleMessage(option: string, rule: string): string {
  return admitted(AGENT_CONFIG_PATTERN, `agent option ${option} violates rule ${rule}`, INVALID_AGENT_CONFIG);
}

/** `nearest`: the option that it may have been meant for. */
export function unknownAgentOptionMessage(option: string, nearest: string | null): string {
  const advice = nearest === null ? '' : `; did you mean ${nearest}?`;
  return admitted(AGENT_CONFIG_PATTERN, `agent option ${option} is not known${advice}`, INVALID_AGENT_CONFIG);
}

export const CAPABILITY_QUOTA_EXCEEDED = 'a capability call limit was exceeded';
const CALLER = `(?: by capability [a-z][a-z0-9._/-]{0,127}| by model alias ${NAME})`;
export const CAPABILITY_QUOTA_PATTERN = `limit ${LIMIT_NAME} of ${COUNT_PATTERN} capability calls was exceeded${CALLER}?`;
/** Source runtime; without a source only the generic text is allowed (runtime.md §13). */
export function capabilityQuotaMessage(facts: {
  readonly limit: string;
  readonly value: number;
  readonly by?: { readonly capability: string } | { readonly alias: string };
}): string {
  const plain = `limit ${facts.limit} of ${String(facts.value)} capability calls was exceeded`;
  if (facts.by === undefined) return admitted(CAPABILITY_QUOTA_PATTERN, plain, CAPABILITY_QUOTA_EXCEEDED);
  const by = 'alias' in facts.by ? `model alias ${facts.by.alias}` : `capability ${facts.by.capability}`;
  return admitted(CAPABILITY_QUOTA_PATTERN, `${plain} by ${by}`, CAPABILITY_QUOTA_EXCEEDED);
}

export const TURN_LIMIT_EXCEEDED = 'the agent spent its turns without an acceptable result';
const TURN_REASONS = {
  'evaluation-error': 'the last program failed; raise max_turns or simplify the task',
  'protocol-error':
    'the last reply held no valid tool call; check that the model supports tool calling and raise max_tokens',
  'terminal-source-required': 'the last program was not one return or fail form; raise max_turns',
} as const;
/** Why no further turn was had (agent-library.md). */
export type TurnReason = keyof typeof TURN_REASONS;
/** What a turn of the agent loop can come to (agent-library.md §5.1), as a claim about it is written. */
export const TURN_KINDS = [
  'evaluation_success',
  'evaluation_error',
  'protocol_error',
  'terminal_source_required',
  'result_contract_error',
  'phase_contract_error',
] as const;
/** One of them. */
export type TurnKind = (typeof TURN_KINDS)[number];
const TURN_COUNTS = listOf(`${TURNS} (?:${TURN_KINDS.join('|')})`, 1, TURN_KINDS.length);
export const TURN_LIMIT_PATTERN = `the agent spent ${TURNS} turns(?: \\(${TURN_COUNTS}\\))? without an acceptable result; (?:${Object.values(TURN_REASONS).join('|')})`;
/**
 * Source null (runtime.md §13, "Agent turns used up"). `counts`: how many turns came to what, where that was asked for.
 */
export function turnLimitMessage(
  turns: number,
  reason: TurnReason,
  counts: readonly (readonly [TurnKind, number])[] = [],
): string {
  const counted =
    counts.length === 0 ? '' : ` (${counts.map(([kind, count]) => `${String(count)} ${kind}`).join(', ')})`;
  const message = `the agent spent ${String(turns)} turns${counted} without an acceptable result; ${TURN_REASONS[reason]}`;
  return admitted(TURN_LIMIT_PATTERN, message, TURN_LIMIT_EXCEEDED);
}

export const MODEL_OUTPUT_TRUNCATED = 'the model stopped at its output limit';
/** What can fix the output limit of a request (providers.md §5.4), with the remedy. */
const BINDINGS = {
  application_limit: 'raise llm_request_output_tokens',
  installation_param: 'raise max_tokens of the installation',
  configured: 'raise the configured max_tokens',
  adapter_default: 'configure max_tokens',
  model_output_limit: 'use a model with a longer output',
  remaining_context: 'send a shorter request',
} as const;
/** Which bound the output of a model ended at (providers.md §5.6). */
export type TruncationCause = keyof typeof BINDINGS;
const BINDING_WORDS = `(?:${Object.keys(BINDINGS).join('|')})`;
const REMEDIES = `(?:${Object.values(BINDINGS).join('|')})`;
const KNOWN_LIMIT = ` of ${COUNT_PATTERN} tokens, bound by ${listOf(BINDING_WORDS, 1, 6)}; ${listOf(REMEDIES, 1, 6)}`;
export const MODEL_OUTPUT_PATTERN = `the model of alias ${NAME} stopped at its output limit(?:${KNOWN_LIMIT})?`;
/** `limit`: what is known of max_tokens and of all that bound it, in the order of providers.md §5.4. */
export function modelOutputTruncatedMessage(facts: {
  readonly alias: string;
  readonly limit?: { readonly maxTokens: number; readonly bindings: readonly TruncationCause[] };
}): string {
  const plain = `the model of alias ${facts.alias} stopped at its output limit`;
  if (facts.limit === undefined) return admitted(MODEL_OUTPUT_PATTERN, plain, MODEL_OUTPUT_TRUNCATED);
  const { maxTokens, bindings } = facts.limit;
  const remedies = bindings.map((binding) => BINDINGS[binding]).join(', ');
  const known = `${plain} of ${String(maxTokens)} tokens, bound by ${bindings.join(', ')}; ${remedies}`;
  return admitted(MODEL_OUTPUT_PATTERN, known, admitted(MODEL_OUTPUT_PATTERN, plain, MODEL_OUTPUT_TRUNCATED));
}

export const RESULT_LIMIT_EXCEEDED = 'the result is larger than its limit';
export const RESULT_LIMIT_PATTERN = `the result exceeds limit ${LIMIT_NAME} of ${COUNT_PATTERN} bytes`;
/** `result_limit_exceeded` (runtime.md §9). `bytes`: the bound that the limit of this name sets. */
export function resultLimitMessage(limit: string, bytes: number): string {
  return admitted(
    RESULT_LIMIT_PATTERN,
    `the result exceeds limit ${limit} of ${String(bytes)} bytes`,
    RESULT_LIMIT_EXCEEDED,
  );
}

/** The text of an `internal_error` that was asked for (runtime.md §10). */
export const INTERRUPTED = 'the command was interrupted';
