import { DIAGNOSTIC_CODES } from './codes.ts';
import type { Diagnostic, Subject } from './diagnostic.ts';

/** Which of several failures a run reports, and in what order (runtime.md §3, "Several failures at once"). */

type Category =
  | 'cleanup'
  | 'internal'
  | 'result_guard'
  | 'kernel_or_session'
  | 'event_sink'
  | 'inspection_sink'
  | 'publication';

interface Precedence {
  readonly rank: number;
  readonly category: Category;
}

const CLEANUP: Readonly<Record<string, Precedence>> = {
  provider_cleanup_timeout: { rank: 1, category: 'cleanup' },
  provider_cleanup_failed: { rank: 2, category: 'cleanup' },
};

const SINKS: Readonly<Record<string, Precedence>> = {
  event_capture_limit_exceeded: { rank: 7, category: 'event_sink' },
  event_sink_unavailable: { rank: 7, category: 'event_sink' },
  inspection_capture_limit_exceeded: { rank: 7, category: 'inspection_sink' },
  inspection_sink_unavailable: { rank: 7, category: 'inspection_sink' },
};

const PUBLICATION: Precedence = { rank: 8, category: 'publication' };

/** At most so many failures follow the first (interface.md §1.8). */
const FOLLOWING_MAX = 6;

const POSITIONS: ReadonlyMap<string, number> = new Map(DIAGNOSTIC_CODES.map((code, position) => [code, position]));

const KERNEL_OR_SESSION: Precedence = { rank: 6, category: 'kernel_or_session' };

function precedenceOf({ phase, code }: Diagnostic): Precedence {
  if (phase === 'result_cleanup') return CLEANUP[code] ?? { rank: 4, category: 'result_guard' };
  if (phase === 'internal') return { rank: 3, category: 'internal' };
  if (phase === 'execution') return SINKS[code] ?? { rank: 5, category: 'kernel_or_session' };
  return phase === 'publication' ? PUBLICATION : KERNEL_OR_SESSION;
}

function identity({ phase, code, subject }: Diagnostic): string {
  return JSON.stringify([phase, code, subjectIdentity(subject)]);
}

function subjectIdentity(subject: Subject | null): unknown {
  if (subject === null) return null;
  const { name, operation, occurrence } = subject;
  return [name, operation, occurrence === null ? null : [occurrence.destination, occurrence.index]];
}

/** Several failures of one command as its envelope reports them (interface.md §1.7). */
export interface MergedFailures {
  readonly error: Diagnostic;
  /** At most six. */
  readonly secondaryErrors: readonly Diagnostic[];
}

/**
 * The primary failure and those that follow it: duplicates of phase, code and subject dropped, sorted by rank and
 * position in the enumeration, the first of each category kept. Among equals the earlier given one stays first.
 */
export function severalFailures(failures: readonly [Diagnostic, ...Diagnostic[]]): MergedFailures {
  const seen = new Set<string>();
  const categories = new Set<Category>();
  const [error, ...following] = failures
    .filter((failure) => !seen.has(identity(failure)) && seen.add(identity(failure)))
    .map((failure) => ({
      failure,
      precedence: precedenceOf(failure),
      position: POSITIONS.get(failure.code) ?? POSITIONS.size,
    }))
    .toSorted((left, right) => left.precedence.rank - right.precedence.rank || left.position - right.position)
    .filter(({ precedence: { category } }) => !categories.has(category) && categories.add(category))
    .map(({ failure }) => failure);
  if (error === undefined) throw new TypeError('one of several failures is always kept');
  return { error, secondaryErrors: following.slice(0, FOLLOWING_MAX) };
}
