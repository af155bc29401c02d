/** What the page shows: answers of the viewer (contract/viewer-answers.ts), and what it makes of them. */
import type {
  ShownCapabilityCall as CapabilityCall,
  ShownConversation as Conversation,
  ShownExecutionError as ExecutionError,
  ShownGeneratedSource as GeneratedSource,
  ShownPreludeSource as PreludeSource,
  ShownRun as Run,
  ShownTraceEvent as TraceEvent,
} from '../../contract/viewer-answers.ts';

export type {
  ShownReport as Report,
  ShownReportCase as ReportCase,
  ShownReportHead as ReportHead,
  ShownReportList as ReportList,
  ShownCapabilityCall as CapabilityCall,
  ShownSpend as Spend,
  ShownCost as Cost,
  ShownRun as Run,
  ShownTraceEvent as TraceEvent,
  ShownListedRun as ListedRun,
  ShownRunsPage as RunsPage,
  ShownMessage as Message,
  ShownTurn as Turn,
  ShownAttempt as Attempt,
  ShownConversation as Conversation,
  ShownExecutionError as ExecutionError,
  ShownGeneratedSource as GeneratedSource,
  ShownPreludeSource as PreludeSource,
  ShownFrame as Frame,
  ShownProjectFacts as ProjectFacts,
  ShownLaunchState as LaunchState,
  ShownApproval as Approval,
  ShownApprovals as Approvals,
  ShownCallPlace as CallPlace,
} from '../../contract/viewer-answers.ts';

/** Everything that the page of one run shows; null where it may not be shown, with why. */
export interface RunRecord {
  readonly run: Run;
  readonly events: readonly TraceEvent[];
  readonly privacy: PrivateRecord;
}

export type PrivateRecord =
  | { readonly kind: 'closed'; readonly code: string; readonly message: string }
  | {
      readonly kind: 'open';
      readonly conversation: Conversation;
      readonly errors: readonly ExecutionError[];
      readonly failureValues: readonly { readonly value: unknown }[];
      readonly sources: readonly GeneratedSource[];
      readonly preludes: readonly PreludeSource[];
      readonly prints: readonly { readonly evaluation_id?: string; readonly prints: readonly string[] }[];
      /** Absent in a file that an earlier version exported. */
      readonly calls?: readonly CapabilityCall[];
      readonly result: { readonly 'available?': boolean; readonly value?: unknown };
    };
