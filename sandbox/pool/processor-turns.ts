/** Turns of those that compute at once. */
export interface ProcessorSlots {
  take(): Promise<void>;
  readonly give: () => void;
  /** Waits for something that needs no processor. What is done goes on at once. */
  without<T>(wait: () => Promise<T>): Promise<T>;
}

/** So many turns as there are processors. */
export function processorTurns(processors: number): ProcessorSlots {
  let free = processors;
  const waiting: (() => void)[] = [];
  /** Hands the turn to who waits longest, if anyone does. */
  const give = (): void => {
    free += 1;
    const next = free > 0 ? waiting.shift() : undefined;
    if (next === undefined) return;
    free -= 1;
    next();
  };
  return {
    give,
    take: async () => {
      if (free > 0) free -= 1;
      else
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
        });
    },
    without: async (wait) => {
      give();
      try {
        return await wait();
      } finally {
        free -= 1;
      }
    },
  };
}
