import { hash } from '../equality.ts';
import { CollisionNode, EMPTY_NODE, HashMap, indexInCollision, TrieNode } from './hash-map.ts';
import { hashStringOnce } from './hashing.ts';
import { ABSENT } from './map.ts';

/**
 * The map of keys and values (alternating) in the order in which a hash map visits them: built from the leaves up, each
 * node once. Null when they are in another order or a key occurs twice. The array is taken over.
 */
export function orderedHashMap(flat: unknown[], meta: unknown): HashMap | null {
  const first = flat[0] === null ? 1 : 0;
  const root = orderedRoot(flat, first);
  if (root === null) return null;
  return new HashMap(flat.length >> 1, root, first === 1 ? flat[1] : ABSENT, meta);
}

/** The trie of the entries from index `first` on; null when they are not in its order. */
function orderedRoot(flat: unknown[], first: number): TrieNode | null {
  const count = flat.length >> 1;
  if (count === first) return EMPTY_NODE;
  let bitmap = 0;
  let before = -1;
  const hashes: number[] = [];
  for (let i = first; i < count; i += 1) {
    const key = flat[i << 1];
    if (key === null) return null;
    const keyHash = typeof key === 'string' ? hashStringOnce(key) : hash(key);
    hashes.push(keyHash);
    const place = keyHash & 31;
    if (place <= before) before = 32;
    else {
      before = place;
      bitmap |= 1 << place;
    }
  }
  // Most maps and sets are small, and one node holds them.
  if (before < 32) return new TrieNode(bitmap, 0, first === 0 ? flat : flat.slice(2), null);
  return orderedNode({ flat: first === 0 ? flat : flat.slice(2), hashes }, 0, count - first, 0);
}

interface OrderedEntries {
  readonly flat: readonly unknown[];
  readonly hashes: readonly number[];
}

/** The node of the entries from `start` up to `end`, whose hashes are the same below `shift`; null as above. */
function orderedNode(entries: OrderedEntries, start: number, end: number, shift: number): TrieNode | null {
  const { flat, hashes } = entries;
  let pairs = 0;
  let children = 0;
  let before = -1;
  let slots: unknown[] | null = null;
  const nodes: unknown[] = [];
  let at = start;
  while (at < end) {
    const keyHash = hashes[at] ?? 0;
    const place = (keyHash >>> shift) & 31;
    if (place <= before) return null;
    before = place;
    let next = at + 1;
    let isOneHash = true;
    for (; next < end; next += 1) {
      const other = hashes[next] ?? 0;
      if (((other >>> shift) & 31) !== place) break;
      if (other !== keyHash) isOneHash = false;
    }
    if (next - at > 1) {
      const child = isOneHash
        ? collisionOf(keyHash, flat.slice(at << 1, next << 1))
        : orderedNode(entries, at, next, shift + 5);
      if (child === null) return null;
      slots ??= flat.slice(start << 1, at << 1);
      nodes.push(child);
      children |= 1 << place;
    } else {
      if (slots !== null) slots.push(flat[at << 1], flat[(at << 1) + 1]);
      pairs |= 1 << place;
    }
    at = next;
  }
  return new TrieNode(pairs, children, slots?.concat(nodes.reverse()) ?? flat.slice(start << 1, end << 1), null);
}

function collisionOf(keyHash: number, slots: readonly unknown[]): CollisionNode | null {
  for (let i = 2; i < slots.length; i += 2) if (indexInCollision(slots, slots[i]) !== i) return null;
  return new CollisionNode(keyHash, slots);
}
