/** Values of ordinary evaluations that `*1` to `*3` name (language.md §12). */
export const HISTORY = 3;
