import { checkArguments } from '../../platform/arguments/checks.ts';
import { LOCAL_TENANT } from '../../platform/tenant.ts';
import { approvalAnswer, approvalId, approvalQuery } from '../embedding/arguments.ts';
import type { SupervisorApprovals } from '../embedding/types.ts';
import type { ApprovalStore } from '../stores/approval-store.ts';

/** The questions of a supervisor's runs (approvals.md §7). `store` null: none can wait. */
export function supervisorApprovals(store: ApprovalStore | null): SupervisorApprovals {
  const tenantOf = (tenant: string | undefined): string | null =>
    tenant === undefined || tenant === LOCAL_TENANT ? null : tenant;
  return {
    list: async (query = {}) => {
      checkArguments('supervisor.approvals.list', { query: [query, approvalQuery] });
      const tenant = tenantOf(query.tenant);
      const all = (await store?.list({ tenant })) ?? [];
      // Null means every tenant in a store, and here for the one tenant of runs that name none.
      return all.filter(
        ({ request, decision, isExpired }) =>
          request.tenant === tenant && (query.state !== 'open' || (decision === null && !isExpired)),
      );
    },
    get: async (id, query = {}) => {
      checkArguments('supervisor.approvals.get', { id: [id, approvalId], query: [query, approvalQuery] });
      const storedApproval = (await store?.get(id)) ?? null;
      return storedApproval?.request.tenant === tenantOf(query.tenant) ? storedApproval : null;
    },
    decide: async (id, answer, query = {}) => {
      checkArguments('supervisor.approvals.decide', {
        id: [id, approvalId],
        answer: [answer, approvalAnswer],
        query: [query, approvalQuery],
      });
      if (store === null) return 'unknown';
      return store.decide(id, tenantOf(query.tenant), { scope: 'once', ...answer, by: 'api' });
    },
  };
}
