import { ABSENT, LispMap } from './map.ts';
import { type Comparison, findNode, insertNode, removeNode, type TreeNode, visitNodes } from './sorted-tree.ts';

/** How a sorted collection compares: the comparison, and the program's comparator (null for the natural order). */
export interface Ordering {
  readonly compare: Comparison;
  readonly comparator: unknown;
}

/** A map in the order of its comparator. */
export class SortedMap extends LispMap {
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
    return 'clojure.lang.PersistentTreeMap';
  }

  lookup(key: unknown): unknown {
    const node = findNode(this.root, this.ordering.compare, key);
    return node === null ? ABSENT : node.value;
  }

  storedKey(key: unknown): unknown {
    const node = findNode(this.root, this.ordering.compare, key);
    return node === null ? ABSENT : node.key;
  }

  assoc(key: unknown, value: unknown): SortedMap {
    const { compare } = this.ordering;
    if (this.root === null) compare(key, key);
    const grows = findNode(this.root, compare, key) === null;
    const root = insertNode(this.root, compare, key, value);
    return root === this.root ? this : new SortedMap(this.ordering, root, this.count + (grows ? 1 : 0), this.meta);
  }

  dissoc(key: unknown): SortedMap {
    const root = removeNode(this.root, this.ordering.compare, key);
    return root === this.root ? this : new SortedMap(this.ordering, root, this.count - 1, this.meta);
  }

  visit(visitor: (key: unknown, value: unknown) => unknown): boolean {
    return visitNodes(this.root, (node) => visitor(node.key, node.value));
  }

  empty(): SortedMap {
    return new SortedMap(this.ordering, null, 0, this.meta);
  }

  withMeta(meta: unknown): SortedMap {
    return new SortedMap(this.ordering, this.root, this.count, meta);
  }
}
