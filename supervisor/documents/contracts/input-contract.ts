import { diagnostic, type Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { contractValueMessage } from '../../../contract/diagnostics/messages/documents.ts';
import { inputSource, type ApplicationInput } from '../input/choose.ts';
import { checkContractValue, chosenViolation } from './check-value.ts';
import type { Contract } from './load.ts';

/** The input against its contract, before any credential, process or network (documents.md §4). */
export function checkInputContract(contract: Contract | null, input: ApplicationInput): Diagnostic | null {
  if (contract === null) return null;
  const violation = chosenViolation(checkContractValue(contract.root, input.value));
  if (violation === null) return null;
  return diagnostic('input_contract_failed', {
    source: inputSource(input.origin),
    path: violation.path,
    message: contractValueMessage('input', violation.rule, violation.facts),
  });
}
