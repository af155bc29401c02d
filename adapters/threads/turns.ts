/** Gives its turn to the next. */
export type EndTurn = () => void;

/** So many at once, in the order in which they came. */
export interface Turns {
  /** Null for who left before its turn came. */
  take(signal: AbortSignal): Promise<EndTurn | null>;
}

export function turns(atOnce: number): Turns {
  let free = atOnce;
  const waiting = new Set<() => void>();
  const end = (): void => {
    const [next] = waiting;
    if (next === undefined) free += 1;
    else next();
  };
  return {
    take: (signal) =>
      new Promise((resolve) => {
        if (signal.aborted) {
          resolve(null);
          return;
        }
        if (free > 0) {
          free -= 1;
          resolve(end);
          return;
        }
        const begin = (): void => {
          waiting.delete(begin);
          signal.removeEventListener('abort', leave);
          resolve(end);
        };
        const leave = (): void => {
          waiting.delete(begin);
          resolve(null);
        };
        waiting.add(begin);
        signal.addEventListener('abort', leave, { once: true });
      }),
  };
}
