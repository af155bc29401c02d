import type { JsonObject, JsonValue } from '../../../../contract/json/value.ts';
import { contractValueMessage } from '../../../../contract/diagnostics/messages/documents.ts';
import type { Route } from '../../broker/route.ts';
import { checkContractValue, chosenViolation } from '../../../documents/contracts/check-value.ts';
import { classificationJson, classifyValue } from '../../../documents/contracts/classify.ts';
import type { Contract, Contracts } from '../../../documents/contracts/load.ts';
import { answerValue, authenticated, malformed, unproven } from './answers.ts';
import { anyValue, exactly, hasForm, integerMember, integerWithin, isText, oneOf, getText } from './arguments.ts';

/** The contracts that values of a workflow are held to while it runs. */
export type ValueContracts = Pick<Contracts, 'result' | 'phaseReturns'>;

/** `kernel-result-contract`: a verdict on a value, or the contract as a prompt shows it. */
export function resultContractRoute(contracts: ValueContracts): Route {
  return async ({ json }) => {
    const optional = { phase_contract: isText };
    const isVerdict = hasForm(json, { required: { value: anyValue }, optional });
    if (!isVerdict && !hasForm(json, { required: { presentation: exactly(true) }, optional }))
      return unproven('invalid_result_contract_request');
    const contract = json.has('phase_contract')
      ? contracts.phaseReturns.get(getText(json, 'phase_contract'))
      : contracts.result;
    if (contract === undefined) return malformed('unknown_phase_return_contract');
    if (!isVerdict) return answerValue(contract?.normalised ?? null);
    return answerValue(verdictOf(contract, json.get('value') ?? null));
  };
}

function verdictOf(contract: Contract | null, value: JsonValue): JsonObject {
  if (contract === null)
    return new Map([
      ['enforced?', false],
      ['valid?', true],
    ]);
  const isValid = checkContractValue(contract.root, value).length === 0;
  const details = isValid ? [] : [['details', classificationJson(classifyValue(contract.root, value))] as const];
  return new Map<string, JsonValue>([['enforced?', true], ['valid?', isValid], ...details]);
}

/** Turns of one agent loop (agent-library.md §4). */
const isTurns = integerWithin(1, 2048);
const INVALID = 'invalid_result_contract_failure';

/** `kernel-result-contract-failure`: the value is checked again; a valid one is no failure. */
export function resultContractFailureRoute(contracts: ValueContracts): Route {
  return async ({ json }) => {
    if (!hasForm(json, { required: { value: anyValue, agent_turns: isTurns } })) return unproven(INVALID);
    const agentTurns = integerMember(json, 'agent_turns') ?? 0;
    const facts =
      contracts.result === null
        ? null
        : violationFacts(contracts.result, 'result', json.get('value') ?? null, agentTurns);
    return facts === null ? unproven(INVALID) : authenticated('result_contract', { ...facts, agent_turns: agentTurns });
  };
}

const PHASES = integerWithin(0, 7);
const PHASE_MEMBERS = {
  phase_index: PHASES,
  mission: isText,
  contract: isText,
  max_turns: isTurns,
  mode: oneOf(['standalone', 'phased']),
};

/** `kernel-phase-return-contract-failure`: an invalid return is checked again, a missing one carries no value. */
export function phaseReturnContractFailureRoute(contracts: ValueContracts): Route {
  return async ({ json }) => {
    const isInvalid = hasForm(json, {
      required: { ...PHASE_MEMBERS, completion: exactly('invalid-return'), value: anyValue },
    });
    if (!isInvalid && !hasForm(json, { required: { ...PHASE_MEMBERS, completion: exactly('missing-return') } }))
      return unproven(INVALID);
    const contract = contracts.phaseReturns.get(getText(json, 'contract'));
    if (contract === undefined) return unproven('unknown_phase_return_contract');
    const turns = integerMember(json, 'max_turns');
    if (!isInvalid) return authenticated('phase_return_contract', { source: contract.name, agent_turns: turns });
    const facts = violationFacts(contract, 'phase_return', json.get('value') ?? null);
    return facts === null
      ? unproven(INVALID)
      : authenticated('phase_return_contract', { ...facts, agent_turns: turns });
  };
}

/** What may be said of a value that violates its contract; null for one that does not. */
function violationFacts(contract: Contract, role: 'result' | 'phase_return', value: JsonValue, agentTurns?: number) {
  const violation = chosenViolation(checkContractValue(contract.root, value));
  if (violation === null) return null;
  const { rule, path, facts } = violation;
  const known = agentTurns === undefined ? facts : { ...facts, agentTurns };
  return { source: contract.name, path, message: contractValueMessage(role, rule, known), constraint: rule };
}
