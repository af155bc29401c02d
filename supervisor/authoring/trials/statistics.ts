/** A rate and the interval in which the true one lies, 95 times of 100. */
export interface Rate {
  readonly passed: number;
  readonly runs: number;
  readonly rate: number;
  readonly low: number;
  readonly high: number;
}

/** Of the normal distribution: 95 % lie within so many deviations. */
const Z = 1.959963984540054;

/**
 * The pass rate with its interval by Wilson's score (E. B. Wilson 1927): it stays within 0 and 1, and says something of
 * a case that passed each of few times. Null where nothing ran.
 */
export function rateOf(passed: number, runs: number): Rate | null {
  if (runs === 0) return null;
  const rate = passed / runs;
  const scale = 1 + Z ** 2 / runs;
  const middle = (rate + Z ** 2 / (2 * runs)) / scale;
  const half = (Z / scale) * Math.sqrt((rate * (1 - rate)) / runs + Z ** 2 / (4 * runs ** 2));
  return { passed, runs, rate, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/** Mean and largest of some figures. */
export interface Spread {
  readonly mean: number;
  readonly worst: number;
}

/** Null where one is not known, or there is none. */
export function spreadOf(figures: readonly (number | null)[]): Spread | null {
  const known = figures.filter((figure) => figure !== null);
  if (known.length === 0 || known.length < figures.length) return null;
  return { mean: sumOf(known) / known.length, worst: Math.max(...known) };
}

export function sumOf(figures: readonly number[]): number {
  return figures.reduce((sum, figure) => sum + figure, 0);
}
