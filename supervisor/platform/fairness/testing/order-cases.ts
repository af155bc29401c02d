/**
 * Whose turn it is between tenants, as a table that every scheduler with tenants is held against: the queue in this
 * process (fair-queue.ts) and the claim in SQL (supervisor/service/engine/fair-claim.ts). One run at a time; tenants
 * that are equal in all else are served in the order of their names, in which they also come.
 */
export interface OrderCase {
  readonly rule: string;
  readonly steps: readonly OrderStep[];
}

export type OrderStep =
  /** So many runs of a tenant come. */
  | { readonly tenant: string; readonly weight: number; readonly runs: number }
  /** The tenants of the runs that begin next; the last of them still runs when the next step is taken. */
  | { readonly begins: string };

const comes = (tenant: string, runs: number, weight = 1): OrderStep => ({ tenant, weight, runs });
/** Tenants of one letter each. */
const begins = (tenants: string): OrderStep => ({ begins: tenants });

export const ORDER_CASES: readonly OrderCase[] = [
  {
    rule: 'tenants of one weight take turns, however many runs each has',
    steps: [comes('a', 6), comes('b', 2), begins('ababaaaa')],
  },
  {
    rule: 'one of twice the weight has two runs for one',
    steps: [comes('a', 4), comes('b', 6, 2), begins('abbabbabba')],
  },
  { rule: 'one of four times the weight has four', steps: [comes('a', 3), comes('b', 8, 4), begins('abbbbabbbba')] },
  {
    rule: 'one that comes late stands where the others are',
    steps: [comes('a', 4), begins('aaa'), comes('b', 1), begins('ab')],
  },
  {
    rule: 'and is owed nothing for the time before',
    steps: [comes('a', 7), begins('aaaa'), comes('b', 2), begins('ababa')],
  },
  {
    rule: 'one that rested is owed nothing either',
    steps: [comes('a', 6), comes('b', 1), begins('abaaa'), comes('b', 2), begins('abab')],
  },
];
