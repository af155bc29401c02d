import { nearestNames } from '../../contract/names/nearest.ts';
import type { LocatedFault } from './located-fault.ts';

/** A member that must be there, and one in its place. */
export const RENAMED_PROBLEM = 'a required member is missing; an unknown member has a similar name';

/**
 * Faults where a mistyped member is reported once: as the one that is missing, or as the one that is unknown, whichever
 * comes first, at the place where it is.
 */
export function withRenamed(faults: readonly LocatedFault[]): readonly LocatedFault[] {
  const merged = new Map<LocatedFault, LocatedFault | null>();
  for (const missing of faults) {
    if (missing.member !== 'missing') continue;
    const name = missing.at.at(-1) ?? '';
    const unknown = faults.find(
      (one) =>
        one.member === 'unknown' &&
        !merged.has(one) &&
        isSibling(one.at, missing.at) &&
        nearestNames(one.at.at(-1) ?? '', [name]).length > 0,
    );
    if (unknown === undefined) continue;
    const [first, second] = faults.indexOf(missing) < faults.indexOf(unknown) ? [missing, unknown] : [unknown, missing];
    merged.set(first, {
      diagnostic: first.diagnostic,
      at: unknown.at,
      problem: RENAMED_PROBLEM,
      remedy: `did you mean ${name}?`,
    });
    merged.set(second, null);
  }
  return faults.flatMap((fault) => {
    const instead = merged.get(fault);
    return instead === null ? [] : [instead ?? fault];
  });
}

function isSibling(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.slice(0, -1).every((token, index) => token === right[index]);
}
