/** `svc approvals`, and runs that wait for it: the calls of a project that a person decides (approvals.md §5). */
export { storedCodeQuestions } from '../code/own-artifacts.ts';
export type { DecisionOutcome, StoredApproval } from '../service/stores/approval-store.ts';
export { openProjectApprovals, waitingApprovals, type ProjectApprovals } from '../service/stores/project-approvals.ts';
