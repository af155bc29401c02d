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
  { onRequest, timeoutMs, holdMs, maxAsks }: ApprovalOptions,
  later: ApprovalAsker | null,
  { onApproval, principal }: Pick<RunRequest, 'onApproval' | 'principal'>,
): RunApprovals {
  const callback = onApproval ?? onRequest;
  const limits = {
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(holdMs === undefined ? {} : { holdMs }),
    ...(maxAsks === undefined ? {} : { maxAsks }),
  };
  return {
    allowsAll: false,
    limits,
    ...(principal === undefined ? {} : { principal }),
    asker: callback === undefined ? later : callbackAsker(callback, later),
  };
}

/** One for all runs of a supervisor: its store is looked at once, however many wait. */
export function laterAsker(store: ApprovalStore | null): ApprovalAsker | null {
  return store === null ? null : storeAsker(store, () => undefined);
}

function callbackAsker(callback: ApprovalCallback, later: ApprovalAsker | null): ApprovalAsker {
  return {
    ask: async (request, signal) => {
      const answer = await callback(request, { signal });
      if (answer !== 'later') return { scope: 'once', ...answer, by: 'api' };
      return later?.ask(request, signal) ?? { unavailable: 'later_unsupported' };
    },
    // What a callback answers is known nowhere else, until it has left the question to the store.
    settle: async (request) => (await later?.settle?.(request)) ?? null,
  };
}
