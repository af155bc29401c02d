import { typeName } from '../../runtime/classes.ts';
import { printString } from '../../runtime/print.ts';
import { visit } from '../../runtime/sequence.ts';
import { Collection } from '../../runtime/values/collection.ts';
import { double, isNumber, toFloat } from '../../runtime/values/double.ts';
import { Keyword, keyword } from '../../runtime/values/keyword.ts';
import { LispMap } from '../../runtime/values/map.ts';
import { mapFromEntries } from '../../runtime/values/map-builder.ts';
import { vector } from '../../runtime/values/vector.ts';

export interface DescribeOptions {
  readonly depth: number;
  readonly paths: boolean;
  readonly sample: number;
}

/** Caps of functions.md §17. */
const CAPS = {
  items: 1000,
  keys: 100,
  paths: 300,
  values: 10_000,
  distinct: 50,
  exampleLength: 120,
  numericLength: 64,
} as const;

/** The word for a value's type. */
function typeWord(value: unknown): string {
  const word = typeName(value);
  if (word === 'double' || word === 'float32') return 'float';
  if (word === 'map entry') return 'vector';
  return word.replace(/^sorted /, '');
}

/** Values gathered under one key or path. */
class Tally {
  present = 0;
  nonEmpty = 0;
  containers = 0;
  readonly types = new Map<string, number>();
  readonly examples: unknown[] = [];
  readonly distinct = new Set<string>();
  distinctCapped = false;
  lowest: number | null = null;
  highest: number | null = null;

  add(value: unknown, sample: number): void {
    this.present += 1;
    const word = typeWord(value);
    this.types.set(word, (this.types.get(word) ?? 0) + 1);
    const text = exampleText(value);
    if (!this.distinct.has(text)) {
      if (this.distinct.size >= CAPS.distinct) this.distinctCapped = true;
      else this.distinct.add(text);
      if (this.examples.length < sample) this.examples.push(value instanceof Collection ? text : value);
    }
    if (value instanceof Collection || typeof value === 'string') {
      this.containers += 1;
      if (typeof value === 'string' ? value.length > 0 : visit(value, () => true)) this.nonEmpty += 1;
    }
    const number = numericValue(value);
    if (number === null) return;
    this.lowest = this.lowest === null ? number : Math.min(this.lowest, number);
    this.highest = this.highest === null ? number : Math.max(this.highest, number);
  }
}

function exampleText(value: unknown): string {
  const text = printString(value);
  return text.length > CAPS.exampleLength ? `${text.slice(0, CAPS.exampleLength - 3)}...` : text;
}

function numericValue(value: unknown): number | null {
  if (isNumber(value)) {
    const float = toFloat(value);
    return Number.isNaN(float) ? null : float;
  }
  if (typeof value !== 'string' || value.length > CAPS.numericLength || !/^[+-]?[0-9]+(?:\.[0-9]+)?$/.test(value))
    return null;
  return Number(value);
}

/** The name of a key as text: strings as they are, keywords with their colon, the rest printed. */
function keyName(key: unknown): string {
  if (typeof key === 'string') return /^[:"]/.test(key) ? printString(key) : key;
  return key instanceof Keyword ? `:${key.text}` : printString(key);
}

type Flat = unknown[];

function put(flat: Flat, name: string, value: unknown): void {
  flat.push(keyword(null, name), value);
}

function counts(types: ReadonlyMap<string, number>): unknown {
  return mapFromEntries([...types].flat());
}

function numberValue(value: number): unknown {
  return Number.isSafeInteger(value) ? value : double(value);
}

function tallySummary(tally: Tally, total: number | null): unknown {
  const flat: Flat = [];
  if (total !== null) {
    put(flat, 'present', tally.present);
    const share = Math.round((tally.present / total) * 1000) / 10;
    put(flat, 'pct', double(share));
  }
  put(flat, 'types', counts(tally.types));
  put(flat, 'examples', vector(tally.examples));
  if (tally.containers > 0) put(flat, 'non_empty', tally.nonEmpty);
  if (tally.present > 1) put(flat, 'distinct_count', tally.distinct.size);
  if (tally.distinctCapped) put(flat, 'distinct_capped', true);
  if (tally.lowest !== null && tally.highest !== null) {
    put(
      flat,
      'range',
      mapFromEntries([
        keyword(null, 'min'),
        numberValue(tally.lowest),
        keyword(null, 'max'),
        numberValue(tally.highest),
      ]),
    );
  }
  return mapFromEntries(flat);
}

class Gathering {
  readonly keys = new Map<string, Tally>();
  readonly keyTypes = new Map<string, number>();
  readonly paths = new Map<string, Tally>();
  readonly capsHit = new Set<string>();
  values = 0;
  readonly options: DescribeOptions;

  constructor(options: DescribeOptions) {
    this.options = options;
  }

  map(map: LispMap): void {
    map.visit((key, value) => {
      const name = keyName(key);
      const word = typeWord(key);
      this.keyTypes.set(word, (this.keyTypes.get(word) ?? 0) + 1);
      let tally = this.keys.get(name);
      if (tally === undefined) {
        if (this.keys.size >= CAPS.keys) {
          this.capsHit.add('max_keys');
          return false;
        }
        tally = new Tally();
        this.keys.set(name, tally);
      }
      tally.add(value, this.options.sample);
      if (this.options.paths) this.path(name, value, 1);
      return false;
    });
  }

  path(path: string, value: unknown, depth: number): void {
    if (this.values >= CAPS.values) {
      this.capsHit.add('max_path_values');
      return;
    }
    this.values += 1;
    const known = this.paths.get(path);
    if (known === undefined && this.paths.size >= CAPS.paths) {
      this.capsHit.add('max_paths');
      return;
    }
    const tally = known ?? new Tally();
    this.paths.set(path, tally);
    tally.add(value, this.options.sample);
    if (depth < this.options.depth) this.inside(path, value, depth);
  }

  /** Levels of lists have no name of their own. */
  inside(path: string, value: unknown, depth: number): void {
    if (value instanceof LispMap) {
      value.visit((key, member) => {
        this.path(`${path}.${keyName(key)}`, member, depth + 1);
        return this.values >= CAPS.values;
      });
    } else if (value instanceof Collection) {
      visit(value, (element) => {
        this.inside(path, element, depth);
        return this.values >= CAPS.values;
      });
    }
  }

  summary(flat: Flat, total: number | null): void {
    put(flat, 'key_types', counts(this.keyTypes));
    put(flat, 'keys', mapFromEntries([...this.keys].flatMap(([name, tally]) => [name, tallySummary(tally, total)])));
    if (this.options.paths) {
      put(flat, 'paths', mapFromEntries([...this.paths].flatMap(([name, tally]) => [name, tallySummary(tally, null)])));
    }
  }
}

/** A summary of any value; never raises on data. */
export function describeRoot(value: unknown, options: DescribeOptions): unknown {
  if (value instanceof LispMap) return describeMap(value, options);
  return value instanceof Collection ? describeElements(value, options) : describeScalar(value, options);
}

function describeScalar(value: unknown, options: DescribeOptions): unknown {
  const tally = new Tally();
  tally.add(value, options.sample);
  const flat: Flat = [];
  put(flat, 'type', typeWord(value));
  put(flat, 'types', counts(tally.types));
  put(flat, 'sample', exampleText(value));
  put(flat, 'examples', vector(tally.examples));
  put(flat, 'distinct_count', 1);
  if (tally.lowest !== null) {
    const bound = numberValue(tally.lowest);
    put(flat, 'range', mapFromEntries([keyword(null, 'min'), bound, keyword(null, 'max'), bound]));
  } else if (typeof value === 'string') put(flat, 'non_empty', tally.nonEmpty);
  return mapFromEntries(flat);
}

function describeMap(map: LispMap, options: DescribeOptions): unknown {
  const gathering = new Gathering(options);
  gathering.map(map);
  const flat: Flat = [];
  put(flat, 'type', 'map');
  put(flat, 'count', map.count);
  gathering.summary(flat, null);
  return finished(flat, gathering);
}

function describeElements(collection: Collection, options: DescribeOptions): unknown {
  const gathering = new Gathering(options);
  const types = new Map<string, number>();
  let scanned = 0;
  let maps = 0;
  const more = visit(collection, (element) => {
    if (scanned >= CAPS.items) return true;
    scanned += 1;
    const word = typeWord(element);
    types.set(word, (types.get(word) ?? 0) + 1);
    if (element instanceof LispMap) {
      maps += 1;
      gathering.map(element);
    }
    return false;
  });
  if (more) gathering.capsHit.add('max_items');
  const known = 'count' in collection && typeof collection.count === 'number' ? collection.count : null;
  const flat: Flat = [];
  put(flat, 'type', typeWord(collection));
  put(flat, 'count', more ? (known ?? scanned) : scanned);
  if (more && known === null) put(flat, 'count_capped', true);
  put(flat, 'scanned', scanned);
  put(flat, 'item_types', counts(types));
  if (maps > 0) gathering.summary(flat, maps);
  return finished(flat, gathering);
}

function finished(flat: Flat, gathering: Gathering): unknown {
  if (gathering.capsHit.size > 0) {
    put(flat, 'truncated', true);
    put(flat, 'caps_hit', vector([...gathering.capsHit]));
  }
  return mapFromEntries(flat);
}
