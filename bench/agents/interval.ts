/** A share of runs, and the bounds between which it lies with 95 percent confidence. */
export interface Rate {
  readonly successes: number;
  readonly runs: number;
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

/** Quantile of the normal distribution for 95 percent on both sides together. */
const Z = 1.959964;

/**
 * The score interval of Wilson (1927), which holds for few runs, and for shares near 0 and 1 too. Without a run
 * nothing is known: the interval is from 0 to 1.
 */
export function wilson(successes: number, runs: number): Rate {
  if (runs === 0) return { successes, runs, share: 0, low: 0, high: 1 };
  const share = successes / runs;
  const denominator = 1 + Z ** 2 / runs;
  const centre = (share + Z ** 2 / (2 * runs)) / denominator;
  const half = (Z / denominator) * Math.sqrt((share * (1 - share)) / runs + Z ** 2 / (4 * runs ** 2));
  // The bounds are exact where every run, or none, succeeded; the rest is rounding.
  const low = successes === 0 ? 0 : centre - half;
  const high = successes === runs ? 1 : centre + half;
  return { successes, runs, share, low, high };
}
