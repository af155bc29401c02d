import type { ViewerApprovals } from '../viewer/approval-routes.ts';
import { storeIn } from './approvals.ts';

/** The questions of a project's runs, behind the page of its viewer (approvals.md §8). */
export function viewerApprovals(root: string, may: Pick<ViewerApprovals, 'showsPrivate' | 'decides'>): ViewerApprovals {
  const store = storeIn(root, () => undefined);
  return {
    ...may,
    open: async () =>
      (await store.list({ tenant: null }))
        .filter(({ decision, isExpired }) => decision === null && !isExpired)
        .map(({ request }) => request),
    find: async (approvalId) => (await store.get(approvalId))?.request ?? null,
    decide: (approvalId, decision) => store.decide(approvalId, null, { ...decision, by: 'viewer' }),
  };
}
