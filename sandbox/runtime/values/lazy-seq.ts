import { step } from '../unwinding.ts';
import { type Cell, Cons, Seq } from './seq.ts';

/**
 * The body of a lazy seq: called once with the captures, returns anything `seq` takes.
 * Bodies inside the runtime are named top-level functions, so that an unrealised seq is data: a name and captures.
 */
export type LazyBody = (...captures: readonly unknown[]) => unknown;

/**
 * How many elements a body passes over before it returns a lazy seq of what is left, which takes its place: so what it
 * was given need not be held as long as it looks for an element.
 */
export const STRIDE = 32;

/** Bodies by name. */
export type LazyBodies = Readonly<Record<string, LazyBody>>;

const NO_CAPTURES: readonly unknown[] = [];

/** A seq computed when it is first asked for; each element is computed once and kept. */
export class LazySeq extends Seq {
  /** Null once it has run. */
  declare body: LazyBody | null;
  /** Empty once the body has run. */
  declare captures: readonly unknown[];
  /** What the body returned; once `forced` the seq behind it, null when empty. */
  declare result: unknown;
  declare forced: boolean;
  /**
   * Whether what was made with this seq is all that looks at it, and does so once; or the function that it was given
   * to.
   */
  declare owned: unknown;

  constructor(body: LazyBody, captures: readonly unknown[], meta: unknown) {
    super(meta);
    this.body = body;
    this.captures = captures;
    this.result = null;
    this.forced = false;
    this.owned = false;
  }

  /**
   * Lets go of the elements, where its one owner has started to walk them: places that the engine still knows, such as
   * the registers of a call under way, would hold them all by their head.
   */
  release(): void {
    if (this.owned === true && this.forced) this.result = null;
  }

  /** Whether elements may wait to be computed. */
  get isPending(): boolean {
    return true;
  }

  /** The non-empty seq behind, or null. `toSeq` is `seq` for anything that is not lazy. */
  force(toSeq: (value: unknown) => Cell | null): Cell | null {
    if (this.forced) return toSeq(this.result);
    let value = this.run();
    // A body that returns a lazy seq is unrolled here, so that long chains need no stack.
    while (value instanceof LazySeq) {
      value = value.run();
      // What is behind us need not be kept, and is not walked again where a later body throws.
      this.result = value;
    }
    const seq = toSeq(value);
    this.result = seq;
    this.forced = true;
    return seq;
  }

  /** Runs the body if it has not run; a body that throws may run again. */
  private run(): unknown {
    const { body, captures } = this;
    if (body === null) return this.result;
    step();
    const result = captures.length === 0 ? body() : body(...captures);
    this.result = result;
    this.body = null;
    this.captures = NO_CAPTURES;
    for (let i = 0; i < captures.length; i++) {
      const capture = captures[i];
      if (capture instanceof LazySeq) capture.release();
    }
    return result;
  }

  /** A seq of all that this one is, which is nothing from then on. */
  takeOver(): LazySeq {
    const made = new LazySeq(sameSeq, this.captures, this.meta);
    made.body = this.body;
    made.result = this.result;
    made.forced = this.forced;
    this.body = null;
    this.captures = NO_CAPTURES;
    this.result = null;
    this.forced = true;
    return made;
  }

  withMeta(meta: unknown): LazySeq {
    return new LazySeq(sameSeq, [this], meta);
  }
}

/** Body of a lazy seq that takes the place of another one. */
export function sameSeq(seq: unknown): unknown {
  return seq;
}

/** A lazy seq with this body. */
export function lazySeq(body: LazyBody, ...captures: readonly unknown[]): LazySeq {
  return new LazySeq(body, captures, null);
}

/** Says of a seq just made that the call it is handed to is all that looks at it, and walks it once; gives it back. */
export function own(value: { readonly isPending?: boolean } | null): unknown {
  // Nearly every seq is there already: a look at a member takes less than asking for its class.
  if (value?.isPending !== true) return value;
  let at: unknown = value;
  while (at instanceof Cons) at = at.tail;
  if (at instanceof LazySeq) at.owned = true;
  return value;
}

/**
 * A seq whose only owner is the call it is handed to, which walks it once. It takes the place of one that others may
 * look at too, and that the caller lets go.
 */
export function moved(value: { readonly isPending?: boolean } | null): unknown {
  if (value?.isPending !== true) return value;
  const mine = new LazySeq(sameSeq, [value], null);
  mine.owned = true;
  return mine;
}

/** Says of a seq that nobody else looks at that it is an argument of a call of this function; gives it back. */
export function give(value: unknown, to: unknown): unknown {
  if (value instanceof LazySeq) value.owned = to;
  return value;
}

/**
 * An argument as its function goes on with it: of a seq that was given to it, what it is made of, so that the argument
 * in the registers of the call holds nothing. `mayOwn`: whether the function may empty it, since it shows it to nobody.
 */
export function received(value: { readonly isPending?: boolean } | null, by: unknown, mayOwn = true): unknown {
  if (value?.isPending !== true || !(value instanceof LazySeq) || value.owned !== by) return value;
  const lazySeq = value.takeOver();
  if (mayOwn) lazySeq.owned = by;
  return lazySeq;
}

/** As `own`, where the seq was given to this function. */
export function mine(value: { readonly isPending?: boolean } | null, by: unknown): unknown {
  if (value?.isPending === true && value instanceof LazySeq && value.owned === by) value.owned = true;
  return value;
}

/** As `give`, where the seq was given to this function. */
export function passOn(value: unknown, to: unknown, by: unknown): unknown {
  if (value instanceof LazySeq && value.owned === by) value.owned = to;
  return value;
}

/** Says of a seq that others may look at it after all. */
export function releaseOwner(value: unknown): void {
  if (value instanceof LazySeq) value.owned = false;
}

/** What a local held, which has been cleared since. */
export function before(realised: unknown): unknown {
  return realised;
}

/** Lets go of the elements of a seq that only the caller holds, and walks. */
export function release(value: unknown): void {
  if (value instanceof LazySeq) value.release();
}

/** Bodies of the lazy seqs that this module makes, by the names under which encodings know them. */
export function sameBodies(): LazyBodies {
  return { sameSeq };
}
