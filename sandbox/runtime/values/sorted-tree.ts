/** A comparison of two keys: negative, zero or positive. */
export type Comparison = (a: unknown, b: unknown) => number;

/** A node of a persistent height-balanced tree. */
export interface TreeNode {
  readonly key: unknown;
  readonly value: unknown;
  readonly left: TreeNode | null;
  readonly right: TreeNode | null;
  readonly height: number;
}

function heightOf(node: TreeNode | null): number {
  return node === null ? 0 : node.height;
}

function make(key: unknown, value: unknown, left: TreeNode | null, right: TreeNode | null): TreeNode {
  return { key, value, left, right, height: Math.max(heightOf(left), heightOf(right)) + 1 };
}

/** As `make`, after at most one of the sides changed its height by one. */
function balance(key: unknown, value: unknown, left: TreeNode | null, right: TreeNode | null): TreeNode {
  const difference = heightOf(left) - heightOf(right);
  if (difference > 1 && left !== null) {
    if (heightOf(left.left) >= heightOf(left.right)) {
      return make(left.key, left.value, left.left, make(key, value, left.right, right));
    }
    const inner = left.right;
    if (inner !== null) {
      return make(
        inner.key,
        inner.value,
        make(left.key, left.value, left.left, inner.left),
        make(key, value, inner.right, right),
      );
    }
  }
  if (difference < -1 && right !== null) {
    if (heightOf(right.right) >= heightOf(right.left)) {
      return make(right.key, right.value, make(key, value, left, right.left), right.right);
    }
    const inner = right.left;
    if (inner !== null) {
      return make(
        inner.key,
        inner.value,
        make(key, value, left, inner.left),
        make(right.key, right.value, inner.right, right.right),
      );
    }
  }
  return make(key, value, left, right);
}

/** The node that holds a key equal under the comparison, or null. */
export function findNode(root: TreeNode | null, compare: Comparison, key: unknown): TreeNode | null {
  let node = root;
  while (node !== null) {
    const order = compare(key, node.key);
    if (order === 0) return node;
    node = order < 0 ? node.left : node.right;
  }
  return null;
}

/** The tree with the entry; a key that is there keeps its own form and takes the value. */
export function insertNode(root: TreeNode | null, compare: Comparison, key: unknown, value: unknown): TreeNode {
  if (root === null) return make(key, value, null, null);
  const order = compare(key, root.key);
  if (order === 0) return root.value === value ? root : make(root.key, value, root.left, root.right);
  if (order < 0) {
    const left = insertNode(root.left, compare, key, value);
    return left === root.left ? root : balance(root.key, root.value, left, root.right);
  }
  const right = insertNode(root.right, compare, key, value);
  return right === root.right ? root : balance(root.key, root.value, root.left, right);
}

function joinSides(left: TreeNode | null, right: TreeNode | null): TreeNode | null {
  if (left === null) return right;
  if (right === null) return left;
  let least = right;
  while (least.left !== null) least = least.left;
  return balance(least.key, least.value, left, withoutLeast(right));
}

function withoutLeast(node: TreeNode): TreeNode | null {
  return node.left === null ? node.right : balance(node.key, node.value, withoutLeast(node.left), node.right);
}

/** The tree without the key; the same tree when it was absent. */
export function removeNode(root: TreeNode | null, compare: Comparison, key: unknown): TreeNode | null {
  if (root === null) return null;
  const order = compare(key, root.key);
  if (order === 0) return joinSides(root.left, root.right);
  if (order < 0) {
    const left = removeNode(root.left, compare, key);
    return left === root.left ? root : balance(root.key, root.value, left, root.right);
  }
  const right = removeNode(root.right, compare, key);
  return right === root.right ? root : balance(root.key, root.value, root.left, right);
}

/** In order, until the visitor returns true; answers whether it did. */
export function visitNodes(root: TreeNode | null, visitor: (node: TreeNode) => unknown): boolean {
  if (root === null) return false;
  return visitNodes(root.left, visitor) || visitor(root) === true || visitNodes(root.right, visitor);
}

/** The balanced tree of keys and values (alternating) that are in order already; nothing is compared. */
export function treeOfSorted(flat: readonly unknown[], from = 0, to = flat.length / 2): TreeNode | null {
  if (from >= to) return null;
  const middle = (from + to) >>> 1;
  return make(
    flat[2 * middle],
    flat[2 * middle + 1],
    treeOfSorted(flat, from, middle),
    treeOfSorted(flat, middle + 1, to),
  );
}
