/** The time on which a request counts, where that is not the machine's own (approvals.md §9). */
export interface RequestTime {
  /** Milliseconds that never go back. */
  monotonic(): number;
  /** Acts after so many milliseconds of this time, unless cancelled by what it returns. */
  after(milliseconds: number, act: () => void): () => void;
  /** An isolate computes until what it returns is called. */
  work(): () => void;
}

/** Always runs, and so needs not know what works. */
const MACHINE_TIME: RequestTime = {
  monotonic: () => performance.now(),
  after: (milliseconds, act) => {
    const timer = setTimeout(act, milliseconds);
    return () => clearTimeout(timer);
  },
  work: () => () => undefined,
};

/** The time on which a request with these options counts. */
export function timeOf({ time }: { readonly time?: RequestTime }): RequestTime {
  return time ?? MACHINE_TIME;
}
