/** Bytes of prepared applications that are kept (gateway.md §16). */
export const CACHE_BYTES = 268_435_456;

/** Whose something is, and what. Nothing of one owner is found by, or built for, another. */
export interface CacheName {
  readonly owner: string;
  readonly key: string;
}

/**
 * Prepared things by owner and key: one build for all that ask for an owner at the same time. Beyond the bound the
 * owner that holds the most loses what it used longest ago: what one keeps is no matter of how much another asks for.
 */
export interface ApplicationCache<T> {
  /** What rejects is not kept, and reported to everybody who waited for it. */
  get(name: CacheName, build: () => Promise<T>): Promise<T>;
  find(owner: string, matches: (key: string) => boolean): T | null;
  /** Of any owner. */
  findAny(matches: (key: string) => boolean): T | null;
  /** Of what is kept, of all owners, each once. */
  keys(): readonly string[];
  readonly counts: () => { readonly applications: number; readonly bytes: number };
}

/** What one owner has. */
interface Shelf<T> {
  /** Those used last at the end. */
  readonly entries: Map<string, T>;
  readonly building: Map<string, Promise<T>>;
  bytes: number;
}

/** `sizeOf`: bytes. One that is larger than the whole cache is given and not kept. */
export function applicationCache<T>(
  sizeOf: (value: T) => number,
  limitBytes: number = CACHE_BYTES,
): ApplicationCache<T> {
  const shelves = new Map<string, Shelf<T>>();
  let bytes = 0;

  function shelfOf(owner: string): Shelf<T> {
    const shelf = shelves.get(owner) ?? { entries: new Map(), building: new Map(), bytes: 0 };
    shelves.set(owner, shelf);
    return shelf;
  }

  function leave(owner: string, { entries, building }: Shelf<T>): void {
    if (entries.size === 0 && building.size === 0) shelves.delete(owner);
  }

  function keep(shelf: Shelf<T>, key: string, value: T): void {
    shelf.entries.set(key, value);
    shelf.bytes += sizeOf(value);
    bytes += sizeOf(value);
    while (bytes > limitBytes) evictOne();
  }

  function evictOne(): void {
    const [largest] = [...shelves].toSorted(([, a], [, b]) => b.bytes - a.bytes);
    const [oldest] = largest?.[1].entries ?? [];
    if (largest === undefined || oldest === undefined) throw new Error('bytes are of something that is kept');
    const [owner, shelf] = largest;
    const [key, value] = oldest;
    shelf.entries.delete(key);
    shelf.bytes -= sizeOf(value);
    bytes -= sizeOf(value);
    leave(owner, shelf);
  }

  function used({ entries }: Shelf<T>, key: string, value: T): T {
    entries.delete(key);
    entries.set(key, value);
    return value;
  }

  function findIn(shelf: Shelf<T>, matches: (key: string) => boolean): T | null {
    for (const [key, value] of shelf.entries) if (matches(key)) return used(shelf, key, value);
    return null;
  }

  return {
    async get({ owner, key }, build) {
      const shelf = shelfOf(owner);
      const known = shelf.entries.get(key);
      if (known !== undefined) return used(shelf, key, known);
      const building = shelf.building.get(key);
      if (building !== undefined) return building;
      const built = build();
      shelf.building.set(key, built);
      try {
        const value = await built;
        keep(shelf, key, value);
        return value;
      } finally {
        shelf.building.delete(key);
        leave(owner, shelf);
      }
    },
    find(owner, matches) {
      const shelf = shelves.get(owner);
      return shelf === undefined ? null : findIn(shelf, matches);
    },
    findAny(matches) {
      for (const shelf of shelves.values()) {
        const found = findIn(shelf, matches);
        if (found !== null) return found;
      }
      return null;
    },
    keys: () => [...new Set([...shelves.values()].flatMap(({ entries }) => [...entries.keys()]))],
    counts: () => ({ applications: [...shelves.values()].reduce((sum, { entries }) => sum + entries.size, 0), bytes }),
  };
}
