import { APPROVAL_REASON_MAX, type ApprovalDecision } from '../../../contract/approval.ts';
import { diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { createDocumentReader } from '../../documents/document-reader.ts';
import type { FileSystem } from '../../documents/file-system.ts';
import { loadHost } from '../../documents/host/load.ts';
import { projectArtifacts } from '../../documents/project/artifacts.ts';
import { loadProject, type RefusedOnProject } from '../../documents/project/load-project.ts';
import type { RunApprovals } from '../../run/run-approvals.ts';
import type { DecisionOutcome, StoredApproval } from './approval-store.ts';
import { processApprovals } from './process-approvals.ts';
import { storeAsker } from './store-asker.ts';

/** Whose questions. */
export interface ProjectApprovalsOptions {
  /** A project document; relative to the working directory. Null: nobody named one, and there is none. */
  readonly project: string | null;
  /** Where `svc code` keeps questions that no project has a place for; null, or absent: nowhere. */
  readonly own?: string | null;
  /** Absolute. */
  readonly workingDirectory: string;
  readonly documents: FileSystem;
  /** One line for people, of a file that is none of ours. */
  readonly warn: (line: string) => void;
}

/** The questions of a project's runs (approvals.md §5). Its functions reject with StoreError. */
export interface ProjectApprovals {
  /** Those that are open, in the order in which they were asked. */
  open(): Promise<readonly StoredApproval[]>;
  /** The one that a word means: its id, the beginning of one, `latest`. */
  find(word: string): Promise<StoredApproval | 'unknown' | 'ambiguous'>;
  decide(id: string, decision: Pick<ApprovalDecision, 'decision' | 'scope' | 'reason'>): Promise<DecisionOutcome>;
  /** Whether its host document lets programs decide (`approvals.unattended`). */
  readonly mayBeUnattended: boolean;
}

/** Symbols behind `apr-` that a beginning has at least. */
const PREFIX_LEAST = 8;

/** Opens the questions of a project. */
export async function openProjectApprovals(
  options: ProjectApprovalsOptions,
): Promise<{ readonly ok: true; readonly approvals: ProjectApprovals } | RefusedOnProject> {
  const { project, own = null } = options;
  if (project === null) return own === null ? NOTHING_KEPT : { ok: true, approvals: approvalsIn(own, options, false) };
  const reader = createDocumentReader(options.documents, options.workingDirectory);
  const target = await loadProject(reader, project);
  if (!target.ok) return { ...target, hint: null };
  const root = projectArtifacts(target.value)?.root ?? own;
  if (root === null) return NOTHING_KEPT;
  const { host } = target.value;
  const loaded = host === null ? null : await loadHost(reader, host);
  const mayBeUnattended = loaded?.ok === true && loaded.value.document.approvals?.unattended === true;
  return { ok: true, approvals: approvalsIn(root, options, mayBeUnattended) };
}

function approvalsIn(
  root: string,
  { warn }: Pick<ProjectApprovalsOptions, 'warn'>,
  mayBeUnattended: boolean,
): ProjectApprovals {
  const store = processApprovals(root, warningOf(warn));
  return {
    open: async () => {
      const all = await store.list({ tenant: null });
      return all.filter(({ decision, isExpired }) => decision === null && !isExpired);
    },
    find: async (word) => findOne(await store.list({ tenant: null }), word),
    decide: async (id, { reason, ...decision }) => {
      const cut = reason === undefined ? '' : Array.from(reason).slice(0, APPROVAL_REASON_MAX).join('');
      return store.decide(id, null, { ...decision, by: 'cli', ...(cut === '' ? {} : { reason: cut }) });
    },
    mayBeUnattended,
  };
}

/** How a run of a project waits for a decision of another command; `onQuestion`: with the id, once it can be made. */
export async function waitingApprovals(
  options: ProjectApprovalsOptions & { readonly project: string },
  onQuestion: (approvalId: string, tool: string) => void,
): Promise<{ readonly ok: true; readonly approvals: RunApprovals } | RefusedOnProject> {
  const reader = createDocumentReader(options.documents, options.workingDirectory);
  const target = await loadProject(reader, options.project);
  if (!target.ok) return { ...target, hint: '--wait-for-approval keeps its questions with a project' };
  const root = projectArtifacts(target.value)?.root ?? null;
  if (root === null) return NOTHING_KEPT;
  const asker = storeAsker(processApprovals(root, warningOf(options.warn)), ({ approvalId, tool }) =>
    onQuestion(approvalId, tool),
  );
  return { ok: true, approvals: { asker, allowsAll: false } };
}

const NOTHING_KEPT: RefusedOnProject = {
  ok: false,
  diagnostic: diagnostic('reference_missing'),
  hint: 'the project keeps nothing of its runs: add artifacts.root to it',
};

function warningOf(warn: (line: string) => void): (line: string) => void {
  return (line) => warn(`warning: ${line}\n`);
}

function findOne(all: readonly StoredApproval[], word: string): StoredApproval | 'unknown' | 'ambiguous' {
  if (word === 'latest') return all.findLast(({ decision, isExpired }) => decision === null && !isExpired) ?? 'unknown';
  const exact = all.find(({ request }) => request.approvalId === word);
  if (exact !== undefined) return exact;
  if (!word.startsWith('apr-') || word.length < 'apr-'.length + PREFIX_LEAST) return 'unknown';
  const [first, ...more] = all.filter(({ request }) => request.approvalId.startsWith(word));
  return more.length > 0 ? 'ambiguous' : (first ?? 'unknown');
}
