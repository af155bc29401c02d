import { isDeepStrictEqual } from 'node:util';
import type { TrialTask } from '../task.ts';

/** Right is exactly this value, as JSON has it; the order of keys does not matter. */
export function equals(expected: unknown): TrialTask['check'] {
  return (value) => isDeepStrictEqual(value, expected);
}

/** Right is a number this close. */
export function isNear(expected: number, within = 1e-6): TrialTask['check'] {
  return (value) => typeof value === 'number' && Math.abs(value - expected) <= within;
}

/** Sums by a name that each row has, in the order in which the names come. */
export function sumsBy<Row>(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
  amountOf: (row: Row) => number,
): Readonly<Record<string, number>> {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(nameOf(row), (sums.get(nameOf(row)) ?? 0) + amountOf(row));
  return Object.fromEntries(sums);
}
