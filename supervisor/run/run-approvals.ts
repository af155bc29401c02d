import type { ApprovalLimits } from '../../contract/approval.ts';
import type { SessionDecisions } from '../calls/approvals/book.ts';
import type { ApprovalAsker } from '../calls/approvals/desk.ts';
import type { RunPlace } from '../calls/approvals/leased-place.ts';

/** How a run asks for a person's yes (approvals.md §5, §7). */
export interface RunApprovals {
  /** Null: nobody can be asked. */
  readonly asker: ApprovalAsker | null;
  /** Allows every call that would be asked about. */
  readonly allowsAll: boolean;
  /** Bounds that win over those of the host document. */
  readonly limits?: Partial<ApprovalLimits>;
  readonly principal?: string;
  /** What was decided for all runs of its session; more is added to it. Absent: it is of none. */
  readonly session?: SessionDecisions;
  /** What the run gives up while it waits long; absent: it has none. */
  readonly place?: RunPlace;
}
