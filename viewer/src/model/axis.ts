/** A part of the time of a run, in milliseconds from its start. */
export interface View {
  readonly from: number;
  readonly to: number;
}

/** Marks at round times within a view: about so many as were asked for, at least one. */
export function ticksOf({ from, to }: View, wanted: number): readonly number[] {
  const rough = Math.max((to - from) / wanted, Number.MIN_VALUE);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power;
  const first = Math.ceil(from / step);
  const last = Math.floor(to / step);
  return Array.from({ length: Math.min(100, Math.max(0, last - first + 1)) }, (_, nth) => (first + nth) * step);
}

/** The same place, nearer (below 1) or farther, within the whole time; `around` stays where it is. */
export function zoomed({ from, to }: View, factor: number, { around, whole }: { around: number; whole: number }): View {
  const length = Math.min(whole, Math.max((to - from) * factor, whole / 100_000));
  const share = (around - from) / Math.max(to - from, Number.MIN_VALUE);
  const start = Math.min(Math.max(0, around - share * length), whole - length);
  return { from: start, to: start + length };
}
