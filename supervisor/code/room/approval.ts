import type { Effect } from '../../../contract/effect.ts';

/** What becomes of calls of imported tools that may write (code-mode.md §1). */
export type Approvals = 'ask' | 'refuse' | 'off';

export interface ApprovalPolicy {
  readonly approvals: Approvals;
  /** Names that need no approval: `github.get-*`. */
  readonly allow: readonly string[];
}

/** Whether a person has to say yes before a call leaves. */
export function needsApproval(
  { name, effect }: { readonly name: string; readonly effect: Effect },
  policy: ApprovalPolicy,
): boolean {
  return effect !== 'read' && policy.approvals !== 'off' && !policy.allow.some((glob) => matchesGlob(glob, name));
}

/** `*` means any text; everything else for itself. */
export function matchesGlob(glob: string, name: string): boolean {
  const pattern = glob
    .split('*')
    .map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&'))
    .join('.*');
  return new RegExp(`^${pattern}$`).test(name);
}
