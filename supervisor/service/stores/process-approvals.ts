import type { ApprovalDecision, ApprovalRequest } from '../../../contract/approval.ts';
import type { ApprovalAsker } from '../../calls/approvals/desk.ts';
import { makeDirectory } from '../../evidence/publication/make-directory.ts';
import { publicationTools } from '../../evidence/publication/published-files.ts';
import type { ApprovalStore, DecisionOutcome } from './approval-store.ts';
import { fileApprovals } from './file-approvals.ts';
import { storeAsker } from './store-asker.ts';

/**
 * The questions below an artifact root, in files that several processes share; each is over once its process has died.
 * `report`: one line, without its end, of a file that is none of ours.
 */
export function processApprovals(root: string, report: (line: string) => void): ApprovalStore {
  return fileApprovals(publicationTools(), root, {
    isOfProcess: true,
    ignored: (name) => report(`approvals/${name} is not ours or not whole, and is ignored`),
  });
}

/** Questions in the files that `svc approvals` reads (approvals.md §6). Makes the root before the first. */
export function waitingAsker(
  root: string,
  report: (line: string) => void,
): (onKept: (request: ApprovalRequest) => void) => ApprovalAsker {
  const store = processApprovals(root, report);
  return (onKept) => ({
    ask: async (request, signal) => {
      makeDirectory(root);
      return storeAsker(store, onKept).ask(request, signal);
    },
  });
}

/** The questions of a project's runs, as the page of a viewer asks for them (approvals.md §8). */
export interface PageApprovals {
  open(): Promise<readonly ApprovalRequest[]>;
  find(approvalId: string): Promise<ApprovalRequest | null>;
  decide(
    approvalId: string,
    decision: Pick<ApprovalDecision, 'decision' | 'scope' | 'reason'>,
  ): Promise<DecisionOutcome>;
}

/** Those below an artifact root. */
export function pageApprovals(root: string): PageApprovals {
  const store = processApprovals(root, () => undefined);
  return {
    open: async () =>
      (await store.list({ tenant: null }))
        .filter(({ decision, isExpired }) => decision === null && !isExpired)
        .map(({ request }) => request),
    find: async (approvalId) => (await store.get(approvalId))?.request ?? null,
    decide: async (approvalId, decision) => store.decide(approvalId, null, { ...decision, by: 'viewer' }),
  };
}
