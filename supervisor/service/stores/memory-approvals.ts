import type { ApprovalDecision, ApprovalRequest } from '../../../contract/approval.ts';
import { byAge, EXPIRED, keptApproval, type ApprovalStore } from './approval-store.ts';

interface Entry {
  readonly request: ApprovalRequest;
  decision: ApprovalDecision | null;
}

/** Questions in the memory of this process (approvals.md §7). `now`: milliseconds since 1970. */
export function createMemoryApprovals(now: () => number = Date.now): ApprovalStore {
  const entries = new Map<string, Entry>();
  const keptOf = ({ request, decision }: Entry) => keptApproval(request, decision, now());
  return {
    put: async (request) => {
      if (entries.has(request.approvalId)) return 'same';
      entries.set(request.approvalId, { request, decision: null });
      return 'new';
    },
    decide: async (id, tenant, decision) => {
      const entry = entries.get(id);
      if (entry === undefined || entry.request.tenant !== tenant) return 'unknown';
      if (keptOf(entry).isExpired) return 'expired';
      if (entry.decision !== null) return 'already';
      entry.decision = decision;
      return 'decided';
    },
    expire: async (id) => {
      const entry = entries.get(id);
      if (entry !== undefined) entry.decision ??= EXPIRED;
    },
    get: async (id) => {
      const entry = entries.get(id);
      return entry === undefined ? null : keptOf(entry);
    },
    list: async ({ tenant }) =>
      [...entries.values()]
        .filter(({ request }) => tenant === null || request.tenant === tenant)
        .map(keptOf)
        .toSorted(byAge),
    remove: async (id) => {
      entries.delete(id);
    },
  };
}
