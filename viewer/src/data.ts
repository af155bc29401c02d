/** What the routes of the viewer answer, as far as the page shows it (evidence.md §7, §11). */

export interface Bundle {
  readonly component_ids: readonly string[];
  readonly dependency_indices: readonly (readonly number[])[];
  readonly hash: string | null;
}

export interface Spend {
  readonly state: string;
  readonly input?: number;
  readonly output?: number;
  readonly total_cost?: Cost;
}

export interface Cost {
  readonly currency: string;
  readonly microunits: number;
}

export interface Run {
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
  readonly llm_spend: Spend | null;
  readonly llm_budget: unknown;
  readonly workflow_capability_calls: number;
  readonly mission_capability_calls: number;
  readonly workflow_prelude: Bundle;
  readonly missions: Readonly<
    Record<string, { readonly prelude: Bundle; readonly inventory_hash: string; readonly model_context_hash: string }>
  >;
  readonly source: string;
}

export interface TraceEvent {
  readonly sequence: number;
  readonly timestamp: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface RunsPage {
  readonly items: readonly Run[];
  readonly next_cursor: string | null;
  readonly omitted_count: number;
  readonly excluded_private_trace_files?: number;
  /** Traces that the viewer still reads; their runs come with a refresh. */
  readonly unread_trace_files?: number;
  readonly isolation?: { readonly source_count: number; readonly reasons: unknown };
}

export interface Message {
  readonly role: string;
  readonly content?: unknown;
}

export interface Turn {
  readonly stream_id: string;
  readonly turn: number;
  readonly capability_id: string;
  readonly system?: string;
  readonly messages_added: readonly Message[];
  readonly feedback: readonly Message[];
  readonly assistant: {
    readonly content?: unknown;
    readonly tool_calls?: readonly { readonly name: string; readonly args: unknown }[];
  } | null;
  readonly response?: unknown;
  readonly tokens: { readonly input?: number; readonly output?: number } | null;
  readonly outcome: string | null;
  readonly generated: readonly {
    readonly evaluation_id: string;
    readonly mission_name?: string;
    readonly 'association_ambiguous?': boolean;
  }[];
}

export interface Conversation {
  readonly streams: readonly { readonly stream_id: string; readonly turns: readonly Turn[] }[];
  /** Where the rest of it begins; null or absent when this is all. */
  readonly next_cursor?: string | null;
  /** Turns in the rest. */
  readonly omitted_count?: number;
  readonly 'complete?': boolean;
  readonly missing_exchange_count: number;
  readonly ambiguity_count: number;
}

export interface Relationship {
  readonly rel: string;
  readonly semantics: string;
  readonly state: string;
  readonly target_collection: string;
  readonly filters: Readonly<Record<string, string>> | null;
}

export interface ExecutionError {
  readonly evaluation_id: string;
  readonly kind: string;
  readonly reason: string;
  readonly details?: unknown;
  readonly relationships: readonly Relationship[];
}

export interface GeneratedSource {
  readonly evaluation_id: string;
  readonly mission_name?: string;
  readonly source: string;
  readonly prelude_calls: readonly { readonly ref: string; readonly component_id: string }[];
}

export interface PreludeSource {
  readonly component_id: string;
  readonly environment: string;
  readonly mission_name?: string;
  readonly source: string;
}

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
      readonly prints: readonly { readonly prints: readonly string[] }[];
      readonly result: { readonly 'available?': boolean; readonly value?: unknown };
    };

export interface Frame {
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
    readonly 'evaluation_busy?'?: boolean;
    readonly llm_spend?: Spend | null;
  };
  readonly limits?: Readonly<Record<string, number>>;
  readonly heap?: { readonly observed_words: number; readonly ceiling_words: number } | null;
  readonly parallel?: { readonly held: number; readonly capacity: number } | null;
  readonly activity: readonly {
    readonly t: number;
    readonly kind: string;
    readonly name: string;
    readonly status: string;
    readonly duration_ms?: number;
  }[];
}

export interface ProjectFacts {
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

export interface LaunchState {
  readonly status: 'idle' | 'running' | 'ok' | 'error';
  readonly output_tail?: string;
}
