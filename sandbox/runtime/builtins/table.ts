import type { Effects } from '../effects.ts';
import { type Area, AREAS } from './areas.ts';
import { type Builtin, builtin, type Row } from './row.ts';

/** Built-ins by qualified name; each is made when it is first asked for. */
export interface BuiltinTable {
  get(name: string): Builtin | undefined;
  has(name: string): boolean;
  /** Every qualified name. */
  keys(): readonly string[];
  values(): readonly Builtin[];
}

/**
 * The table for one isolate: the areas of the runtime and further ones. Functions that print or count do so in
 * `effects`. An area's rows are made when one of them is wanted: a program uses few, and what is not made costs
 * an isolate's start nothing.
 */
export function builtinTable(effects: Effects, further: readonly Area[] = []): BuiltinTable {
  const areas = [...AREAS, ...further];
  const opened = new Map<Area, ReadonlyMap<string, Row>>();
  const made = new Map<string, Builtin>();

  function areaOf(name: string): Area | undefined {
    const slash = name.indexOf('/');
    const prefix = name.slice(0, slash);
    const local = name.slice(slash + 1);
    if (local.includes(' ')) return undefined;
    const listed = ` ${local} `;
    return areas.find((area) => area.prefix === prefix && area.names.includes(listed));
  }

  function rowsOf(area: Area): ReadonlyMap<string, Row> {
    let rows = opened.get(area);
    if (rows === undefined) {
      rows = new Map(area.rows(effects).map((row) => [row.name, row]));
      opened.set(area, rows);
    }
    return rows;
  }

  function get(name: string): Builtin | undefined {
    const known = made.get(name);
    if (known !== undefined) return known;
    const area = areaOf(name);
    if (area === undefined) return undefined;
    const row = rowsOf(area).get(name.slice(area.prefix.length + 1));
    if (row === undefined) return undefined;
    const found = builtin(area.prefix, area.area, row);
    made.set(name, found);
    return found;
  }

  function keys(): readonly string[] {
    return areas.flatMap(({ prefix, names }) =>
      names
        .trim()
        .split(' ')
        .map((name) => `${prefix}/${name}`),
    );
  }

  return {
    get,
    has: (name) => made.has(name) || areaOf(name) !== undefined,
    keys,
    values: () => keys().flatMap((name) => get(name) ?? []),
  };
}

export type { Builtin } from './row.ts';
