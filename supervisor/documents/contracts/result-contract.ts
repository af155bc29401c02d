import { diagnostic, logicalSource } from '../../../contract/diagnostics/diagnostic.ts';
import type { Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { contractValueMessage } from '../../../contract/diagnostics/messages/documents.ts';
import type { JsonValue } from '../../../contract/json/value.ts';
import { checkContractValue, chosenViolation } from './check-value.ts';
import type { Contract } from './load.ts';

/** A final value against the result contract, after execution and before output (documents.md §4). */
export function checkResultContract(contract: Contract, value: JsonValue): Diagnostic | null {
  const violation = chosenViolation(checkContractValue(contract.root, value));
  if (violation === null) return null;
  return diagnostic('result_contract_failed', {
    source: logicalSource('result_contract', contract.name),
    path: violation.path,
    message: contractValueMessage('result', violation.rule, violation.facts),
  });
}
