import type { JsonObject, JsonValue } from '../../../../contract/json/value.ts';
import type { Observation } from '../../../../contract/sandbox-protocol.ts';
import type { ScopeRecord } from '../../broker/call-scope.ts';
import type { EvaluationErrorFacts } from './faults.ts';

/** How one evaluation of a mission ended (runtime.md §6, "Evaluation record"). */
export type EvaluationOutcome =
  | SuccessOutcome
  | {
      readonly outcome: 'failed';
      readonly value: JsonValue;
      readonly prints: readonly string[];
      readonly isLastReply: boolean;
    }
  | { readonly outcome: 'evaluation_error'; readonly error: EvaluationErrorFacts; readonly prints: readonly string[] }
  /** A commit, a value or a text that is too large. */
  | {
      readonly outcome: 'memory_exceeded' | 'history_exceeded' | 'result_exceeded';
      readonly limit: string;
      readonly value: number;
      readonly prints: readonly string[];
    }
  | { readonly outcome: 'busy' | 'limit_exceeded'; readonly reason: string; readonly proof: string | null };

export interface SuccessOutcome {
  readonly outcome: 'continued' | 'returned';
  /** Null: an observation takes its place. */
  readonly value: { readonly json: JsonValue } | null;
  readonly prints: readonly string[];
  readonly observation: Observation | null;
}

export interface EvaluationRecordFacts {
  readonly evaluationId: string;
  readonly durationMs: number;
  /** Bytes of its source, once size and lease were passed and the evaluation had started; null before. */
  readonly admittedBytes: number | null;
  /** What it did through its calls; null when it could make none. */
  readonly scope: ScopeRecord | null;
}

/** Prints of a mission that its record carries, in number and bytes: those of the workflow (runtime.md §9, fixed). */
const PRINTS = 128;
const PRINT_BYTES = 65_536;

const EFFECTS: Readonly<Record<string, string>> = {
  continued: 'committed_with_history',
  returned: 'committed_without_history',
};
/** Whether the same program may do better when it is sent again, whatever it reached of reading capabilities. */
const RETRYABLE_KINDS: ReadonlySet<string> = new Set(['timeout', 'memory_exceeded', 'parallel_capacity_exceeded']);

type Member = readonly [string, JsonValue];

/** The record as its workflow reads it; members that do not apply are left out. */
export function evaluationRecord(facts: EvaluationRecordFacts, outcome: EvaluationOutcome): JsonObject {
  return new Map([
    ...generalMembers(facts, outcome),
    ...outcomeMembers(facts, outcome),
    ...terminalMembers(facts, outcome),
  ]);
}

function generalMembers(
  { evaluationId, durationMs, admittedBytes, scope }: EvaluationRecordFacts,
  { outcome }: EvaluationOutcome,
): readonly Member[] {
  return [
    ['outcome', outcome],
    ['evaluation_id', evaluationId],
    ['duration_ms', durationMs],
    ['continuation_effect', EFFECTS[outcome] ?? 'preserved'],
    ...when(admittedBytes !== null, ['admitted?', true]),
    ...(admittedBytes === null ? [] : [['source_bytes', admittedBytes] as const]),
    ...(scope === null ? [] : [['capability_activity?', scope.reached !== null] as const]),
  ];
}

function outcomeMembers(facts: EvaluationRecordFacts, ended: EvaluationOutcome): readonly Member[] {
  const { reached, lastEnvelope } = facts.scope ?? { reached: null, lastEnvelope: null };
  const isSafe = reached === null || reached === 'read';
  switch (ended.outcome) {
    case 'continued':
    case 'returned':
      return [['correction_safe?', isSafe], ...successMembers(ended)];
    case 'failed':
      return [
        ['value', ended.value],
        ['prints', boundedPrints(ended.prints)],
        ['retryable?', isSafe],
        ...when(ended.isLastReply && lastEnvelope !== null, ['capability_failure?', true]),
      ];
    case 'evaluation_error': {
      const { kind, reason, details } = ended.error;
      const isRetryable = RETRYABLE_KINDS.has(kind) || reason === 'component_contract_error';
      return [
        ['kind', kind],
        ['reason', reason],
        ['details', details],
        ...retryMembers(isSafe, isRetryable),
        ['prints', boundedPrints(ended.prints)],
      ];
    }
    case 'memory_exceeded':
    case 'history_exceeded':
    case 'result_exceeded': {
      const details = new Map<string, JsonValue>([
        ['limit', ended.limit],
        ['limit_value', ended.value],
      ]);
      return [
        ['reason', ended.limit],
        ['details', details],
        ...retryMembers(isSafe, false),
        ['prints', boundedPrints(ended.prints)],
      ];
    }
    case 'busy':
    case 'limit_exceeded':
      return [['reason', ended.reason], ...(ended.proof === null ? [] : [['limit_proof', ended.proof] as const])];
  }
}

/** An effect that cannot be undone forbids another try, whatever ended the evaluation. */
function retryMembers(isSafe: boolean, isRetryable: boolean): readonly Member[] {
  if (!isSafe) return [['retryable?', false]];
  return when(isRetryable, ['retryable?', true]);
}

/** A plain value that is shown as an observation loses value and prints (agent-library.md §8). */
function successMembers({ outcome, value, prints, observation }: SuccessOutcome): readonly Member[] {
  const isShown = outcome === 'continued' && observation !== null;
  return [
    ...(value === null ? [] : [['value', value.json] as const]),
    ...(isShown ? [] : [['prints', boundedPrints(prints)] as const]),
    ...(observation === null ? [] : observationMembers(observation)),
  ];
}

/** What an honest guest may say; a hostile one says no more (agent-library.md §8). */
const CAPS: readonly string[] = ['items', 'depth', 'nodes', 'string', 'output', 'prints'];
const SAMPLED_KEYS = 24;
const SAMPLED_KEY_LENGTH = 64;

function observationMembers({
  text,
  value_truncated,
  prints_truncated,
  caps_hit,
  sampled_keys,
}: Observation): readonly Member[] {
  const preview = new Map<string, JsonValue>([
    ['truncated?', value_truncated || prints_truncated],
    ['value_truncated?', value_truncated],
    ['prints_truncated?', prints_truncated],
    ['caps_hit', CAPS.filter((cap) => caps_hit.includes(cap))],
    ['sampled_keys', sampled_keys.slice(0, SAMPLED_KEYS).map((key) => key.slice(0, SAMPLED_KEY_LENGTH).toWellFormed())],
  ]);
  return [
    ['observation', text.toWellFormed()],
    ['preview', preview],
  ];
}

/**
 * Terminal failures are reported though the program caught them; that of the host says which (agent-library.md §5.3).
 */
function terminalMembers({ scope }: EvaluationRecordFacts, ended: EvaluationOutcome): readonly Member[] {
  const host = scope?.terminalHostFailure ?? null;
  const provider = scope?.terminalProviderFailure ?? null;
  const hasReason = ended.outcome !== 'continued' && ended.outcome !== 'returned' && ended.outcome !== 'failed';
  const reason = host?.reason ?? provider?.reason;
  return [
    ...when(provider !== null, ['terminal_provider_failure?', true]),
    ...when(host !== null, ['terminal_host_failure?', true]),
    ...(reason === undefined || (hasReason && host === null) ? [] : [['reason', reason] as const]),
  ];
}

function when(applies: boolean, member: Member): readonly Member[] {
  return applies ? [member] : [];
}

function boundedPrints(prints: readonly string[]): readonly string[] {
  const retained: string[] = [];
  let bytes = 0;
  for (const print of prints.slice(0, PRINTS)) {
    bytes += Buffer.byteLength(print);
    if (bytes > PRINT_BYTES) break;
    retained.push(print.toWellFormed());
  }
  return retained;
}
