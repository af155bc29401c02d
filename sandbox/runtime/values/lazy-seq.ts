import { step } from '../unwinding.ts';
import { type Cell, Seq } from './seq.ts';

/**
 * The body of a lazy seq: called once with the captures, returns anything `seq` takes.
 * Bodies inside the runtime are named top-level functions, so that an unrealised seq is data: a name and captures.
 */
export type LazyBody = (...captures: readonly unknown[]) => unknown;

/** Bodies by name. */
export type LazyBodies = Readonly<Record<string, LazyBody>>;

/** A seq computed when it is first asked for; each element is computed once and kept. */
export class LazySeq extends Seq {
  /** Null once it has run. */
  declare body: LazyBody | null;
  /** Empty once the body has run. */
  declare captures: readonly unknown[];
  /** What the body returned; once `forced` the seq behind it, null when empty. */
  declare result: unknown;
  declare forced: boolean;

  constructor(body: LazyBody, captures: readonly unknown[], meta: unknown) {
    super(meta);
    this.body = body;
    this.captures = captures;
    this.result = null;
    this.forced = false;
  }

  /** The non-empty seq behind, or null. `toSeq` is `seq` for anything that is not lazy. */
  force(toSeq: (value: unknown) => Cell | null): Cell | null {
    if (this.forced) return toSeq(this.result);
    let value = this.run();
    // A body that returns a lazy seq is unrolled here, so that long chains need no stack.
    while (value instanceof LazySeq) value = value.run();
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
    this.captures = [];
    return result;
  }

  withMeta(meta: unknown): LazySeq {
    return new LazySeq(sameSeq, [this], meta);
  }
}

/** Body of a lazy seq that stands for another one. */
export function sameSeq(seq: unknown): unknown {
  return seq;
}

/** A lazy seq with this body. */
export function lazySeq(body: LazyBody, ...captures: readonly unknown[]): LazySeq {
  return new LazySeq(body, captures, null);
}

/** Bodies of the lazy seqs that this module makes, by the names under which encodings know them. */
export function sameBodies(): LazyBodies {
  return { sameSeq };
}
