import type { ReportCase } from '../data.ts';

/** What became of a case between two reports. */
export type CaseChange = 'fixed' | 'broken' | 'same' | 'new' | 'gone' | 'other';

/** A case in two reports; null in the one that does not have it. */
export interface ComparedCase {
  readonly key: string;
  readonly left: ReportCase | null;
  readonly right: ReportCase | null;
  readonly change: CaseChange;
}

/** Cases of two reports beside each other, what got worse first, else in the order of the second. */
export function compareCases(left: readonly ReportCase[], right: readonly ReportCase[]): readonly ComparedCase[] {
  const before = keyed(left);
  const after = keyed(right);
  return [...new Set([...after.keys(), ...before.keys()])]
    .map((key) => {
      const one = before.get(key) ?? null;
      const other = after.get(key) ?? null;
      return { key, left: one, right: other, change: changeOf(one, other) };
    })
    .toSorted((one, other) => WORST.indexOf(one.change) - WORST.indexOf(other.change));
}

const WORST: readonly CaseChange[] = ['broken', 'other', 'fixed', 'gone', 'new', 'same'];

/** A case is named by its file, its name and its model; one that is there twice is counted. */
function keyed(cases: readonly ReportCase[]): ReadonlyMap<string, ReportCase> {
  const found = new Map<string, ReportCase>();
  for (const one of cases) {
    const name = `${one.file} · ${one.name}${one.model === null ? '' : ` [${one.model}]`}`;
    let key = name;
    for (let nth = 2; found.has(key); nth += 1) key = `${name} (${nth})`;
    found.set(key, one);
  }
  return found;
}

function changeOf(left: ReportCase | null, right: ReportCase | null): CaseChange {
  if (left === null) return 'new';
  if (right === null) return 'gone';
  if (left.status !== right.status) {
    if (right.status === 'failed') return 'broken';
    return left.status === 'failed' && right.status === 'passed' ? 'fixed' : 'other';
  }
  return passRate(left) === passRate(right) ? 'same' : 'other';
}

function passRate({ pass_rate: rate }: ReportCase): number | null {
  return rate?.rate ?? null;
}
