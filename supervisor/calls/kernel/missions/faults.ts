import { isJsonObject, type JsonObject, type JsonValue } from '../../../../contract/json/value.ts';
import { canonicalJson } from '../../../../contract/json/canonical.ts';
import { jsonFromPlain } from '../../../../contract/json/plain.ts';
import type { EvaluationFault } from '../../../../contract/sandbox-protocol.ts';
import { programPlace, type ProgramPlace } from '../../evaluation/program-place.ts';

/** Why a program of a mission ended without a value, as its workflow gets it (runtime.md §6, `evaluation_error`). */
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

/** `source`: the program, of which the place is shown. */
export function errorFacts(
  fault: Pick<EvaluationFault, 'reason' | 'message' | 'details' | 'exception_class' | 'span'>,
  source: string,
): EvaluationErrorFacts {
  const { reason, message } = fault;
  return {
    kind: kindOf(fault),
    reason,
    details: boundedDetails(message, fault.details, fault.span === null ? null : programPlace(source, fault.span)),
  };
}

function kindOf({ reason, exception_class: className }: Pick<EvaluationFault, 'reason' | 'exception_class'>): string {
  const isRunTime = className !== null || RUN_TIME_LIMITS.has(reason);
  return KINDS.get(reason) ?? (isRunTime ? 'runtime' : 'analysis');
}

/** Whether nothing of the program had run. */
export function isFoundBeforeRunning(fault: Pick<EvaluationFault, 'reason' | 'exception_class'>): boolean {
  const kind = kindOf(fault);
  return kind === 'parse' || kind === 'analysis' || kind.startsWith('compile_');
}

/** A message cut to its length, the place, and the further facts if they fit beside it. */
export function boundedDetails(
  message: string,
  more: Readonly<Record<string, unknown>> = {},
  place: ProgramPlace | null = null,
): JsonObject {
  const shown = place === null ? new Map<string, JsonValue>() : placeMembers(place);
  const facts = jsonFromPlain(more);
  const all = facts !== undefined && isJsonObject(facts) ? new Map([...facts, ...shown]) : shown;
  const fits = Buffer.byteLength(canonicalJson(all)) <= DETAIL_BYTES;
  return new Map<string, JsonValue>([...(fits ? all : shown), ['message', cutText(message, MESSAGE_LENGTH)]]);
}

function placeMembers({ line, column, text, mark }: ProgramPlace): JsonObject {
  return new Map<string, JsonValue>([
    ['line', line],
    ['column', column],
    ['line_text', text.toWellFormed()],
    ['line_mark', mark],
  ]);
}

function cutText(text: string, length: number): string {
  return text.slice(0, length).toWellFormed();
}
