import type { Effects } from '../effects.ts';
import { get } from '../lookup.ts';
import { prettyString } from '../pretty.ts';
import { displayString } from '../print.ts';
import { first, seq, toArray } from '../sequence.ts';
import { LispMap } from '../values/map.ts';
import { fixed, type Row, withEffect } from './row.ts';

/** The rows as a table; columns are as wide as their widest cell, which is to the right. */
function table(keys: readonly unknown[], rows: readonly unknown[]): string {
  const columns = keys.map((key) => {
    const cells = [displayString(key), ...rows.map((row) => displayString(get(row, key)))];
    const width = Math.max(...cells.map((cell) => cell.length));
    return { width, cells: cells.map((cell) => cell.padStart(width)) };
  });
  const line = (row: number): string => `| ${columns.map(({ cells }) => cells[row] ?? '').join(' | ')} |`;
  const rule = `|-${columns.map(({ width }) => '-'.repeat(width)).join('-+-')}-|`;
  return `\n${[line(0), rule, ...rows.map((_, index) => line(index + 1))].join('\n')}\n`;
}

function keysOf(row: unknown): readonly unknown[] {
  const keys: unknown[] = [];
  if (row instanceof LispMap) {
    row.visit((key) => {
      keys.push(key);
    });
  }
  return keys;
}

/** The printing functions of clojure.pprint. */
export function clojurePprint(effects: Effects): readonly Row[] {
  const print = (keys: readonly unknown[], rows: unknown): null => {
    const all = toArray(rows);
    if (all.length > 0) effects.write(table(keys, all));
    return null;
  };
  return withEffect('print', [
    fixed(
      'pprint',
      'object',
      'Prints a value readably, on several lines where it is wider than 72 columns.',
      (value: unknown) => {
        effects.write(`${prettyString(value)}\n`);
        return null;
      },
    ),
    fixed(
      'print-table',
      'rows|ks rows',
      'Prints maps as a table with a column for each key of the first one, or for each of the given keys.',
      (rows: unknown) => (seq(rows) === null ? null : print(keysOf(first(rows)), rows)),
      (keys: unknown, rows: unknown) => print(toArray(keys), rows),
    ),
  ]);
}
