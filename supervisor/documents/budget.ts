import type { Expired } from './fields/check.ts';

/** Time for checking one document, milliseconds (documents.md §1, budget). */
const DOCUMENT_BUDGET_MS = 1000;

/** Monotonic milliseconds. */
export type Now = () => number;

export const monotonic: Now = () => performance.now();

/** The budget of one document, from now on. */
export function documentBudget(now: Now): Expired {
  const deadline = now() + DOCUMENT_BUDGET_MS;
  return () => now() >= deadline;
}
