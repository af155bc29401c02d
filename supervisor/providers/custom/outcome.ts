import type { DiagnosticCode } from '../../../contract/diagnostics/diagnostic.ts';
import {
  DETAILS_LENGTH_MAX,
  PROVIDER_REASONS,
  type ProviderReason,
} from '../../../contract/provider-protocol/outcome.ts';
import { checkArguments, fits, flag, maybe, objectWith } from '../../platform/arguments/checks.ts';

/** What a custom function may return beside its result, and what its installation may open with. */

export interface ProviderErrorFacts {
  /** For programs and the private inspection, never for a trace; at most 1024 characters are kept. */
  readonly details?: string;
  /** Whether the same call may succeed later; false by default. */
  readonly retryable?: boolean;
  /** The answer is whole: what was asked to be written was surely not, or the program need not wonder. */
  readonly isComplete?: boolean;
}

const errorFacts = objectWith<ProviderErrorFacts>({
  details: maybe(fits('a text', (value) => typeof value === 'string')),
  retryable: maybe(flag),
  isComplete: maybe(flag),
});

/** A failure that the function classified itself. Made by `providerError` and `notDispatched`; nothing else is one. */
export class ProviderError {
  readonly reason: ProviderReason;
  readonly details: string | null;
  readonly retryable: boolean;
  readonly proof: 'not_dispatched' | 'complete_answer' | null;

  constructor(reason: ProviderReason, facts: ProviderErrorFacts, proof: ProviderError['proof']) {
    if (!PROVIDER_REASONS.includes(reason))
      throw new TypeError(`a provider error has one of these reasons: ${PROVIDER_REASONS.join(', ')}`);
    if (facts.details !== undefined && typeof facts.details !== 'string')
      throw new TypeError('details of a provider error are text');
    this.reason = reason;
    this.details = facts.details?.slice(0, DETAILS_LENGTH_MAX).toWellFormed() ?? null;
    this.retryable = facts.retryable === true;
    this.proof = proof;
    Object.freeze(this);
  }
}

/**
 * The call failed for a known reason: `{:status :error :kind :provider_error :reason …}` (runtime.md §5). Throws
 * TypeError for an unknown reason.
 */
export function providerError(reason: ProviderReason, facts: ProviderErrorFacts = {}): ProviderError {
  checkArguments('providerError', { facts: [facts, errorFacts] });
  return new ProviderError(reason, facts, facts.isComplete === true ? 'complete_answer' : null);
}

/** The same, and nothing has left this process: a write is safe to try again, and no budget is charged. */
export function notDispatched(
  reason: ProviderReason,
  facts: Omit<ProviderErrorFacts, 'isComplete'> = {},
): ProviderError {
  checkArguments('notDispatched', { facts: [facts, errorFacts] });
  return new ProviderError(reason, facts, 'not_dispatched');
}

/** Codes that an installation may refuse to open with (providers.md §3, table B). */
const ACQUISITION_CODES = [
  'provider_unavailable',
  'provider_endpoint_connection_refused',
  'provider_endpoint_name_unresolved',
  'provider_endpoint_tls_failed',
  'provider_protocol_error',
  'provider_policy_changed',
  'authentication_rejected',
] as const satisfies readonly DiagnosticCode[];
export type AcquisitionCode = (typeof ACQUISITION_CODES)[number];

/** An installation that could not be opened, and why. Made by `acquisitionFailure`. */
export class AcquisitionFailure {
  readonly code: AcquisitionCode;

  constructor(code: AcquisitionCode) {
    if (!ACQUISITION_CODES.includes(code))
      throw new TypeError(`an installation is refused with one of these codes: ${ACQUISITION_CODES.join(', ')}`);
    this.code = code;
    Object.freeze(this);
  }
}

/** What `open` returns to refuse the run with this code. Throws TypeError for an unknown one. */
export function acquisitionFailure(code: AcquisitionCode): AcquisitionFailure {
  return new AcquisitionFailure(code);
}
