/** What the hidden files begin with that keep a private result which could not take its place. */
export const RECOVERY_PREFIX = '.svc-private-result-';

/** Where a run keeps such a result, beside its destination (runtime.md §12). */
export function recoveryName(runRef: string): string {
  return `${RECOVERY_PREFIX}${runRef}.json`;
}
