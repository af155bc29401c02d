import {
  diagnostic,
  fixedSource,
  isLogicalName,
  logicalSource,
  providerSubject,
  type Diagnostic,
  type DiagnosticFacts,
} from '../../../contract/diagnostics/diagnostic.ts';
import {
  agentConfigMessage,
  agentConfigRuleMessage,
  agentTurnsMessage,
  modelOutputTruncatedMessage,
  replayFixtureMissingMessage,
  subordinateEvaluationsMessage,
  TURN_KINDS,
  turnLimitMessage,
  unknownAgentOptionMessage,
  type ValueTypeName,
  type TruncationCause,
  type TurnKind,
  type TurnReason,
} from '../../../contract/diagnostics/messages/execution.ts';
import type { AuthenticatedFailure } from '../../calls/broker/route.ts';
import type { RunStoppedFacts } from '../../evidence/event.ts';
import { modelFailureCode } from './model-failure-code.ts';

/** What an authenticated failure means for the run that it ends (runtime.md §6, §7, §13). */
export interface ReportedFailure {
  readonly error: Diagnostic;
  /** Members of `run-stopped` (evidence.md §3). */
  readonly stopped: Partial<RunStoppedFacts>;
  /** The last failure of a mission's evaluator belongs to it. */
  readonly showsLastError: boolean;
}

type Facts = AuthenticatedFailure['facts'];

const RUNTIME = fixedSource('runtime');

export function reportedFailure({ report, facts }: AuthenticatedFailure): ReportedFailure {
  switch (report) {
    case 'runtime_limit':
      return reportFailure(
        diagnostic('runtime_limit_exceeded', {
          source: RUNTIME,
          ...message(count(facts, 'limit_value'), subordinateEvaluationsMessage),
        }),
        {
          limit: 'subordinate_evaluations',
          ...optional('limit_value', count(facts, 'limit_value')),
        },
      );
    case 'agent_turns':
      return turnsSpent(facts);
    case 'transcript_limit':
      return reportFailure(diagnostic('runtime_limit_exceeded', { source: RUNTIME }), {
        failure_kind: 'transcript-limit',
        limit: facts['limit'] === 'capability_argument_bytes' ? 'capability_argument_bytes' : 'max_transcript_chars',
        ...optional('limit_value', count(facts, 'limit_value')),
      });
    case 'output_truncated':
      return truncated(facts);
    case 'llm_provider':
      return modelFailed(facts);
    case 'result_contract':
      return reportFailure(diagnostic('result_contract_failed', violation('result_contract', facts)), {
        failure_kind: 'result-contract',
        ...optional('agent_turns', count(facts, 'agent_turns')),
        ...optional('constraint', text(facts, 'constraint')),
      });
    case 'phase_return_contract':
      return reportFailure(diagnostic('phase_return_contract_failed', violation('phase_return_contract', facts)), {
        failure_kind: 'phase-return-contract-failed',
      });
    case 'agent_config':
      return reportFailure(diagnostic('invalid_agent_config', configMessage(facts)), {
        failure_kind: 'invalid-agent-config',
      });
  }
}

function reportFailure(error: Diagnostic, stopped: Partial<RunStoppedFacts>): ReportedFailure {
  return { error, stopped, showsLastError: false };
}

/** The program ran well and did not end; what remains is a fault of the last turn (runtime.md §13). */
const TURN_REASONS: ReadonlyMap<string, TurnReason> = new Map([
  ['evaluation-error', 'evaluation-error'],
  ['protocol-error', 'protocol-error'],
  ['terminal-source-required', 'terminal-source-required'],
]);

function turnsSpent(facts: Facts): ReportedFailure {
  const turns = count(facts, 'agent_turns');
  const reason = text(facts, 'reason') ?? 'turn-limit-exceeded';
  const fault = TURN_REASONS.get(reason);
  const error =
    fault === undefined
      ? diagnostic('runtime_limit_exceeded', message(turns, agentTurnsMessage))
      : diagnostic(
          'turn_limit_exceeded',
          message(turns, (spent) => turnLimitMessage(spent, fault, turnCounts(facts))),
        );
  const stopped = {
    failure_kind: 'turn-limit',
    limit: 'agent_turns',
    ...optional('limit_value', turns),
    limit_reason: reason.replaceAll('-', '_'),
  };
  return { error, stopped, showsLastError: fault === 'evaluation-error' };
}

function turnCounts({ turn_counts: counts }: Facts): readonly (readonly [TurnKind, number])[] {
  return Array.isArray(counts) ? counts.filter(isTurnCount) : [];
}

function isTurnCount(entry: unknown): entry is readonly [TurnKind, number] {
  return Array.isArray(entry) && TURN_KINDS.some((kind) => kind === entry[0]) && typeof entry[1] === 'number';
}

const BINDINGS: ReadonlySet<unknown> = new Set<TruncationCause>([
  'application_limit',
  'installation_param',
  'configured',
  'adapter_default',
  'model_output_limit',
  'remaining_context',
]);

function isBinding(value: unknown): value is TruncationCause {
  return BINDINGS.has(value);
}

function truncated(facts: Facts): ReportedFailure {
  const alias = text(facts, 'alias');
  if (alias === null) throw new Error('an alias was checked before it was reported');
  const maxTokens = count(facts, 'max_tokens');
  const { bindings } = facts;
  const limit =
    maxTokens !== null && Array.isArray(bindings) && bindings.every(isBinding) ? { maxTokens, bindings } : null;
  const error = diagnostic('model_output_truncated', {
    subject: providerSubject(alias, 'execution', null),
    message: modelOutputTruncatedMessage(limit === null ? { alias } : { alias, limit }),
  });
  return reportFailure(error, {
    alias,
    ...(limit === null ? {} : { limit: 'max_tokens', limit_value: limit.maxTokens, limit_bindings: limit.bindings }),
  });
}

/** A miss of a recorded request is reported as such, whatever else its provider said of it. */
function modelFailed(facts: Facts): ReportedFailure {
  const hash = text(facts, 'request_hash');
  const stopped = { failure_kind: 'llm-provider-error' };
  if (hash !== null)
    return reportFailure(
      diagnostic('replay_fixture_missing', { source: RUNTIME, message: replayFixtureMissingMessage(hash) }),
      stopped,
    );
  if ('request_hash' in facts) return reportFailure(diagnostic('replay_fixture_missing'), stopped);
  return reportFailure(
    diagnostic(modelFailureCode(text(facts, 'reason') ?? '', facts['retryable'] === true), { source: RUNTIME }),
    stopped,
  );
}

function violation(kind: 'result_contract' | 'phase_return_contract', facts: Facts): DiagnosticFacts {
  const source = text(facts, 'source');
  if (source === null || !isLogicalName(source)) throw new Error('a contract is known by its logical name');
  const said = text(facts, 'message');
  return {
    source: logicalSource(kind, source),
    path: text(facts, 'path'),
    ...(said === null ? {} : { message: said }),
  };
}

const TYPES: ReadonlySet<unknown> = new Set<ValueTypeName>([
  'string',
  'float',
  'bool',
  'map',
  'vector',
  'nil',
  'other',
]);

function isValueTypeName(value: unknown): value is ValueTypeName {
  return TYPES.has(value);
}

function configMessage(facts: Facts): DiagnosticFacts {
  const option = text(facts, 'option');
  const rule = text(facts, 'rule');
  if (option === null) return {};
  if (rule === 'unknown-option') return { message: unknownAgentOptionMessage(option, text(facts, 'nearest')) };
  if (rule !== null) return { message: agentConfigRuleMessage(option, rule) };
  const [minimum, maximum, { value, type }] = [count(facts, 'min'), count(facts, 'max'), facts];
  const input = typeof value === 'number' || typeof value === 'bigint' ? value : isValueTypeName(type) ? type : null;
  return minimum === null || maximum === null || input === null
    ? {}
    : { message: agentConfigMessage({ option, minimum, maximum, given: input }) };
}

function message<T>(fact: T | null, text: (fact: T) => string): DiagnosticFacts {
  return fact === null ? {} : { message: text(fact) };
}

function optional<N extends string, T>(name: N, value: T | null): Partial<Record<N, T>> {
  const members: Partial<Record<N, T>> = {};
  if (value !== null) members[name] = value;
  return members;
}

function count(facts: Facts, name: string): number | null {
  const value = facts[name];
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}

function text(facts: Facts, name: string): string | null {
  const value = facts[name];
  return typeof value === 'string' ? value : null;
}
