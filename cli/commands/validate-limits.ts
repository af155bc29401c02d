import { LIMITS, type LimitName, type LimitRow } from '../../contract/limits/catalogue.ts';
import type { LimitRemark, ResolvedLimits } from '../../supervisor/api/authoring.ts';

/** Every limit that a run would enforce, and the document that decided it, aligned (documents.md §14.6). */
export function limitLines({ values, origins }: ResolvedLimits): readonly string[] {
  const rows: readonly LimitRow<LimitName>[] = LIMITS;
  const cells = rows.map(({ name, unit }) => {
    const value = values[name];
    return [
      name,
      value === null ? 'off' : `${String(value)}${unit === 'count' ? '' : ` ${unit}`}`,
      origins[name],
    ] as const;
  });
  const width = (column: 0 | 1): number => Math.max(...cells.map((cell) => cell[column].length));
  const [names, amounts] = [width(0), width(1)];
  return [
    'limits:',
    ...cells.map(([name, amount, origin]) => `  ${name.padEnd(names)}  ${amount.padEnd(amounts)}  ${origin}`),
  ];
}

/** Limits that a run would enforce, and that are of no use together. */
export function remarkLine({ problem, remedy }: LimitRemark): string {
  return `remark: ${problem}; ${remedy}`;
}
