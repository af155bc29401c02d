import type { ContractRule } from '../../../contract/diagnostics/messages/documents.ts';

/** Why a file is no contract of the profile (documents.md §4); `path` leads into the schema file. */
export interface ContractFault {
  readonly rule: ContractRule;
  readonly path: readonly string[];
  /**
   * Where it is, if that is deeper: the keyword that is unknown, the name that is not declared. For its author alone.
   */
  readonly at?: readonly string[];
  /** The text that is none of those that are allowed. Never to be shown. */
  readonly given?: string;
  /** The names of which it should be one. */
  readonly names?: readonly string[];
  /** A keyword that may be in the branches of a union, but not beside them. */
  readonly besideOneOf?: true;
}

/**
 * The faults of one file in the order in which they are met; a command reports the first, people all of them. After a
 * fault compiling goes on with what is there, so that no step has to thread an outcome through the recursion.
 */
export type ContractFaults = ContractFault[];
