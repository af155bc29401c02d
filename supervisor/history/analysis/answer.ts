import type { Result, Fault } from '../../../contract/outcome.ts';
/**
 * Why a query over captured runs has no answer (evidence.md §7, "Errors").
 *
 * | fault | of |
 * |---|---|
 * | `not_found` | a run or a collection that is not there |
 * | `run_isolated` | a run whose files were set aside |
 * | `evidence_unavailable` | private evidence that this capture does not hold |
 * | `source_changed` | a file that is no longer what was captured, or a cursor of another capture |
 * | `result_limit_exceeded` | an answer, or one item, that is larger than an answer may be |
 * | `invalid_query` | options, filters and cursors |
 * | `malformed_source`, `unsupported_version` | a single source that is no evidence |
 * | `source_limit_exceeded` | more entries, files or bytes than a capture may hold |
 * | `source_unavailable` | a directory or a file that cannot be read |
 * | `inspection_correlation_missing` | private evidence that does not belong to its trace |
 */
export type AnalysisFault =
  | 'not_found'
  | 'run_isolated'
  | 'evidence_unavailable'
  | 'source_changed'
  | 'result_limit_exceeded'
  | 'invalid_query'
  | 'malformed_source'
  | 'unsupported_version'
  | 'source_limit_exceeded'
  | 'source_unavailable'
  | 'inspection_correlation_missing';

/** Expected failures are data; what is thrown is a bug. */
export type Answer<T> = Result<T, AnalysisFault>;

export function answer<T>(value: T): Answer<T> {
  return { ok: true, value };
}

export function refuseQuery(fault: AnalysisFault): Fault<AnalysisFault> {
  return { ok: false, fault };
}
