import type { ContractRule } from '../../../contract/diagnostics/messages/documents.ts';

/** Why a file is no contract of the profile (documents.md §4); `path` leads into the schema file. */
export interface ContractFault {
  readonly rule: ContractRule;
  readonly path: readonly string[];
}

/** Thrown inside the compiler only: the first fault ends it, however deep. Never leaves this folder. */
export class ContractRefusal extends Error {
  readonly fault: ContractFault;

  constructor(rule: ContractRule, path: readonly string[]) {
    super(rule);
    this.fault = { rule, path };
  }
}
