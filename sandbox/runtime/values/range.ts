import { Cell, EMPTY_LIST, type Seq } from './seq.ts';

/** Ranges beyond this many elements are lazy sources (language.md §6). */
export const REALISED_RANGE = 100_000;

/** A non-empty finite range of safe integers, held as three numbers. */
export class Range extends Cell {
  declare readonly start: number;
  declare readonly step: number;
  declare readonly count: number;
  /** Whether sequence functions over it wait to be asked. */
  declare readonly lazy: boolean;

  constructor(start: number, step: number, count: number, lazy: boolean, meta: unknown) {
    super(meta);
    this.start = start;
    this.step = step;
    this.count = count;
    this.lazy = lazy;
  }

  first(): unknown {
    return this.start;
  }

  rest(): Seq {
    return this.count > 1 ? new Range(this.start + this.step, this.step, this.count - 1, this.lazy, null) : EMPTY_LIST;
  }

  at(index: number): number {
    return this.start + index * this.step;
  }

  toArray(): number[] {
    const all: number[] = [];
    for (let i = 0, x = this.start; i < this.count; i++, x += this.step) all.push(x);
    return all;
  }

  withMeta(meta: unknown): Range {
    return new Range(this.start, this.step, this.count, this.lazy, meta);
  }
}
