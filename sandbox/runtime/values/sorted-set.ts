import { ABSENT } from './map.ts';
import { LispSet } from './set.ts';
import type { Ordering } from './sorted-map.ts';
import { findNode, insertNode, removeNode, type TreeNode, visitNodes } from './sorted-tree.ts';

/** A set in the order of its comparator. */
export class SortedSet extends LispSet {
  declare readonly ordering: Ordering;
  declare readonly root: TreeNode | null;
  declare readonly count: number;

  constructor(ordering: Ordering, root: TreeNode | null, count: number, meta: unknown) {
    super(meta);
    this.ordering = ordering;
    this.root = root;
    this.count = count;
  }

  get javaName(): string {
    return 'clojure.lang.PersistentTreeSet';
  }

  lookup(value: unknown): unknown {
    const node = findNode(this.root, this.ordering.compare, value);
    return node === null ? ABSENT : node.key;
  }

  conj(value: unknown): SortedSet {
    const { compare } = this.ordering;
    if (this.root === null) compare(value, value);
    else if (findNode(this.root, compare, value) !== null) return this;
    return new SortedSet(this.ordering, insertNode(this.root, compare, value, value), this.count + 1, this.meta);
  }

  disj(value: unknown): SortedSet {
    const root = removeNode(this.root, this.ordering.compare, value);
    return root === this.root ? this : new SortedSet(this.ordering, root, this.count - 1, this.meta);
  }

  visit(visitor: (member: unknown) => unknown): boolean {
    return visitNodes(this.root, (node) => visitor(node.key));
  }

  toArray(): unknown[] {
    const all: unknown[] = [];
    visitNodes(this.root, (node) => {
      all.push(node.key);
    });
    return all;
  }

  empty(): SortedSet {
    return new SortedSet(this.ordering, null, 0, this.meta);
  }

  withMeta(meta: unknown): SortedSet {
    return new SortedSet(this.ordering, this.root, this.count, meta);
  }
}
