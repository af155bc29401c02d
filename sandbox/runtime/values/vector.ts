import { outOfBounds } from '../errors.ts';
import { appended } from './arrays.ts';
import { Collection } from './collection.ts';

type Node = readonly unknown[];

const WIDTH = 32;
const MASK = 31;
const BITS = 5;
const EMPTY_NODE: Node = [];

function newPath(level: number, leaf: Node): Node {
  let node: Node = leaf;
  for (let shift = level; shift > 0; shift -= BITS) node = [node];
  return node;
}

function childOf(node: Node, index: number): Node {
  const child = node[index];
  return Array.isArray(child) ? child : EMPTY_NODE;
}

function pushLeaf(count: number, level: number, parent: Node, leaf: Node): Node {
  const index = ((count - 1) >>> level) & MASK;
  const copy = parent.slice();
  if (level === BITS) copy[index] = leaf;
  else if (index < parent.length) copy[index] = pushLeaf(count, level - BITS, childOf(parent, index), leaf);
  else copy[index] = newPath(level - BITS, leaf);
  return copy;
}

function replaceAt(level: number, node: Node, index: number, value: unknown): Node {
  const copy = node.slice();
  if (level === 0) copy[index & MASK] = value;
  else {
    const child = (index >>> level) & MASK;
    copy[child] = replaceAt(level - BITS, childOf(node, child), index, value);
  }
  return copy;
}

function popLeaf(count: number, level: number, node: Node): Node | null {
  const index = ((count - 2) >>> level) & MASK;
  if (level > BITS) {
    const child = popLeaf(count, level - BITS, childOf(node, index));
    if (child === null && index === 0) return null;
    const copy = node.slice(0, child === null ? index : index + 1);
    if (child !== null) copy[index] = child;
    return copy;
  }
  return index === 0 ? null : node.slice(0, index);
}

/** A persistent vector: a 32-way trie of full leaves and a tail of 1..32 elements (none when empty). */
export class Vector extends Collection {
  declare readonly count: number;
  declare readonly shift: number;
  declare readonly root: Node;
  declare readonly tail: readonly unknown[];

  constructor(count: number, shift: number, root: Node, tail: readonly unknown[], meta: unknown) {
    super(meta);
    this.count = count;
    this.shift = shift;
    this.root = root;
    this.tail = tail;
  }

  get javaName(): string {
    return 'clojure.lang.PersistentVector';
  }

  /** The leaf array that holds `index`; its own index is `index & 31`. */
  leafFor(index: number): readonly unknown[] {
    if (index >= this.count - this.tail.length) return this.tail;
    let node = this.root;
    for (let level = this.shift; level > 0; level -= BITS) node = childOf(node, (index >>> level) & MASK);
    return node;
  }

  /** Element at an index known to be in range. */
  at(index: number): unknown {
    const tailStart = this.count - this.tail.length;
    return index >= tailStart ? this.tail[index - tailStart] : this.leafFor(index)[index & MASK];
  }

  conj(value: unknown): Vector {
    const { tail, count } = this;
    if (tail.length < WIDTH) return new Vector(count + 1, this.shift, this.root, appended(tail, value), this.meta);
    return new Vector(count + 1, ...pushTail(this, tail), [value], this.meta);
  }

  /** Replaces an element, or appends at `count`; any other index is IX. */
  assocAt(index: number, value: unknown): Vector {
    const { count, tail } = this;
    if (index === count) return this.conj(value);
    if (index < 0 || index > count) throw outOfBounds(null, { index, length: count });
    const tailStart = count - tail.length;
    if (index >= tailStart) {
      const copy = tail.slice();
      copy[index - tailStart] = value;
      return new Vector(count, this.shift, this.root, copy, this.meta);
    }
    return new Vector(count, this.shift, replaceAt(this.shift, this.root, index, value), tail, this.meta);
  }

  /** Without the last element; the caller has refused the empty vector. */
  pop(): Vector {
    const { count, tail } = this;
    if (count === 1) return new Vector(0, BITS, EMPTY_NODE, [], this.meta);
    if (tail.length > 1) return new Vector(count - 1, this.shift, this.root, tail.slice(0, -1), this.meta);
    const newTail = this.leafFor(count - 2);
    const root = popLeaf(count, this.shift, this.root) ?? EMPTY_NODE;
    if (this.shift > BITS && root.length === 1) {
      return new Vector(count - 1, this.shift - BITS, childOf(root, 0), newTail, this.meta);
    }
    return new Vector(count - 1, this.shift, root, newTail, this.meta);
  }

  withMeta(meta: unknown): Vector {
    return new Vector(this.count, this.shift, this.root, this.tail, meta);
  }

  /** The same elements in a trie of their own. */
  plain(): Vector {
    return this;
  }

  /** All elements; small vectors give their own tail, so the result must not be written. */
  toArray(): readonly unknown[] {
    if (this.count === this.tail.length) return this.tail;
    const all: unknown[] = [];
    for (let start = 0; start < this.count; start += WIDTH) {
      const leaf = this.leafFor(start);
      for (let i = 0; i < leaf.length; i++) all.push(leaf[i]);
    }
    return all;
  }
}

/** Where the trie is after a full leaf joined it. */
function pushTail(vector: { count: number; shift: number; root: Node }, leaf: Node): [number, Node] {
  const { count, shift, root } = vector;
  if (count >>> BITS > 1 << shift) return [shift + BITS, [root, newPath(shift, leaf)]];
  return [shift, pushLeaf(count, shift, root, leaf)];
}

/** A map entry: a vector of two elements; every change of it gives a plain vector. */
export class MapEntry extends Vector {
  constructor(key: unknown, value: unknown) {
    super(2, BITS, EMPTY_NODE, [key, value], null);
  }

  override get javaName(): string {
    return 'clojure.lang.MapEntry';
  }

  get key(): unknown {
    return this.tail[0];
  }

  get value(): unknown {
    return this.tail[1];
  }
}

export const EMPTY_VECTOR = new Vector(0, BITS, EMPTY_NODE, [], null);

/** A vector of an array's elements. The array is taken over: nobody may write to it afterwards. */
export function vector(elements: readonly unknown[], meta: unknown = null): Vector {
  const count = elements.length;
  if (count === 0) return meta === null ? EMPTY_VECTOR : EMPTY_VECTOR.withMeta(meta);
  if (count <= WIDTH) return new Vector(count, BITS, EMPTY_NODE, elements, meta);
  const tailStart = (count - 1) & ~MASK;
  const leaves: Node[] = [];
  for (let i = 0; i < tailStart; i += WIDTH) leaves.push(elements.slice(i, i + WIDTH));
  return vectorOfLeaves(count, leaves, elements.slice(tailStart), meta);
}

/** A vector of more than 32 elements, of arrays that are taken over: full ones of 32 each and the last, of 1..32. */
export function vectorOfLeaves(count: number, leaves: readonly Node[], tail: Node, meta: unknown = null): Vector {
  let level = leaves;
  let shift = BITS;
  while (level.length > WIDTH) {
    const above: Node[] = [];
    for (let i = 0; i < level.length; i += WIDTH) above.push(level.slice(i, i + WIDTH));
    level = above;
    shift += BITS;
  }
  return new Vector(count, shift, level, tail, meta);
}

/** Appends to a vector one element at a time, copying only whole leaves; used by `into`, transients and producers. */
export class VectorBuilder {
  #count: number;
  #shift: number;
  #root: Node;
  #tail: unknown[];

  constructor(start: Vector) {
    const { count, shift, root, tail } = start.plain();
    this.#count = count;
    this.#shift = shift;
    this.#root = root;
    this.#tail = tail.slice();
  }

  get count(): number {
    return this.#count;
  }

  /** Element at an index known to be in range. */
  at(index: number): unknown {
    const tailStart = this.#count - this.#tail.length;
    if (index >= tailStart) return this.#tail[index - tailStart];
    let node = this.#root;
    for (let level = this.#shift; level > 0; level -= BITS) node = childOf(node, (index >>> level) & MASK);
    return node[index & MASK];
  }

  push(value: unknown): void {
    if (this.#tail.length === WIDTH) {
      const place = { count: this.#count, shift: this.#shift, root: this.#root };
      [this.#shift, this.#root] = pushTail(place, this.#tail);
      this.#tail = [];
    }
    this.#tail.push(value);
    this.#count++;
  }

  /** The vector so far; the builder may go on. */
  build(meta: unknown): Vector {
    return new Vector(this.#count, this.#shift, this.#root, this.#tail.slice(), meta);
  }
}
