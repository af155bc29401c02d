/**
 * What the routes of the viewer answer, as far as the page shows it (evidence.md §7, §11). What makes an answer is held
 * to its names by `Showing` or `satisfies`, and the page by these types: a member that is renamed on one side is a type
 * error.
 */
import type { JsonValue } from './json/value.ts';

/** Of an answer in the making: every member that the page shows of it, whatever else it has. */
export type Showing<Shown> = Readonly<Record<string, JsonValue | undefined>> & {
  readonly [Name in keyof Shown]-?: JsonValue | undefined;
};

/** What all cases of a report came to (first-day.md §2). */
export interface ShownReportTotals {
  readonly cases: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly runs: number;
  /** Null: not known. */
  readonly cost_usd: number | null;
  readonly tokens: number | null;
}

/** A mean and the worst. */
export interface ShownReportSpread {
  readonly mean: number;
  readonly worst: number;
}

/** A report of `svc test`, as a list has it. */
export interface ShownReportHead {
  readonly report: string;
  readonly started_at: string;
  readonly duration_ms: number;
  readonly application: string;
  readonly mode: string;
  readonly totals: ShownReportTotals;
}

/** A run of a case, and what it missed; values are null where they may not be shown. */
export interface ShownReportRun {
  readonly run_ref: string;
  readonly status: 'passed' | 'failed';
  readonly code: string | null;
  readonly misses: readonly {
    readonly expectation: string;
    readonly path: string;
    readonly problem: string;
    readonly expected: string | null;
    readonly actual: string | null;
  }[];
}

/** A case of a report, with one model or none. */
export interface ShownReportCase {
  readonly name: string;
  readonly file: string;
  readonly model: string | null;
  readonly mode: 'replay' | 'live';
  readonly status: 'passed' | 'failed' | 'skipped';
  readonly problem: string | null;
  readonly pass_rate: { readonly rate: number } | null;
  readonly cost_usd: ShownReportSpread | null;
  readonly tokens: ShownReportSpread | null;
  readonly turns: ShownReportSpread | null;
  readonly duration_ms: ShownReportSpread | null;
  readonly runs: readonly ShownReportRun[];
}

/** A whole report. */
export interface ShownReport extends ShownReportHead {
  readonly cases: readonly ShownReportCase[];
}

/** The newest reports, and how many there are. */
export interface ShownReportList {
  readonly reports: readonly ShownReportHead[];
  readonly total: number;
}

/** The components of an environment. */
export interface ShownBundle {
  readonly component_ids: readonly string[];
  readonly dependency_indices: readonly (readonly number[])[];
  readonly hash: string | null;
}

/** What models were used for, and what it cost. */
export interface ShownSpend {
  readonly state: string;
  readonly input?: number;
  readonly output?: number;
  readonly total_cost?: ShownCost;
}

/** An amount of money. */
export interface ShownCost {
  readonly currency: string;
  readonly microunits: number;
}

/** A run, with what its trace reports. */
export interface ShownRun {
  readonly run_id: string;
  readonly status: string | null;
  readonly duration_ms: number | null;
  readonly llm_calls: number;
  readonly evaluations: number;
  readonly failed_evaluations: number;
  readonly error_count: number;
  readonly terminal_reason: string | null;
  readonly complete: boolean;
  readonly truncated: boolean;
  readonly start_timestamp: string;
  readonly stop_timestamp: string | null;
  readonly name: string | null;
  readonly tags: Readonly<Record<string, string>>;
  readonly result_hash: string | null;
  readonly llm_spend: ShownSpend | null;
  readonly llm_budget: unknown;
  readonly workflow_capability_calls: number;
  readonly mission_capability_calls: number;
  readonly workflow_prelude: ShownBundle;
  readonly missions: Readonly<
    Record<
      string,
      { readonly prelude: ShownBundle; readonly inventory_hash: string; readonly model_context_hash: string }
    >
  >;
  readonly source: string;
}

/** One event of a trace. */
export interface ShownTraceEvent {
  readonly sequence: number;
  readonly timestamp: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A run in a list. */
export interface ShownListedRun extends ShownRun {
  /** Name of the file that was given as input; absent without, or where nobody recorded it. */
  readonly input_name?: string;
}

/** A page of the list of runs. */
export interface ShownRunsPage {
  readonly items: readonly ShownListedRun[];
  readonly next_cursor: string | null;
  readonly omitted_count: number;
  readonly excluded_private_trace_files?: number;
  /** Traces that the viewer still reads; their runs come with a refresh. */
  readonly unread_trace_files?: number;
  readonly isolation?: { readonly source_count: number; readonly reasons: unknown };
}

/** A message of a conversation with a model. */
export interface ShownMessage {
  readonly role: string;
  readonly content?: unknown;
}

/** One attempt of a call that was tried again, or that failed on its way. */
export interface ShownAttempt {
  /** From 1. */
  readonly attempt: number;
  /** `ok`, or the reason of the failure. */
  readonly outcome: string;
  /** Milliseconds before it. */
  readonly waited_ms: number;
  readonly http_status?: number;
  /** The provider's words, or those of the network. */
  readonly said?: string;
}

/** One exchange with a model, in its place in a conversation. */
export interface ShownTurn {
  readonly stream_id: string;
  readonly turn: number;
  readonly capability_id: string;
  readonly system?: string;
  readonly messages_added: readonly ShownMessage[];
  readonly feedback: readonly ShownMessage[];
  readonly assistant: {
    readonly content?: unknown;
    readonly tool_calls?: readonly { readonly name: string; readonly args: unknown }[];
  } | null;
  /** What the model showed of its thought, which is no part of its answer. */
  readonly reasoning?: string;
  readonly attempts?: readonly ShownAttempt[];
  readonly response?: unknown;
  readonly tokens: { readonly input?: number; readonly output?: number } | null;
  readonly outcome: string | null;
  readonly generated: readonly {
    readonly evaluation_id: string;
    readonly mission_name?: string;
    readonly 'association_ambiguous?': boolean;
  }[];
}

/** The conversations of a run, or the next part of them. */
export interface ShownConversation {
  readonly streams: readonly { readonly stream_id: string; readonly turns: readonly ShownTurn[] }[];
  /** Where the rest of it begins; null or absent when this is all. */
  readonly next_cursor?: string | null;
  /** Turns in the rest. */
  readonly omitted_count?: number;
  readonly 'complete?': boolean;
  readonly missing_exchange_count: number;
  readonly ambiguity_count: number;
}

/** Where an item leads. */
export interface ShownRelationship {
  readonly rel: string;
  readonly semantics: string;
  readonly state: string;
  readonly target_collection: string;
  readonly filters: Readonly<Record<string, string>> | null;
}

/** Why a program failed. */
export interface ShownExecutionError {
  readonly evaluation_id: string;
  readonly kind: string;
  readonly reason: string;
  readonly details?: unknown;
  readonly relationships: readonly ShownRelationship[];
}

/** A program that a mission evaluated. */
export interface ShownGeneratedSource {
  readonly evaluation_id: string;
  readonly mission_name?: string;
  readonly source: string;
  readonly prelude_calls: readonly { readonly ref: string; readonly component_id: string }[];
}

/** A call other than one to a model: what it was asked, and what came back. */
export interface ShownCapabilityCall {
  readonly capability_id: string;
  readonly name: string;
  readonly arguments?: unknown;
  readonly result?: unknown;
  readonly exception?: unknown;
}

/** A component that was in force. */
export interface ShownPreludeSource {
  readonly component_id: string;
  readonly environment: string;
  readonly mission_name?: string;
  readonly source: string;
}

/** The state of a live run. */
export interface ShownFrame {
  readonly run_id: string;
  readonly label?: string;
  /** The function that runs; null before it is known. */
  readonly entry?: string | null;
  readonly phase: string;
  readonly seq: number;
  readonly elapsed_ms: number;
  readonly remaining_ms?: number | null;
  readonly outcome_reason?: string | null;
  readonly usage?: {
    readonly subordinate_evaluations?: number;
    readonly capability_calls?: number;
    readonly protocol_errors?: number;
    readonly model_calls?: number;
    /** Null before any, and where they are not all known. */
    readonly tokens?: number | null;
    readonly 'evaluation_busy?'?: boolean;
    readonly llm_spend?: ShownSpend | null;
  };
  readonly limits?: Readonly<Record<string, number>>;
  readonly heap?: {
    readonly observed_words: number;
    readonly peak_words: number;
    readonly baseline_words: number;
    readonly ceiling_words: number;
    readonly samples: readonly unknown[];
  } | null;
  readonly parallel?: { readonly held: number; readonly capacity: number } | null;
  /** Agent loops, the one that acted last first. */
  readonly agents?: readonly {
    readonly id: string;
    readonly turn: number;
    readonly max_turns: number | null;
    readonly kind: string;
  }[];
  /** First lines of the programs of agents, the newest first; without an outcome those that run. */
  readonly programs?: readonly { readonly line: string; readonly outcome: string | null }[];
  /** Questions that wait for a person. */
  readonly waiting?: readonly { readonly approval_id: string; readonly name: string; readonly since_ms: number }[];
  readonly activity: readonly {
    readonly t: number;
    readonly kind: string;
    readonly name: string;
    readonly status: string;
    readonly duration_ms?: number;
  }[];
}

/** The application of the viewer, before it runs. */
export interface ShownProjectFacts {
  readonly enabled: boolean;
  readonly project: string;
  readonly name: string | null;
  /** Why it cannot be started; absent for one that can. */
  readonly fault?: string;
  readonly entry?: string;
  /** Null where the page may not show it. */
  readonly input?: unknown;
  readonly environments?: readonly {
    readonly name: string;
    readonly kind: string;
    readonly components: readonly string[];
    readonly providers: readonly string[];
  }[];
  readonly limits?: readonly {
    readonly name: string;
    readonly unit: string;
    readonly effective: number | null;
    readonly default: number | null;
    readonly ceiling: number | null;
  }[];
}

/** What was started from the page. */
export interface ShownLaunchState {
  readonly status: 'idle' | 'running' | 'ok' | 'error';
  readonly output_tail?: string;
}

/** A place of a call, or of one that led to it. */
export interface ShownCallPlace {
  readonly component?: string;
  readonly ref?: string;
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

/** A question about a call (approvals.md §3): only tool and size where the page may show no more. */
export interface ShownApproval {
  readonly approval_id: string;
  readonly run_ref: string;
  readonly tool: string;
  readonly effect: string;
  readonly argument_bytes: number;
  readonly asked_at: string;
  readonly expires_at: string;
  readonly mission?: string;
  readonly description?: string;
  readonly arguments?: string;
  readonly arguments_hash?: string;
  readonly program?: string;
  readonly place?: ShownCallPlace;
  readonly stack?: readonly ShownCallPlace[];
  readonly branch?: { readonly index: number; readonly of: number };
  readonly asked_before?: number;
  readonly remembered_denials?: number;
}

/** What waits for a person, oldest first. */
export interface ShownApprovals {
  readonly total: number;
  /** Whether the page may decide. */
  readonly decides: boolean;
  readonly approvals: readonly ShownApproval[];
}
