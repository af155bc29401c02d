import type { ApprovalRequest } from '../../../contract/approval.ts';
import { exactText } from '../../../contract/visible-text.ts';

/** Where the call is that a person is asked about: the place in its program, and the branch (approvals.md §3). */
export function placeWords({ place, evaluationId, branch, isPrivate }: ApprovalRequest): string {
  const text = place === undefined || isPrivate ? '' : `: ${exactText(place.text)}`;
  const at = place === undefined ? evaluationId : `line ${place.line}${text}`;
  return branch === null ? at : `${at}, branch ${branch.index} of ${branch.of}`;
}
