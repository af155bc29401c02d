import type { Attempt } from '../../../contract/provider-protocol/call.ts';
import { capabilityAttempt } from '../../evidence/inspection/records.ts';
import type { InspectionRecord } from '../../evidence/inspection/writer.ts';
import type { ModelUse } from '../ledger/model-budgets.ts';

const UNKNOWN_USE: ModelUse = { tokens: null, costMicrousd: null };

/**
 * What the budgets are charged for a call with all its attempts (world.md §1.4): nothing for those that a vendor
 * refused, all that was reserved once one was lost after it was sent, else what the answer says.
 */
export function chargedFor(
  attempts: readonly Attempt[],
  reported: ModelUse | 'undispatched',
): ModelUse | 'undispatched' {
  if (attempts.length === 0) return reported;
  if (attempts.some(({ charge }) => charge === 'reserved')) return UNKNOWN_USE;
  return attempts.every(({ charge }) => charge === 'none') ? 'undispatched' : reported;
}

/** Count and waits of a call that was tried again, for the trace (evidence.md §3). */
export function attemptFacts(attempts: readonly Attempt[]): {
  readonly attempts?: number;
  readonly waits_ms?: readonly number[];
} {
  return attempts.length <= 1
    ? {}
    : { attempts: attempts.length, waits_ms: attempts.slice(1).map(({ waitedMs }) => waitedMs) };
}

/** Records of all attempts of a call; none of one that was answered at once, whose output says it all. */
export function attemptRecords(
  call: Parameters<typeof capabilityAttempt>[0],
  attempts: readonly Attempt[],
): readonly InspectionRecord[] {
  return attempts.length > 1 || attempts.some(({ said }) => said !== null)
    ? attempts.map((attempt, index) => capabilityAttempt(call, index + 1, attempt))
    : [];
}
