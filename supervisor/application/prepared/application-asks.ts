import { needsApproval } from '../../../contract/approval.ts';
import type { Application } from '../preflight/application.ts';

/**
 * Whether a run of an application may ask a person about a call (approvals.md §1), as far as that is known before
 * anything is acquired: which of its capabilities programs call is decided while they run.
 */
export function applicationAsks({ providers }: Application): boolean {
  return [...providers.workflow, ...providers.mission].some(({ provider, selection, alias, approvalOf }) => {
    if (approvalOf === undefined) return false;
    const offers = provider.offers(selection, alias);
    // One that offers nothing yet may offer anything.
    if (offers.length === 0) return approvalOf('') !== 'never';
    return offers.some(({ name, effect }) => needsApproval(approvalOf(name), effect));
  });
}
