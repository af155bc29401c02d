import { DIAGNOSTIC_CODES } from '../../contract/diagnostics/catalogue.ts';
import type { Diagnostic, DiagnosticCode } from '../../contract/diagnostics/diagnostic.ts';

/** interface-1.md: at most six diagnostics beside the primary one. */
const SECONDARY_MAX = 6;

type Category = 'cleanup' | 'internal' | 'result_guard' | 'kernel_or_session' | 'sink' | 'publication';
interface Rank {
  readonly rank: number;
  readonly category: Category;
}

const SINK: Rank = { rank: 7, category: 'sink' };
const RESULT_GUARD: Rank = { rank: 4, category: 'result_guard' };

/** Codes whose rank is their own, not their phase's (runtime.md §3, "Several failures at once"). */
const RANK_OF_CODE: ReadonlyMap<DiagnosticCode, Rank> = new Map([
  ['provider_cleanup_timeout', { rank: 1, category: 'cleanup' }],
  ['provider_cleanup_failed', { rank: 2, category: 'cleanup' }],
  ['internal_error', { rank: 3, category: 'internal' }],
  ['result_invalid', RESULT_GUARD],
  ['result_contract_failed', RESULT_GUARD],
  ['result_limit_exceeded', RESULT_GUARD],
  ['event_capture_limit_exceeded', SINK],
  ['event_sink_unavailable', SINK],
  ['inspection_capture_limit_exceeded', SINK],
  ['inspection_sink_unavailable', SINK],
]);

function rankOf(known: Diagnostic): Rank {
  const own = RANK_OF_CODE.get(known.code);
  if (own !== undefined) return own;
  if (known.phase === 'publication') return { rank: 8, category: 'publication' };
  return { rank: known.phase === 'execution' ? 5 : 6, category: 'kernel_or_session' };
}

const POSITIONS: ReadonlyMap<string, number> = new Map(DIAGNOSTIC_CODES.map((code, index) => [code, index]));

export interface OrderedFailures {
  readonly error: Diagnostic;
  readonly secondary: readonly Diagnostic[];
}

/**
 * The primary failure and what is told beside it: duplicates dropped, by rank and then by place in the published
 * enumeration, one of each category (runtime.md §3). Null when nothing failed.
 */
export function orderFailures(failures: readonly Diagnostic[]): OrderedFailures | null {
  const sorted = failures.toSorted((a, b) => rankOf(a).rank - rankOf(b).rank || positionOf(a) - positionOf(b));
  const seen = new Set<Category>();
  const kept = sorted.filter((failure) => {
    const { category } = rankOf(failure);
    return seen.has(category) ? false : seen.add(category);
  });
  const [error, ...secondary] = kept;
  return error === undefined ? null : { error, secondary: secondary.slice(0, SECONDARY_MAX) };
}

function positionOf(known: Diagnostic): number {
  return POSITIONS.get(known.code) ?? POSITIONS.size;
}
