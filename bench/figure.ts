/** One measured figure: what was measured, against what, and the bound it must keep. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** `most`: the value must not exceed the bound; `least`: it must reach it; null: reported only. */
  readonly bound: { readonly kind: 'most' | 'least'; readonly value: number } | null;
  readonly detail: string;
}

export function median(samples: readonly number[]): number {
  return quantile(samples, 0.5);
}

export function quantile(samples: readonly number[], fraction: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const sample = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))];
  if (sample === undefined) throw new Error('no samples');
  return sample;
}

/**
 * A figure as a ratio to the floor that was measured in the same minute, both in `unit`; `most`: null for one that is
 * reported only.
 */
export function against(
  floor: { readonly name: string; readonly value: number },
  { name, value, unit, most, detail }: Omit<Figure, 'bound'> & { readonly most: number | null },
): Figure {
  const shown = (amount: number): string => `${Number(amount.toPrecision(3))} ${unit}`;
  return {
    name: `${name} / ${floor.name}`,
    value: value / floor.value,
    unit: 'x',
    bound: most === null ? null : { kind: 'most', value: most },
    detail: `${shown(value)} against ${shown(floor.value)}${detail === '' ? '' : `; ${detail}`}`,
  };
}

export function holds(figure: Figure): boolean {
  if (figure.bound === null) return true;
  return figure.bound.kind === 'most' ? figure.value <= figure.bound.value : figure.value >= figure.bound.value;
}

export function render(figure: Figure): string {
  const bound = figure.bound === null ? '' : ` (${figure.bound.kind === 'most' ? '<=' : '>='} ${figure.bound.value})`;
  const mark = figure.bound === null ? '    ' : holds(figure) ? 'ok  ' : 'MISS';
  return `${mark} ${figure.name}: ${Number(figure.value.toPrecision(3))} ${figure.unit}${bound}  ${figure.detail}`;
}
