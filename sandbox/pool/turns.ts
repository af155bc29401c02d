/** A turn that has begun. */
export interface Turn {
  /** Does nothing a second time. */
  readonly end: () => void;
  /**
   * Waits for something that needs no processor, while another has the turn; what is done then goes on at once. Parts of
   * the work may wait at the same time.
   */
  without<T>(wait: () => Promise<T>): Promise<T>;
  /** Goes on with other work, which is counted for so long from now. */
  readonly goOn: (longestMs: number) => void;
}

/** `next`: goes on with what was begun, and is let in before what is `new`. */
export type Work = 'next' | 'new';

/** How long the work may wait for its turn. */
export interface Patience {
  readonly waitMs: number;
  readonly signal: AbortSignal | undefined;
}

const UNCOUNTED: Turn = { end: () => undefined, without: (wait) => wait(), goOn: () => undefined };

/** Lets so many do their work at a time; the rest wait in the order of their calls. */
export interface Turns {
  /**
   * A turn that lasts longer than `longestMs` is no longer counted, so that work without an end holds nobody up. With
   * patience the wait has an end, too: the work then goes on uncounted. Never rejects.
   */
  take(work: Work, longestMs: number, patience?: Patience): Promise<Turn>;
  /** How many wait. */
  readonly waiting: (work: Work) => number;
}

/** Of so many turns one goes to what is new, however much there is to go on with. */
const SHARE_OF_NEW = 8;

/** Each turn begins in a turn of the event loop of its own: to begin one may take milliseconds. */
export function takeTurns(atOnce: number): Turns {
  const waiting: Readonly<Record<Work, (() => void)[]>> = { next: [], new: [] };
  let free = atOnce;
  let begun = 0;
  let isBeginning = false;

  function beginNext(): void {
    if (isBeginning || free < 1 || waiting.next.length + waiting.new.length === 0) return;
    isBeginning = true;
    setImmediate(() => {
      isBeginning = false;
      if (free >= 1) first()?.();
      beginNext();
    });
  }

  function first(): (() => void) | undefined {
    begun += 1;
    return begun % SHARE_OF_NEW === 0 ? (waiting.new.shift() ?? waiting.next.shift()) : (waiting.next.shift() ?? waiting.new.shift());
  }

  /** Counts until it is told, or until it has lasted too long. */
  function counted(longestMs: number): () => void {
    free -= 1;
    let isOver = false;
    const over = (): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      free += 1;
      beginNext();
    };
    const timer = setTimeout(over, longestMs).unref();
    return over;
  }

  function begin(firstMs: number): Turn {
    let longestMs = firstMs;
    let over = counted(longestMs);
    let hasEnded = false;
    let waits = 0;
    return {
      end: () => {
        hasEnded = true;
        over();
      },
      without: async (wait) => {
        waits += 1;
        over();
        try {
          return await wait();
        } finally {
          waits -= 1;
          if (!hasEnded && waits === 0) over = counted(longestMs);
        }
      },
      goOn: (nextMs) => {
        longestMs = nextMs;
        over();
        if (!hasEnded && waits === 0) over = counted(longestMs);
      },
    };
  }

  return {
    take: (work, longestMs, patience) => new Promise((resolve) => {
      const queue = waiting[work];
      const enter = (): void => {
        stopWaiting();
        resolve(begin(longestMs));
      };
      const leave = (): void => {
        stopWaiting();
        queue.splice(queue.indexOf(enter), 1);
        resolve(UNCOUNTED);
      };
      const timer = patience === undefined ? undefined : setTimeout(leave, patience.waitMs);
      const signal = patience?.signal;
      const stopWaiting = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
      };
      queue.push(enter);
      if (signal?.aborted === true) return leave();
      signal?.addEventListener('abort', leave);
      beginNext();
    }),
    waiting: (work) => waiting[work].length,
  };
}
