import { outOfBounds } from '../errors.ts';
import { EMPTY_VECTOR, Vector, vector } from './vector.ts';

/** Parts of so few elements are copied: they cost no more than a view, and do not hold the whole. */
const COPIED = 32;
const LEAF = 32;
const NO_ELEMENTS: readonly unknown[] = [];

/**
 * A part of a vector, which shows the elements of the whole and holds it. Changes share what they can with the whole.
 */
class SubVector extends Vector {
  /** Never a view itself. */
  declare readonly whole: Vector;
  declare readonly start: number;

  constructor(whole: Vector, start: number, count: number, meta: unknown) {
    super(count, 0, NO_ELEMENTS, NO_ELEMENTS, meta);
    this.whole = whole;
    this.start = start;
  }

  override leafFor(index: number): readonly unknown[] {
    const from = index - (index % LEAF);
    return this.elementsFrom(from, Math.min(LEAF, this.count - from));
  }

  override at(index: number): unknown {
    return this.whole.at(this.start + index);
  }

  override conj(value: unknown): Vector {
    return new SubVector(this.whole.assocAt(this.start + this.count, value), this.start, this.count + 1, this.meta);
  }

  override assocAt(index: number, value: unknown): Vector {
    if (index === this.count) return this.conj(value);
    if (index < 0 || index > this.count) throw outOfBounds(null, { index, length: this.count });
    return new SubVector(this.whole.assocAt(this.start + index, value), this.start, this.count, this.meta);
  }

  override pop(): Vector {
    return this.count === 1
      ? EMPTY_VECTOR.withMeta(this.meta)
      : new SubVector(this.whole, this.start, this.count - 1, this.meta);
  }

  override withMeta(meta: unknown): Vector {
    return new SubVector(this.whole, this.start, this.count, meta);
  }

  override toArray(): readonly unknown[] {
    return this.elementsFrom(0, this.count);
  }

  override plain(): Vector {
    return vector(this.toArray(), this.meta);
  }

  private elementsFrom(from: number, count: number): readonly unknown[] {
    const elements: unknown[] = [];
    for (let index = 0; index < count; index++) elements.push(this.whole.at(this.start + from + index));
    return elements;
  }
}

/** The part of a vector from `start` up to `end`, both within it. */
export function partOfVector(source: Vector, start: number, end: number): Vector {
  const count = end - start;
  if (count === 0) return EMPTY_VECTOR;
  const [whole, from] = source instanceof SubVector ? [source.whole, source.start + start] : [source, start];
  const part = new SubVector(whole, from, count, null);
  return count <= COPIED ? part.plain() : part;
}
