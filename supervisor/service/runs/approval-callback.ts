import type { ApprovalCallback } from '../../../contract/approval.ts';
import type { ApprovalAsker } from '../../calls/approvals/desk.ts';
import type { RunApprovals } from '../../run/run-approvals.ts';
import type { ApprovalOptions, RunRequest } from '../embedding/types.ts';
import type { ApprovalStore } from '../stores/approval-store.ts';
import { storeAsker } from '../stores/store-asker.ts';

/**
 * How a run of a supervisor asks for a person's yes: its own callback wins over that of all, and a store is asked where
 * there is none, or where a callback answers `later` (approvals.md §7).
 */
export function approvalsOf(
  { onRequest, timeoutMs, maxAsks }: ApprovalOptions,
  store: ApprovalStore | null,
  { onApproval, principal }: Pick<RunRequest, 'onApproval' | 'principal'>,
): RunApprovals {
  const callback = onApproval ?? onRequest;
  const later = store === null ? null : storeAsker(store, () => undefined);
  const limits = {
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(maxAsks === undefined ? {} : { maxAsks }),
  };
  return {
    allowsAll: false,
    limits,
    ...(principal === undefined ? {} : { principal }),
    asker: callback === undefined ? later : callbackAsker(callback, later),
  };
}

function callbackAsker(callback: ApprovalCallback, later: ApprovalAsker | null): ApprovalAsker {
  return {
    ask: async (request, signal) => {
      const answer = await callback(request, { signal });
      if (answer !== 'later') return { scope: 'once', ...answer, by: 'api' };
      return later?.ask(request, signal) ?? { unavailable: 'later_unsupported' };
    },
  };
}
