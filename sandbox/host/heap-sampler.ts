/** Milliseconds between two looks at a heap, each of which takes some microseconds of the host. */
const EVERY_MS = 100;

/** Looks at something at the first time that it is asked, and then so seldom; null: it was looked at a moment ago. */
export function createSampler<T>(look: () => T, now: () => number): () => T | null {
  let nextAt = -Infinity;
  return () => {
    const at = now();
    if (at < nextAt) return null;
    nextAt = at + EVERY_MS;
    return look();
  };
}
