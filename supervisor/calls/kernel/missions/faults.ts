import { isJsonObject, type JsonObject, type JsonValue } from '../../../../contract/json/value.ts';
import { canonicalJson } from '../../../../contract/json/canonical.ts';
import { jsonFromPlain } from '../../../../contract/json/plain.ts';
import type { EvaluationFault } from '../../../../contract/sandbox-protocol.ts';

/** Why a program of a mission ended without a value, as its workflow is told (runtime.md §6, `evaluation_error`). */
export interface EvaluationErrorFacts {
  readonly kind: string;
  readonly reason: string;
  readonly details: JsonObject;
}

/** Characters of a message and bytes of further details (runtime.md §6). */
const MESSAGE_LENGTH = 4096;
const DETAIL_BYTES = 4096;

/** Reasons of language.md §17 that have a kind of their own. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ['parse_error', 'parse'],
  ['duplicate_key', 'parse'],
  ...[
    'timeout',
    'memory_exceeded',
    'compile_timeout',
    'compile_memory_exceeded',
    'parallel_capacity_exceeded',
    'public_projection_collision',
    'projection_error',
    'invalid_keyword',
    'java_projection_error',
    'invalid_java_string',
  ].map((reason) => [reason, reason] as const),
]);

/** Limits that end a running program; what else has no exception class was found before it ran. */
const RUN_TIME_LIMITS: ReadonlySet<string> = new Set([
  'loop_limit_exceeded',
  'regex_limit_exceeded',
  'tool_call_limit_exceeded',
  'runtime_limit_exceeded',
  'component_contract_error',
]);

export function errorFacts(
  fault: Pick<EvaluationFault, 'reason' | 'message' | 'details' | 'exception_class'>,
): EvaluationErrorFacts {
  const { reason, message, exception_class: className } = fault;
  const isRunTime = className !== null || RUN_TIME_LIMITS.has(reason);
  return {
    kind: KINDS.get(reason) ?? (isRunTime ? 'runtime' : 'analysis'),
    reason,
    details: boundedDetails(message, fault.details),
  };
}

/** Whether nothing of the program had run. */
export function isFoundBeforeRunning(
  fault: Pick<EvaluationFault, 'reason' | 'message' | 'details' | 'exception_class'>,
): boolean {
  const { kind } = errorFacts(fault);
  return kind === 'parse' || kind === 'analysis' || kind.startsWith('compile_');
}

/** A message cut to its length, and the further facts if they fit. */
export function boundedDetails(message: string, more: Readonly<Record<string, unknown>> = {}): JsonObject {
  const facts = jsonFromPlain(more);
  const fits = facts !== undefined && isJsonObject(facts) && Buffer.byteLength(canonicalJson(facts)) <= DETAIL_BYTES;
  return new Map<string, JsonValue>([...(fits ? facts : []), ['message', cutText(message, MESSAGE_LENGTH)]]);
}

function cutText(text: string, length: number): string {
  return text.slice(0, length).toWellFormed();
}
