/** Random numbers that a seed repeats: every finding can be run again. */
export interface Random {
  /** From 0 up to, and not with, the bound. */
  readonly below: (bound: number) => number;
  readonly pick: <T>(items: readonly [T, ...T[]]) => T;
}

/** The generator known as mulberry32: 32 bits of state, good enough to choose mutations. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number): number => Math.floor(next() * bound);
  return { below, pick: (items) => items[below(items.length)] ?? items[0] };
}
