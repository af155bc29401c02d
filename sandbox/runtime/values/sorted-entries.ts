import {
  type Comparison,
  findNode,
  insertNode,
  removeNode,
  type TreeNode,
  treeOfSorted,
  visitNodes,
} from './sorted-tree.ts';

/** How a sorted collection compares: the comparison, and the program's comparator (null for the natural order). */
export interface Ordering {
  readonly compare: Comparison;
  readonly comparator: unknown;
}

/** What sorted maps and sets hold: keys in order, each with a value. */
export class SortedEntries {
  declare readonly ordering: Ordering;
  declare readonly root: TreeNode | null;
  declare readonly count: number;

  private constructor(ordering: Ordering, root: TreeNode | null, count: number) {
    this.ordering = ordering;
    this.root = root;
    this.count = count;
  }

  static empty(ordering: Ordering): SortedEntries {
    return new SortedEntries(ordering, null, 0);
  }

  /** Of keys and values by turns, whose keys are in order and all different. */
  static ofSorted(ordering: Ordering, flat: readonly unknown[]): SortedEntries {
    return new SortedEntries(ordering, treeOfSorted(flat), flat.length / 2);
  }

  /** The entry of a key, null where there is none. A comparator may raise. */
  find(key: unknown): TreeNode | null {
    return findNode(this.root, this.ordering.compare, key);
  }

  /** These with an entry; the same object if it is there already. */
  with(key: unknown, value: unknown): SortedEntries {
    const { compare } = this.ordering;
    // The first key is compared with itself, so that one that cannot be compared is refused.
    if (this.root === null) compare(key, key);
    const grows = this.find(key) === null;
    const root = insertNode(this.root, compare, key, value);
    return root === this.root ? this : new SortedEntries(this.ordering, root, this.count + (grows ? 1 : 0));
  }

  /** These without a key; the same object if it is not there. */
  without(key: unknown): SortedEntries {
    const root = removeNode(this.root, this.ordering.compare, key);
    return root === this.root ? this : new SortedEntries(this.ordering, root, this.count - 1);
  }

  /** In order, until the visitor returns true; answers whether it did. */
  visit(visitor: (entry: TreeNode) => unknown): boolean {
    return visitNodes(this.root, visitor);
  }
}
