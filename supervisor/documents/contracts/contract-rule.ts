import type { ContractRule } from '../../../contract/diagnostics/messages/documents.ts';

/** Why a file is no contract of the profile (documents.md §4); `path` leads into the schema file. */
export interface ContractFault {
  readonly rule: ContractRule;
  readonly path: readonly string[];
}

/**
 * The faults of one file in the order in which they are met; only the first is told. After a fault compiling goes on
 * with what is there, so that no step has to thread an outcome through the recursion.
 */
export type ContractFaults = ContractFault[];
