import type { DirectoryConflict } from '../../history/transcript/separation.ts';

/** Codes of a session over run evidence (cli.md §11); whatever has none of its own is `command_failed`. */
export type SessionCode =
  | 'ambiguous_selected_trace'
  | 'catalog_limit_exceeded'
  | 'inspection_correlation_missing'
  | 'malformed_source'
  | 'profile_evaluation_failed'
  | 'profile_setup_failed'
  | 'result_limit_exceeded'
  | 'selected_inspection_missing'
  | 'selected_inspection_not_regular'
  | 'selected_run_mismatch'
  | 'selected_set_limit_exceeded'
  | 'selected_trace_missing'
  | 'selected_trace_not_regular'
  | 'source_changed'
  | 'source_limit_exceeded'
  | 'source_retained_limit_exceeded'
  | 'source_unavailable'
  | 'unsupported_schema'
  | 'command_failed';

/** Why a session was not opened. Neither text holds a path, a run id or anything of the evidence. */
export interface SetupRefusal {
  readonly ok: false;
  readonly code: SessionCode;
  readonly message: string;
  readonly hint: string | null;
  /** Two directories that are not apart, by their roles. */
  readonly conflict?: DirectoryConflict;
}

export function setupRefusal(code: SessionCode, message: string, hint: string | null): SetupRefusal {
  return { ok: false, code, message, hint };
}
