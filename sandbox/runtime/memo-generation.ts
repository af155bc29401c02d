import { programState } from './fresh.ts';

/** Counts evaluations that were kept: what `memoize` remembers is of one of them (language.md §11). */
export const memoGeneration = programState(() => ({ current: 0 }));
