import { setTimeout as wait } from 'node:timers/promises';
import type { ApprovalRequest } from '../../../contract/approval.ts';
import type { ApprovalAsker } from '../../calls/approvals/desk.ts';
import type { ApprovalStore } from './approval-store.ts';

/** How often a store is looked at: a decision leaves within a second (approvals.md §12). */
const LOOK_MS = 250;

/**
 * Asks through a store, in which somebody else decides: another command, a page, a program (approvals.md §5, §7).
 * `told` is called once the question can be found there.
 */
export function storeAsker(store: ApprovalStore, told: (request: ApprovalRequest) => void): ApprovalAsker {
  return {
    ask: async (request, signal) => {
      const { approvalId } = request;
      await store.put(request);
      told(request);
      try {
        while (!signal.aborted) {
          const kept = await store.get(approvalId);
          if (kept === null) return { unavailable: 'store_unavailable' };
          if (kept.decision !== null) return kept.decision;
          await wait(LOOK_MS, undefined, { signal }).catch(() => undefined);
        }
        return { unavailable: 'store_unavailable' };
      } finally {
        // Whoever looks at it later is told that nobody waits for it.
        await store.expire(approvalId).catch(() => undefined);
      }
    },
  };
}
