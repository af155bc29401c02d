/**
 * The end of something that lives long, for which many wait a short time each: nothing keeps anyone who stopped
 * waiting.
 */
export interface Ending<T> {
  /** What is awaited, or what it ended with, whichever is first. `Promise.race` would keep both until the end. */
  readonly race: <Value>(awaited: Promise<Value>) => Promise<Value | T>;
  /** The end as a promise of its own, which never settles once it was left. */
  readonly watch: () => { readonly ended: Promise<T>; readonly leave: () => void };
}

/** `promise` never rejects. */
export function endingOf<T>(promise: Promise<T>): Ending<T> {
  const waiting = new Set<(value: T) => void>();
  let end: { readonly value: T } | null = null;
  async function hear(): Promise<void> {
    const value = await promise;
    end = { value };
    for (const notify of waiting) notify(value);
    waiting.clear();
  }
  void hear();

  function watch(): ReturnType<Ending<T>['watch']> {
    const { promise: ended, resolve } = Promise.withResolvers<T>();
    if (end === null) waiting.add(resolve);
    else resolve(end.value);
    return {
      ended,
      leave: () => {
        waiting.delete(resolve);
      },
    };
  }

  return {
    watch,
    race: async (awaited) => {
      const { ended, leave } = watch();
      try {
        return await Promise.race([awaited, ended]);
      } finally {
        leave();
      }
    },
  };
}
