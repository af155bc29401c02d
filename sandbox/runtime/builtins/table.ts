import type { Environment } from '../environment.ts';
import { numbers } from './numbers.ts';
import { type Builtin, builtin, type Row } from './row.ts';

/** All built-ins by qualified name. */
export type BuiltinTable = ReadonlyMap<string, Builtin>;

const CORE = 'clojure.core';

/** Areas in the order of functions.md: prefix, area name, rows. */
function areas(_environment: Environment): readonly (readonly [string, string, readonly Row[]])[] {
  return [[CORE, 'numbers', numbers]];
}

/** The table for one isolate; functions that print or count do so in `environment`. */
export function builtinTable(environment: Environment): BuiltinTable {
  const table = new Map<string, Builtin>();
  for (const [prefix, area, rows] of areas(environment)) {
    for (const row of rows) {
      const made = builtin(prefix, area, row);
      table.set(made.name, made);
    }
  }
  return table;
}

export type { Builtin, Effect } from './row.ts';
