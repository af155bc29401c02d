import { toArray } from '../sequence.ts';
import { Collection } from '../values/collection.ts';
import { EMPTY_HASH_MAP, HashMap } from '../values/hash-map.ts';
import { LazySeq } from '../values/lazy-seq.ts';
import { LispMap } from '../values/map.ts';
import { orderedHashMap } from '../values/ordered-hash-map.ts';
import { HashSet } from '../values/set.ts';

/**
 * Hash maps and sets while they are decoded. Keys are hashed by what they hold, but a key may hold a lazy seq whose
 * elements come further back, or another map of such keys. Those wait until everything is read, and are then filled
 * from the inside out.
 */
export class HashedCollections {
  readonly #waiting = new Map<HashMap, unknown[]>();

  /**
   * The map of keys and values (alternating), whose array it takes over. `complete`: everything read so far can be
   * hashed.
   */
  map(flat: unknown[], meta: unknown, complete: boolean): HashMap {
    if (flat.length === 0) return meta === null ? EMPTY_HASH_MAP : EMPTY_HASH_MAP.withMeta(meta);
    if (this.#waiting.size === 0 && (complete || !hasCollectionKey(flat))) return hashMap(flat, meta);
    const made = new HashMap(0, EMPTY_HASH_MAP.root, EMPTY_HASH_MAP.nilValue, meta);
    this.#waiting.set(made, flat);
    return made;
  }

  set(members: readonly unknown[], meta: unknown, complete: boolean): HashSet {
    return new HashSet(this.map(twice(members), null, complete), meta);
  }

  /** Fills what waits. */
  settle(): void {
    for (const map of this.#waiting.keys()) this.#fill(map);
  }

  #fill(map: HashMap): void {
    const flat = this.#waiting.get(map);
    if (flat === undefined) return;
    this.#waiting.delete(map);
    for (let i = 0; i < flat.length; i += 2) for (const inner of this.#waitingWithin(flat[i])) this.#fill(inner);
    map.become(hashMap(flat, null));
  }

  /** Maps that wait and that a key reaches through what its hash looks at. */
  #waitingWithin(key: unknown): readonly HashMap[] {
    if (!(key instanceof Collection)) return [];
    const found: HashMap[] = [];
    const seen = new Set<Collection>();
    const pending: Collection[] = [key];
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      const map = at instanceof HashSet ? at.members : at;
      if (map instanceof HashMap && this.#waiting.has(map)) {
        found.push(map);
        continue;
      }
      if (at instanceof LazySeq && at.body !== null) continue;
      for (const element of at instanceof LispMap ? entriesOf(at) : toArray(at))
        if (element instanceof Collection) pending.push(element);
    }
    return found;
  }
}

/** The map of entries that were written in its own order; a text may have them in any other. */
function hashMap(flat: unknown[], meta: unknown): HashMap {
  return orderedHashMap(flat, meta) ?? HashMap.fromFlat(flat, meta);
}

/** Each member, from one on, as key and value of an entry. */
export function twice(members: readonly unknown[], from = 0): unknown[] {
  if (from === 0 && members.length === 1) return [members[0], members[0]];
  if (from === 0 && members.length === 2) return [members[0], members[0], members[1], members[1]];
  const flat: unknown[] = [];
  for (let i = from; i < members.length; i += 1) flat.push(members[i], members[i]);
  return flat;
}

function entriesOf(map: LispMap): unknown[] {
  const flat: unknown[] = [];
  map.visit((key, value) => {
    flat.push(key, value);
  });
  return flat;
}

function hasCollectionKey(flat: readonly unknown[]): boolean {
  for (let i = 0; i < flat.length; i += 2) if (flat[i] instanceof Collection) return true;
  return false;
}
