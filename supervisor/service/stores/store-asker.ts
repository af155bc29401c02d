import { setTimeout as wait } from 'node:timers/promises';
import type { ApprovalRequest } from '../../../contract/approval.ts';
import type { ApprovalAsker } from '../../calls/approvals/desk.ts';
import type { ApprovalStore, KeptApproval } from './approval-store.ts';
import { DecisionWatch } from './decision-watch.ts';

/** A store that does not answer, or reports a decision that it then does not have, is asked again after so long. */
const RETRY_MS = 250;

/**
 * Asks through a store, in which somebody else decides: another command, a page, a program (approvals.md §5, §7).
 * `told` is called once the question can be found there. `watch`: of the same store, for all askers of this process.
 */
export function storeAsker(
  store: ApprovalStore,
  told: (request: ApprovalRequest) => void,
  watch: DecisionWatch = new DecisionWatch(store),
): ApprovalAsker {
  return {
    ask: async (request, signal) => {
      const { approvalId } = request;
      if (signal.aborted) return NOBODY;
      try {
        await store.put(request);
        told(request);
        while (!signal.aborted) {
          const kept = await lookAt(store, approvalId, signal);
          if (kept === null) return NOBODY;
          if (kept.decision !== null) return kept.decision;
          if (kept.isExpired) return { expired: true };
          await watch.changed(approvalId, signal);
        }
        return NOBODY;
      } finally {
        // Whoever looks at it later is told that nobody waits for it.
        await store.expire(approvalId).catch(() => undefined);
      }
    },
    settle: ({ approvalId }) => store.expire(approvalId),
  };
}

const NOBODY = { unavailable: 'store_unavailable' } as const;

/** A store that is away comes back: until then the question is open. Null for one that was removed. */
async function lookAt(store: ApprovalStore, id: string, signal: AbortSignal): Promise<KeptApproval | null> {
  while (!signal.aborted) {
    const kept = await store.get(id).catch(() => 'away' as const);
    if (kept !== 'away') return kept;
    await wait(RETRY_MS, undefined, { signal }).catch(() => undefined);
  }
  return null;
}
