/** What a page may have written for it: a form over one run, which nobody has evaluated. */
export type TemplateKind = 'run' | 'turns';

/** Ids that the grammar of runs admits; they need no escape between quotes (evidence.md §2). */
export const PLAIN_RUN_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,255}$/;

export function templateOf(kind: TemplateKind, runId: string): string {
  return kind === 'run'
    ? `(analysis/open "${runId}")`
    : `(analysis/read "${runId}" {"collection" "activity" "limit" 20})`;
}
