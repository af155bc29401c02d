import type { ApprovalRequest } from '../../../contract/approval.ts';
import type { ApprovalAsker } from '../../calls/approvals/desk.ts';
import type { ApprovalStore, StoredApproval } from './approval-store.ts';
import { DecisionWatch } from './decision-watch.ts';

/** Of tries to end a question whose time is over, in a store that does not answer. */
const SETTLE_TRIES = 10;

/**
 * Asks through a store, in which somebody else decides: another command, a page, a program (approvals.md §5, §7).
 * `onKept` is called once the question can be found there. `watch`: of the same store, for all askers of this process.
 */
export function storeAsker(
  store: ApprovalStore,
  onStored: (request: ApprovalRequest) => void,
  watch: Pick<DecisionWatch, 'changed' | 'rest'> = new DecisionWatch(store),
): ApprovalAsker {
  /** Questions that are being put: one that the store does not have yet may be decided once it has. */
  const entering = new Set<string>();
  return {
    ask: async (request, signal) => {
      const { approvalId } = request;
      if (signal.aborted) return NOBODY;
      try {
        entering.add(approvalId);
        await store.put(request).finally(() => entering.delete(approvalId));
        onStored(request);
        while (!signal.aborted) {
          const storedApproval = await lookAt(approvalId, signal);
          if (storedApproval === null) return NOBODY;
          if (storedApproval.decision !== null) return storedApproval.decision;
          if (storedApproval.isExpired) return { expired: true };
          await watch.changed(approvalId, signal);
        }
        return NOBODY;
      } finally {
        // A later reader of it sees that nobody waits for it.
        await store.expire(approvalId).catch(() => undefined);
      }
    },
    settle: async ({ approvalId }) => {
      // Whether somebody decided before, the store alone knows.
      for (let left = SETTLE_TRIES; left > 1; left -= 1) {
        const first = entering.has(approvalId) ? AWAY : await store.expire(approvalId).catch((): typeof AWAY => AWAY);
        if (first !== AWAY) return first;
        await watch.rest(NEVER);
      }
      return store.expire(approvalId);
    },
  };

  /** A store that is away comes back: until then the question is open. Null for one that was removed. */
  async function lookAt(id: string, signal: AbortSignal): Promise<StoredApproval | null> {
    while (!signal.aborted) {
      const stored = await store.get(id).catch((): typeof AWAY => AWAY);
      if (stored !== AWAY) return stored;
      await watch.rest(signal);
    }
    return null;
  }
}

const AWAY: unique symbol = Symbol('away');
const NOBODY = { unavailable: 'store_unavailable' } as const;
const NEVER = new AbortController().signal;
