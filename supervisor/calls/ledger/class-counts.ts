/** Counts by class: the first two classes by name, all further ones together (runtime.md §5, "Accounting"). */
export interface ClassCounts {
  count(key: string): void;
  values(): Readonly<Record<string, number>>;
}

const NAMED_CLASSES = 2;
const OVERFLOW = '$overflow';

export function classCounts(): ClassCounts {
  const counts = new Map<string, number>();
  return {
    count: (input) => {
      const named = counts.size - (counts.has(OVERFLOW) ? 1 : 0);
      const key = counts.has(input) || named < NAMED_CLASSES ? input : OVERFLOW;
      counts.set(key, Math.min(Number.MAX_SAFE_INTEGER, (counts.get(key) ?? 0) + 1));
    },
    values: () => Object.fromEntries(counts),
  };
}
