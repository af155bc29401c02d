import { Collection } from './collection.ts';
import { EMPTY_VECTOR, type Vector } from './vector.ts';

/**
 * clojure.lang.PersistentQueue: elements leave in the order in which they came. The front is a vector of which the
 * first ones are gone; what came since is in another, which becomes the front when that is used up. So each element is
 * moved once.
 */
export class Queue extends Collection {
  declare readonly front: Vector;
  /** How many elements of the front are gone. */
  declare readonly removed: number;
  declare readonly rear: Vector;

  constructor(front: Vector, removed: number, rear: Vector, meta: unknown) {
    super(meta);
    this.front = front;
    this.removed = removed;
    this.rear = rear;
  }

  get count(): number {
    return this.front.count - this.removed + this.rear.count;
  }

  get javaName(): string {
    return 'clojure.lang.PersistentQueue';
  }

  conj(value: unknown): Queue {
    if (this.count === 0) return new Queue(EMPTY_VECTOR.conj(value), 0, EMPTY_VECTOR, this.meta);
    return new Queue(this.front, this.removed, this.rear.conj(value), this.meta);
  }

  peek(): unknown {
    return this.count === 0 ? null : this.front.at(this.removed);
  }

  pop(): Queue {
    if (this.count === 0) return this;
    if (this.removed + 1 < this.front.count) return new Queue(this.front, this.removed + 1, this.rear, this.meta);
    return new Queue(this.rear, 0, EMPTY_VECTOR, this.meta);
  }

  toArray(): readonly unknown[] {
    return [...this.front.toArray().slice(this.removed), ...this.rear.toArray()];
  }

  /** The empty queue with this one's metadata. */
  empty(): Queue {
    return this.meta === null ? EMPTY_QUEUE : EMPTY_QUEUE.withMeta(this.meta);
  }

  withMeta(meta: unknown): Queue {
    return new Queue(this.front, this.removed, this.rear, meta);
  }
}

export const EMPTY_QUEUE = new Queue(EMPTY_VECTOR, 0, EMPTY_VECTOR, null);
