/** Bytes of prepared applications that are kept (gateway.md §16). */
export const CACHE_BYTES = 268_435_456;

/** Prepared things by key: one build for all that ask at the same time, those longest unused forgotten first. */
export interface ApplicationCache<T> {
  /** What rejects is not kept, and told to everybody who waited for it. */
  get(key: string, build: () => Promise<T>): Promise<T>;
  find(matches: (key: string) => boolean): T | null;
  readonly counts: () => { readonly applications: number; readonly bytes: number };
}

/** `sizeOf`: bytes. One that is larger than the whole cache is given and not kept. */
export function applicationCache<T>(sizeOf: (value: T) => number, limitBytes: number = CACHE_BYTES): ApplicationCache<T> {
  const kept = new Map<string, T>();
  const building = new Map<string, Promise<T>>();
  let bytes = 0;

  function keep(key: string, value: T): void {
    kept.set(key, value);
    bytes += sizeOf(value);
    for (const [oldest, other] of kept) {
      if (bytes <= limitBytes) break;
      kept.delete(oldest);
      bytes -= sizeOf(other);
    }
  }

  function used(key: string, value: T): T {
    kept.delete(key);
    kept.set(key, value);
    return value;
  }

  return {
    async get(key, build) {
      const known = kept.get(key);
      if (known !== undefined) return used(key, known);
      const begun = building.get(key);
      if (begun !== undefined) return begun;
      const built = build();
      building.set(key, built);
      try {
        const value = await built;
        keep(key, value);
        return value;
      } finally {
        building.delete(key);
      }
    },
    find(matches) {
      for (const [key, value] of kept) if (matches(key)) return used(key, value);
      return null;
    },
    counts: () => ({ applications: kept.size, bytes }),
  };
}
