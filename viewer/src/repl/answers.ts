/** What the routes of the session answer (evidence.md §11), as far as the page shows it. */

export interface FormProblem {
  readonly kind: string;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

export interface Evaluation {
  readonly evaluation_id: string;
  readonly status: 'ok' | 'error';
  readonly continuation_effect: string;
  readonly duration_ms: number;
  readonly prints: string;
  readonly 'prints_truncated?': boolean;
  readonly recovered: 'all' | 'part' | null;
  /** The value as the language prints it; absent of a failure. */
  readonly formatted?: string;
  readonly 'formatted_truncated?'?: boolean;
  readonly error?: FormProblem;
}

export interface Entry {
  readonly source: string;
  readonly 'source_truncated?': boolean;
  readonly evaluation: Evaluation;
}

export interface ReplState {
  readonly session_id: string;
  readonly lifecycle:
    | 'never_started'
    | 'open'
    | 'evaluating'
    | 'templating'
    | 'closed'
    | 'terminal'
    | 'terminal_unpersisted'
    | 'persistence_failed'
    | 'backend_failed';
  readonly mutation_nonce: string;
  /** Null before it is opened. */
  readonly session: {
    readonly terminal_reason: string | null;
    readonly usage: { readonly evaluations: number; readonly capability_calls: number; readonly remaining_ms: number };
    readonly snapshot?: { readonly traces: { readonly file_count: number; readonly run_count: number } };
  } | null;
  readonly limits: {
    readonly evaluations: number;
    readonly capability_calls: number;
    readonly source_bytes: number;
    readonly duration_ms: number;
  };
  readonly transcript: readonly Entry[];
  readonly transcript_omitted_count: number;
  /** Of the session before, where it was written. */
  readonly last_trace_path: string | null;
}

/** The first answer alone says what there is to look at. */
export interface Bootstrap extends ReplState {
  readonly runs: { readonly public: number; readonly private: number };
}
