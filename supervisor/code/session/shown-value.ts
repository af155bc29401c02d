/** How much of something is shown, and how much there is. */
export type Cut = Readonly<Record<string, readonly [shown: number, all: number]>>;

/** What a preview says that it leaves out (world.md §3.3); null: nothing. */
export function cutOf(preview: string): Cut | null {
  const [, shown, all, unit] = /\n;; cut: (\d+) of (\d+) (\w+)$/.exec(preview) ?? [];
  return unit === undefined ? null : { [unit]: [Number(shown), Number(all)] };
}

/** How a later program gets at what a preview leaves out. */
export function howToReach(cut: Cut | null, outcome: string): string | null {
  if (outcome === 'returned') return 'a returned value is not kept: let the program end with it instead of (return …)';
  if (cut === null) return null;
  return 'characters' in cut
    ? 'the whole value is *1: (subs *1 from to) gives a part of it'
    : 'the whole value is *1: (nth *1 i), (take 10 (drop 300 *1)), or make it smaller with a program';
}
