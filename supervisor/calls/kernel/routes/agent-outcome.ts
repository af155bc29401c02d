import { writeCanonical } from '../../../../contract/json/canonical.ts';
import {
  integerOf,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../contract/json/value.ts';
import { EVENT_LOOP_PACE } from '../../../../system/event-loop-pace.ts';
import type { Route, RouteAnswer } from '../../broker/route.ts';
import type { OutcomeTokens } from '../outcome-tokens.ts';
import { answerValue, authenticated, unproven } from './answers.ts';
import type { ValueContracts } from './contracts.ts';
import { anyValue, exactly, hasForm, isText, oneOf, getText } from './arguments.ts';
import { isTurns, TURN_REASONS, turnCounts } from './limit-failure.ts';

const INVALID = 'invalid_agent_outcome_failure';

export interface OutcomeTools {
  readonly tokens: OutcomeTokens;
  readonly contracts: ValueContracts;
  readonly claimLastError: (evaluationId: string | null) => void;
}

/**
 * `kernel-agent-outcome-failure`: an outcome that the loop gave as data keeps a token, and who fails with exactly that
 * outcome later fails with its diagnostic. Anything else is a plain failure of the library's making.
 */
export function agentOutcomeRoute({ tokens, contracts, claimLastError }: OutcomeTools): Route {
  return async ({ json }) => {
    if (
      hasForm(json, {
        required: { mode: exactly('record-turn'), evidence: isEvidence },
        optional: { evaluation_id: isText },
      })
    ) {
      const evaluationId = json.has('evaluation_id') ? getText(json, 'evaluation_id') : null;
      const token = tokens.record(await evidenceText(json), evaluationId);
      return token === null ? unproven(INVALID) : answerValue(new Map([['failure_token', token]]));
    }
    if (!hasForm(json, { required: { mode: exactly('consume'), token: isText, evidence: isEvidence } }))
      return unproven(INVALID);
    const recorded = tokens.consume(getText(json, 'token'), await evidenceText(json));
    if (recorded === null) return unproven(INVALID);
    const evidence = json.get('evidence') ?? null;
    if (turnReason(evidence) === 'evaluation-error') claimLastError(recorded.evaluationId);
    return reportOf(evidence, contracts);
  };
}

async function evidenceText(input: JsonObject): Promise<string> {
  return writeCanonical(input.get('evidence') ?? null, EVENT_LOOP_PACE);
}

const KINDS = ['turn-limit', 'phase-return-contract-failed'];
const EVIDENCE = { status: exactly('subject-failure'), kind: oneOf(KINDS), error: anyValue };

function isEvidence(value: JsonValue): boolean {
  if (!isJsonObject(value) || !hasForm(value, { required: EVIDENCE })) return false;
  const error = value.get('error');
  if (!isJsonObject(error)) return false;
  return value.get('kind') === 'turn-limit'
    ? turnReason(value) !== null && isTurns(error.get('limit_value') ?? null)
    : isJsonObject(error.get('reason'));
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) ? value.get(name) : undefined;
}

function turnReason(evidence: JsonValue): string | null {
  const reason = memberOf(memberOf(evidence, 'error'), 'reason');
  return typeof reason === 'string' && TURN_REASONS.includes(reason) ? reason : null;
}

function reportOf(evidence: JsonValue, { phaseReturns }: ValueContracts): RouteAnswer {
  const error = memberOf(evidence, 'error');
  const turns = turnReason(evidence);
  if (turns !== null && memberOf(evidence, 'kind') === 'turn-limit') {
    return authenticated('agent_turns', {
      agent_turns: integerOf(memberOf(error, 'limit_value')),
      reason: turns,
      ...(isJsonObject(error) ? turnCounts(error) : {}),
    });
  }
  const facts = memberOf(error, 'reason');
  const name = memberOf(facts, 'contract');
  const contract = typeof name === 'string' ? phaseReturns.get(name) : undefined;
  if (contract === undefined) return unproven('unknown_phase_return_contract');
  const [first] = listOf(memberOf(facts, 'violations'));
  return authenticated('phase_return_contract', {
    source: contract.name,
    ...textFact('path', memberOf(first, 'path')),
    ...textFact('constraint', memberOf(facts, 'constraint')),
  });
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isJsonArray(value) ? value : [];
}

function textFact(name: string, value: JsonValue | undefined): Readonly<Record<string, string>> {
  return typeof value === 'string' ? { [name]: value } : {};
}
