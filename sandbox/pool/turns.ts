import { mayHaveMore } from './share.ts';

/** A turn that has begun. */
export interface Turn {
  /** Does nothing a second time. */
  readonly end: () => void;
  /**
   * Waits for something that needs no processor, while another has the turn; what is done then goes on at once. Parts of
   * the work may wait at the same time.
   */
  without<T>(wait: () => Promise<T>): Promise<T>;
  /** Goes on to compute, which is counted for so long from now; false: its tenant computes with as many as it may, and the turn is as it was. */
  readonly goOn: (longestMs: number) => boolean;
}

/** `next`: goes on with what was begun, and is let in before what is `new`. What is next computes, what is new is only made. */
export type Work = 'next' | 'new';

/** For whom; null: who shares the turns with nobody, and may have all of them. */
export interface Asking {
  readonly tenant: string | null;
}

/** How long the work may wait for its turn. */
export interface Patience extends Asking {
  /** Then it goes on without a turn, if its tenant may compute with one more. */
  readonly waitMs: number;
  /** Then it goes on in any case. */
  readonly lastMs: number;
  readonly signal: AbortSignal | undefined;
}

const ALONE: Asking = { tenant: null };
const UNCOUNTED: Turn = { end: () => undefined, without: (wait) => wait(), goOn: () => true };

/** Lets so many do their work at a time. The rest wait: those of one tenant in the order of their calls, and of tenants whoever has fewest goes first. */
export interface Turns {
  /**
   * A turn that lasts longer than `longestMs` is no longer counted, so that work without an end holds nobody up; of its
   * own tenant it goes on to be known. With patience the wait has an end, too: the work then goes on uncounted. Never rejects.
   */
  take(work: Work, longestMs: number, asking?: Asking | Patience): Promise<Turn>;
  /** How many wait. */
  readonly waiting: (work: Work) => number;
}

/** Of so many turns one goes to what is new, however much there is to go on with. */
const SHARE_OF_NEW = 8;

/** What a turn is: counted among all, as one that makes something or that computes; known as one that computes for long; or neither. */
type Standing = 'making' | 'computing' | 'long' | 'none';

/** What one tenant waits for and has. */
interface Room {
  readonly tenant: string | null;
  readonly waiting: Readonly<Record<Work, (() => void)[]>>;
  making: number;
  computing: number;
  long: number;
  /** When one more may begin although as many compute as may, by `performance.now()`. */
  extraAt: number;
  /** The number of the turn that it was given last. */
  last: number;
}

/**
 * Each turn begins in a turn of the event loop of its own: to begin one may take milliseconds. `computing`: of
 * one tenant beside others so many compute, those that are no longer counted among them. Who comes when as many do waits, and
 * one of them goes on all the same after a while, the later the more there are: none can be told from the first to be one that
 * never ends, and none that computes can be made to wait.
 */
export function takeTurns(atOnce: number, computing: number = Infinity): Turns {
  const rooms = new Map<string | null, Room>();
  let counted = 0;
  let begun = 0;
  let isBeginning = false;

  function roomOf(tenant: string | null): Room {
    const room = rooms.get(tenant) ?? { tenant, waiting: { next: [], new: [] }, making: 0, computing: 0, long: 0, extraAt: 0, last: 0 };
    rooms.set(tenant, room);
    return room;
  }

  function leave(room: Room): void {
    // A turn that lasted too long ends in a room that was left before; there may be another one by now.
    if (rooms.get(room.tenant) === room && held(room) + room.waiting.next.length + room.waiting.new.length === 0) rooms.delete(room.tenant);
  }

  function mayCompute(room: Room): boolean {
    return room.tenant === null || room.computing + room.long < computing;
  }

  function mayBegin(room: Room): boolean {
    if (!isWaiting(room)) return false;
    const isFree = room.tenant === null ? counted < atOnce : mayHaveMore({ max: atOnce, taken: counted, own: room.making + room.computing });
    // Who never can have a second one while another is left has at least this one.
    return isFree || (atOnce === 1 && counted === 0);
  }

  function isWaiting(room: Room): boolean {
    return room.waiting.new.length > 0 || (room.waiting.next.length > 0 && mayCompute(room));
  }

  function nextRoom(): Room | null {
    let chosen: Room | null = null;
    for (const room of rooms.values()) {
      if (mayBegin(room) && (chosen === null || isBefore(room, chosen))) chosen = room;
    }
    return chosen;
  }

  function beginNext(): void {
    if (isBeginning || counted >= atOnce || nextRoom() === null) return;
    isBeginning = true;
    setImmediate(() => {
      isBeginning = false;
      const room = counted < atOnce ? nextRoom() : null;
      if (room !== null) first(room)?.();
      beginNext();
    });
  }

  function first(room: Room): (() => void) | undefined {
    begun += 1;
    room.last = begun;
    const next = (): (() => void) | undefined => (mayCompute(room) ? room.waiting.next.shift() : undefined);
    const fresh = (): (() => void) | undefined => room.waiting.new.shift();
    return begun % SHARE_OF_NEW === 0 ? (fresh() ?? next()) : (next() ?? fresh());
  }

  function stand(room: Room, from: Standing, to: Standing): Standing {
    for (const [standing, change] of [[from, -1], [to, 1]] as const) {
      if (standing === 'none') continue;
      room[standing] += change;
      if (standing !== 'long') counted += change;
    }
    leave(room);
    beginNext();
    return to;
  }

  /** Stands as it is until it is told, a counted one for so long. */
  function standing(room: Room, first: Standing, longestMs: number): () => void {
    let now = stand(room, 'none', first);
    const timer = first === 'long' ? undefined : setTimeout(() => { now = stand(room, now, first === 'computing' ? 'long' : 'none'); }, longestMs).unref();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      now = stand(room, now, 'none');
    };
  }

  function begin({ tenant }: Room, first: Standing, firstMs: number): Turn {
    let longestMs = firstMs;
    let counts = first === 'making' ? 'making' as const : 'computing' as const;
    let over = standing(roomOf(tenant), first, longestMs);
    let hasEnded = false;
    let waits = 0;
    const count = (): void => {
      over = standing(roomOf(tenant), counts, longestMs);
    };
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
          if (!hasEnded && waits === 0) count();
        }
      },
      goOn: (nextMs) => {
        if (!mayCompute(roomOf(tenant))) return false;
        counts = 'computing';
        longestMs = nextMs;
        over();
        if (!hasEnded && waits === 0) count();
        return true;
      },
    };
  }

  return {
    take: (work, longestMs, asking = ALONE) => new Promise((resolve) => {
      const room = roomOf(asking.tenant);
      const queue = room.waiting[work];
      const enter = (): void => {
        stopWaiting();
        resolve(begin(room, work === 'new' ? 'making' : 'computing', longestMs));
      };
      const goOn = (turn: () => Turn): void => {
        stopWaiting();
        queue.splice(queue.indexOf(enter), 1);
        resolve(turn());
        leave(room);
      };
      const gone = (): void => goOn(() => UNCOUNTED);
      queue.push(enter);
      let timer: NodeJS.Timeout | undefined;
      const signal = 'signal' in asking ? asking.signal : undefined;
      const stopWaiting = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', gone);
      };
      if (signal?.aborted === true) return gone();
      signal?.addEventListener('abort', gone);
      if ('waitMs' in asking) {
        const { waitMs, lastMs } = asking;
        const askedAt = performance.now();
        const impatient = (): void => {
          const now = performance.now();
          const leftMs = askedAt + lastMs - now;
          const isExtra = !mayCompute(room);
          if (leftMs > 0 && isExtra && now < room.extraAt) {
            timer = setTimeout(impatient, Math.min(room.extraAt - now, leftMs));
          } else {
            goOn(() => begin(room, 'long', longestMs));
            if (isExtra) room.extraAt = now + waitMs * (room.long - computing + 1);
          }
        };
        timer = setTimeout(impatient, Math.min(waitMs, lastMs));
      }
      beginNext();
    }),
    waiting: (work) => [...rooms.values()].reduce((sum, { waiting }) => sum + waiting[work].length, 0),
  };
}

function held({ making, computing, long }: Room): number {
  return making + computing + long;
}

/** Whether a room is served before another: it has less, or as much and was served longer ago. */
function isBefore(room: Room, other: Room): boolean {
  return held(room) === held(other) ? room.last < other.last : held(room) < held(other);
}
