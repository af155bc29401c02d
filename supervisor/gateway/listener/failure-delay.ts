import { setTimeout as pause } from 'node:timers/promises';

/**
 * Wrong bearers within so many milliseconds after which further ones are answered late, how late, and how many may wait
 * (gateway.md §9).
 */
export const FAILURE_BOUNDS = { atOnce: 20, withinMs: 10_000, delayMs: 250, waiting: 64 } as const;

/** Waits before a wrong bearer is refused, once there were too many of them; nobody's bearer is guessed fast. */
export function failureDelay(
  now: () => number,
  wait: (milliseconds: number) => Promise<unknown> = pause,
): () => Promise<void> {
  // No older one can matter.
  const failures: number[] = [];
  let waiting = 0;
  return async () => {
    failures.push(now());
    if (failures.length > FAILURE_BOUNDS.atOnce + 1) failures.shift();
    const [oldest = 0] = failures;
    if (
      failures.length <= FAILURE_BOUNDS.atOnce ||
      now() - oldest > FAILURE_BOUNDS.withinMs ||
      waiting >= FAILURE_BOUNDS.waiting
    )
      return;
    waiting += 1;
    await wait(FAILURE_BOUNDS.delayMs).finally(() => {
      waiting -= 1;
    });
  };
}
