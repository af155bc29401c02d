import { diagnostic, type Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import type { Contract, Contracts } from './load.ts';

/** Bytes of a contract as prompts show it, one and all together (documents.md §4). */
const MAX_PROJECTION_BYTES = 262_144;
const MAX_PROJECTIONS_BYTES = 1_048_576;

/** The text by which a prompt shows a contract. */
export function promptProjection(contract: Contract): string {
  return canonicalJson(contract.normalised);
}

/** Refuses result and phase contracts that are too large when rendered for prompts. */
export function checkPromptProjections({ result, phaseReturns }: Contracts): Diagnostic | null {
  const sizes = [...(result === null ? [] : [result]), ...phaseReturns.values()].map((contract) =>
    Buffer.byteLength(promptProjection(contract)),
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const admitted = sizes.every((size) => size <= MAX_PROJECTION_BYTES) && total <= MAX_PROJECTIONS_BYTES;
  return admitted ? null : diagnostic('contract_projection_limit_exceeded');
}
