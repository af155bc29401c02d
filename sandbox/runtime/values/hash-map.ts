import { equals, hash } from '../equality.ts';
import { insertedPair } from './arrays.ts';
import { ABSENT, LispMap } from './map.ts';

type Editor = object | null;

/**
 * A node of the trie: 5 hash bits choose a place. `pairs` has the bits of the places that hold an entry, `children`
 * those that hold a node. In `slots` come first the keys and values, alternating, by place; then the child nodes, the
 * one at the lowest place last: a change copies every node on its way, and the nodes near the root hold nothing but
 * children. A node that carries `editor` may be changed in place by the builder that owns that object.
 */
export class TrieNode {
  declare pairs: number;
  declare children: number;
  declare slots: unknown[];
  declare readonly editor: Editor;

  constructor(pairs: number, children: number, slots: unknown[], editor: Editor) {
    this.pairs = pairs;
    this.children = children;
    this.slots = slots;
    this.editor = editor;
  }
}

/** Keys with one and the same hash, in insertion order. */
export class CollisionNode {
  declare readonly hash: number;
  declare readonly slots: readonly unknown[];

  constructor(keyHash: number, slots: readonly unknown[]) {
    this.hash = keyHash;
    this.slots = slots;
  }
}

type Node = TrieNode | CollisionNode;

export const EMPTY_NODE = new TrieNode(0, 0, [], null);

function popcount(bits: number): number {
  let x = bits - ((bits >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Index of the key at the place of `bit`, where an entry is or would be. */
function pairIndex(node: TrieNode, bit: number): number {
  return popcount(node.pairs & (bit - 1)) << 1;
}

/** Index of the child at the place of `bit`. */
function childIndex(node: TrieNode, bit: number): number {
  return node.slots.length - 1 - popcount(node.children & (bit - 1));
}

function asNode(value: unknown): Node {
  if (value instanceof TrieNode || value instanceof CollisionNode) return value;
  throw new TypeError('a child slot holds no node');
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || (typeof a !== 'string' && equals(a, b));
}

/** Index of a key among the slots of one hash, -1 where it is not. */
export function indexInCollision(slots: readonly unknown[], key: unknown): number {
  for (let i = 0; i < slots.length; i += 2) if (isSame(key, slots[i])) return i;
  return -1;
}

/** Index of the key slot for `key`, with the slots that hold it; null when absent. */
function findSlot(root: TrieNode, keyHash: number, key: unknown): { slots: readonly unknown[]; index: number } | null {
  const found = { slots: root.slots as readonly unknown[], index: -1 };
  let node: Node = root;
  for (let shift = 0; ; shift += 5) {
    if (node instanceof CollisionNode) {
      found.index = node.hash === keyHash ? indexInCollision(node.slots, key) : -1;
      found.slots = node.slots;
      return found.index === -1 ? null : found;
    }
    const bit = 1 << ((keyHash >>> shift) & 31);
    if ((node.pairs & bit) !== 0) {
      const index = pairIndex(node, bit);
      if (!isSame(key, node.slots[index])) return null;
      found.slots = node.slots;
      found.index = index;
      return found;
    }
    if ((node.children & bit) === 0) return null;
    node = asNode(node.slots[childIndex(node, bit)]);
  }
}

function findValue(root: TrieNode, keyHash: number, key: unknown): unknown {
  let node: Node = root;
  for (let shift = 0; ; shift += 5) {
    if (node instanceof CollisionNode) {
      const at = node.hash === keyHash ? indexInCollision(node.slots, key) : -1;
      return at === -1 ? ABSENT : node.slots[at + 1];
    }
    const bit = 1 << ((keyHash >>> shift) & 31);
    if ((node.pairs & bit) !== 0) {
      const index = pairIndex(node, bit);
      return isSame(key, node.slots[index]) ? node.slots[index + 1] : ABSENT;
    }
    if ((node.children & bit) === 0) return ABSENT;
    node = asNode(node.slots[childIndex(node, bit)]);
  }
}

function withSlot(node: TrieNode, editor: Editor, index: number, value: unknown): TrieNode {
  if (editor !== null && node.editor === editor) {
    node.slots[index] = value;
    return node;
  }
  const copy = node.slots.slice();
  copy[index] = value;
  return new TrieNode(node.pairs, node.children, copy, editor);
}

/** A node at `shift` that holds two entries with different places or one hash. */
function pairNode(
  shift: number,
  editor: Editor,
  first: { hash: number; key: unknown; value: unknown },
  second: { hash: number; key: unknown; value: unknown },
): Node {
  if (first.hash === second.hash) {
    return new CollisionNode(first.hash, [first.key, first.value, second.key, second.value]);
  }
  const a = (first.hash >>> shift) & 31;
  const b = (second.hash >>> shift) & 31;
  if (a === b) return new TrieNode(0, 1 << a, [pairNode(shift + 5, editor, first, second)], editor);
  const slots =
    a < b ? [first.key, first.value, second.key, second.value] : [second.key, second.value, first.key, first.value];
  return new TrieNode((1 << a) | (1 << b), 0, slots, editor);
}

/** Set by `put` when the key was new; read at once by the caller. */
interface Growth {
  grown: boolean;
}

function putCollision(node: CollisionNode, shift: number, entry: Entry, editor: Editor, growth: Growth): Node {
  if (node.hash !== entry.hash) {
    const wrapped = new TrieNode(0, 1 << ((node.hash >>> shift) & 31), [node], editor);
    return put(wrapped, shift, entry, editor, growth);
  }
  const at = indexInCollision(node.slots, entry.key);
  if (at === -1) {
    growth.grown = true;
    return new CollisionNode(node.hash, [...node.slots, entry.key, entry.value]);
  }
  if (node.slots[at + 1] === entry.value) return node;
  const copy = node.slots.slice();
  copy[at + 1] = entry.value;
  return new CollisionNode(node.hash, copy);
}

interface Entry {
  readonly hash: number;
  readonly key: unknown;
  readonly value: unknown;
}

function put(node: TrieNode, shift: number, entry: Entry, editor: Editor, growth: Growth): TrieNode {
  const bit = 1 << ((entry.hash >>> shift) & 31);
  const { slots } = node;
  if ((node.children & bit) !== 0) {
    const index = childIndex(node, bit);
    const slot = slots[index];
    const child =
      slot instanceof TrieNode
        ? put(slot, shift + 5, entry, editor, growth)
        : slot instanceof CollisionNode
          ? putCollision(slot, shift + 5, entry, editor, growth)
          : EMPTY_NODE;
    return child === slot ? node : withSlot(node, editor, index, child);
  }
  const index = pairIndex(node, bit);
  if ((node.pairs & bit) === 0) {
    growth.grown = true;
    return insertPair(node, bit, index, entry, editor);
  }
  const stored = slots[index];
  const acquired = slots[index + 1];
  if (isSame(entry.key, stored))
    return acquired === entry.value ? node : withSlot(node, editor, index + 1, entry.value);
  growth.grown = true;
  const child = pairNode(shift + 5, editor, { hash: hash(stored), key: stored, value: acquired }, entry);
  return pairToChild(node, bit, index, child, editor);
}

function insertPair(node: TrieNode, bit: number, index: number, entry: Entry, editor: Editor): TrieNode {
  const { slots } = node;
  const length = slots.length;
  if (editor !== null && node.editor === editor) {
    slots.push(null, null);
    for (let i = length - 1; i >= index; i--) slots[i + 2] = slots[i];
    slots[index] = entry.key;
    slots[index + 1] = entry.value;
    node.pairs |= bit;
    return node;
  }
  return new TrieNode(node.pairs | bit, node.children, insertedPair(slots, index, entry.key, entry.value), editor);
}

/** The node with a child in place of the entry whose key is at `index`. */
function pairToChild(node: TrieNode, bit: number, index: number, child: Node, editor: Editor): TrieNode {
  const { slots } = node;
  const length = slots.length - 1;
  const at = childIndex(node, bit) - 1;
  const copy = new Array<unknown>(length);
  for (let i = 0; i < index; i++) copy[i] = slots[i];
  for (let i = index; i < at; i++) copy[i] = slots[i + 2];
  copy[at] = child;
  for (let i = at + 1; i < length; i++) copy[i] = slots[i + 1];
  if (editor === null || node.editor !== editor)
    return new TrieNode(node.pairs ^ bit, node.children | bit, copy, editor);
  node.pairs ^= bit;
  node.children |= bit;
  node.slots = copy;
  return node;
}

/** The node without the key; null when nothing is left, the same node when the key was absent. */
function remove(node: Node, shift: number, keyHash: number, key: unknown): Node | null {
  const { slots } = node;
  if (node instanceof CollisionNode) {
    const at = node.hash === keyHash ? indexInCollision(slots, key) : -1;
    if (at === -1) return node;
    return slots.length === 2 ? null : new CollisionNode(node.hash, slots.toSpliced(at, 2));
  }
  const bit = 1 << ((keyHash >>> shift) & 31);
  if ((node.children & bit) !== 0) {
    const index = childIndex(node, bit);
    const acquired = asNode(slots[index]);
    const child = remove(acquired, shift + 5, keyHash, key);
    if (child === acquired) return node;
    if (child !== null) return withSlot(node, null, index, child);
    if (slots.length === 1) return null;
    return new TrieNode(node.pairs, node.children ^ bit, slots.toSpliced(index, 1), null);
  }
  const index = pairIndex(node, bit);
  if ((node.pairs & bit) === 0 || !isSame(key, slots[index])) return node;
  if (slots.length === 2) return null;
  return new TrieNode(node.pairs ^ bit, node.children, slots.toSpliced(index, 2), null);
}

/** Visits entries and children by their places. */
function visitNode(node: Node, visitor: (key: unknown, value: unknown) => unknown): boolean {
  const { slots } = node;
  if (node instanceof CollisionNode || node.children === 0) {
    for (let i = 0; i < slots.length; i += 2) if (visitor(slots[i], slots[i + 1]) === true) return true;
    return false;
  }
  let pairAt = 0;
  let childAt = slots.length - 1;
  let places = node.pairs | node.children;
  while (places !== 0) {
    const bit = places & -places;
    places ^= bit;
    if ((node.pairs & bit) === 0) {
      if (visitNode(asNode(slots[childAt]), visitor)) return true;
      childAt--;
    } else {
      if (visitor(slots[pairAt], slots[pairAt + 1]) === true) return true;
      pairAt += 2;
    }
  }
  return false;
}

/** A hash array mapped trie; nil is kept next to it, because it comes first in the order. */
export class HashMap extends LispMap {
  declare count: number;
  declare root: TrieNode;
  /** Value under the key nil, or `ABSENT`. */
  declare nilValue: unknown;

  constructor(count: number, root: TrieNode, nilValue: unknown, meta: unknown) {
    super(meta);
    this.count = count;
    this.root = root;
    this.nilValue = nilValue;
  }

  static fromFlat(flat: readonly unknown[], meta: unknown): HashMap {
    const builder = new HashMapBuilder(EMPTY_HASH_MAP);
    for (let i = 0; i < flat.length; i += 2) builder.put(flat[i], flat[i + 1]);
    return builder.build(meta);
  }

  /** Takes over the entries of another map. For decoding alone, where a map is needed before its keys can be hashed. */
  become({ count, root, nilValue }: HashMap): void {
    this.count = count;
    this.root = root;
    this.nilValue = nilValue;
  }

  get javaName(): string {
    return 'clojure.lang.PersistentHashMap';
  }

  lookup(key: unknown): unknown {
    return key === null ? this.nilValue : findValue(this.root, hash(key), key);
  }

  storedKey(key: unknown): unknown {
    if (key === null) return this.nilValue === ABSENT ? ABSENT : null;
    const found = findSlot(this.root, hash(key), key);
    return found === null ? ABSENT : found.slots[found.index];
  }

  assoc(key: unknown, value: unknown): HashMap {
    if (key === null) {
      if (this.nilValue === value) return this;
      return new HashMap(this.count + (this.nilValue === ABSENT ? 1 : 0), this.root, value, this.meta);
    }
    const growth = { grown: false };
    const root = put(this.root, 0, { hash: hash(key), key, value }, null, growth);
    if (root === this.root) return this;
    return new HashMap(growth.grown ? this.count + 1 : this.count, root, this.nilValue, this.meta);
  }

  dissoc(key: unknown): HashMap {
    if (key === null) {
      return this.nilValue === ABSENT ? this : new HashMap(this.count - 1, this.root, ABSENT, this.meta);
    }
    const root = remove(this.root, 0, hash(key), key);
    if (root === this.root) return this;
    return new HashMap(this.count - 1, root instanceof TrieNode ? root : EMPTY_NODE, this.nilValue, this.meta);
  }

  visit(visitor: (key: unknown, value: unknown) => unknown): boolean {
    if (this.nilValue !== ABSENT && visitor(null, this.nilValue) === true) return true;
    return visitNode(this.root, visitor);
  }

  empty(): HashMap {
    return this.meta === null ? EMPTY_HASH_MAP : EMPTY_HASH_MAP.withMeta(this.meta);
  }

  withMeta(meta: unknown): HashMap {
    return new HashMap(this.count, this.root, this.nilValue, meta);
  }
}

export const EMPTY_HASH_MAP = new HashMap(0, EMPTY_NODE, ABSENT, null);

/** Grows a hash map in place: nodes it made itself are changed, all others copied. */
export class HashMapBuilder {
  #count: number;
  #root: TrieNode;
  #nilValue: unknown;
  #editor: object = {};
  readonly #growth: Growth = { grown: false };

  constructor(start: HashMap) {
    this.#count = start.count;
    this.#root = start.root;
    this.#nilValue = start.nilValue;
  }

  get count(): number {
    return this.#count;
  }

  lookup(key: unknown): unknown {
    return key === null ? this.#nilValue : findValue(this.#root, hash(key), key);
  }

  put(key: unknown, value: unknown): void {
    if (key === null) {
      if (this.#nilValue === ABSENT) this.#count++;
      this.#nilValue = value;
      return;
    }
    this.#growth.grown = false;
    this.#root = put(this.#root, 0, { hash: hash(key), key, value }, this.#editor, this.#growth);
    if (this.#growth.grown) this.#count++;
  }

  /** The map so far; the builder may go on, its nodes are given away. */
  build(meta: unknown): HashMap {
    this.#editor = {};
    return new HashMap(this.#count, this.#root, this.#nilValue, meta);
  }
}
