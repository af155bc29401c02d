import { LispError } from '../errors.ts';
import { EMPTY_MAP } from './array-map.ts';
import { ClassValue } from './java.ts';
import type { Keyword } from './keyword.ts';
import { ABSENT, LispMap } from './map.ts';

/**
 * The class that a `defrecord` makes. Two are equal only if they are the same object, so a record of a type that was
 * defined again is none of the new one.
 */
export class RecordType extends ClassValue {
  declare readonly fields: readonly Keyword[];
  /** What it implements itself: a map of protocols and interfaces to maps of method names (keywords) to functions. */
  declare readonly methods: LispMap;

  constructor(name: string, fields: readonly Keyword[], methods: LispMap) {
    super(name);
    this.fields = fields;
    this.methods = methods;
  }

  /** The place of a key among the fields, -1 for other keys. */
  indexOf(key: unknown): number {
    const { fields } = this;
    for (let i = 0; i < fields.length; i += 1) if (fields[i] === key) return i;
    return -1;
  }
}

/** A value of a `defrecord`: a map that always has its fields, and is equal to records of its type only. */
export class LispRecord extends LispMap {
  declare readonly type: RecordType;
  /** One for each field. */
  declare readonly values: readonly unknown[];
  /** Entries under other keys. */
  declare readonly extra: LispMap;

  constructor(type: RecordType, values: readonly unknown[], extra: LispMap, meta: unknown) {
    super(meta);
    this.type = type;
    this.values = values;
    this.extra = extra;
  }

  get count(): number {
    return this.values.length + this.extra.count;
  }

  get javaName(): string {
    return this.type.name;
  }

  lookup(key: unknown): unknown {
    const at = this.type.indexOf(key);
    return at < 0 ? this.extra.lookup(key) : this.values[at];
  }

  storedKey(key: unknown): unknown {
    return this.type.indexOf(key) < 0 ? this.extra.storedKey(key) : key;
  }

  assoc(key: unknown, value: unknown): LispRecord {
    const at = this.type.indexOf(key);
    if (at < 0) return new LispRecord(this.type, this.values, this.extra.assoc(key, value), this.meta);
    return new LispRecord(this.type, this.values.with(at, value), this.extra, this.meta);
  }

  /** Without one of its fields it is a plain map. */
  dissoc(key: unknown): LispMap {
    if (this.type.indexOf(key) >= 0) return this.asMap().dissoc(key);
    const extra = this.extra.dissoc(key);
    return extra === this.extra ? this : new LispRecord(this.type, this.values, extra, this.meta);
  }

  /** The map of the same entries. */
  asMap(): LispMap {
    let map: LispMap = EMPTY_MAP;
    this.visit((key, value) => {
      map = map.assoc(key, value);
    });
    return map.withMeta(this.meta);
  }

  visit(visitor: (key: unknown, value: unknown) => unknown): boolean {
    const { fields } = this.type;
    for (let i = 0; i < fields.length; i += 1) if (visitor(fields[i], this.values[i]) === true) return true;
    return this.extra.visit(visitor);
  }

  empty(): never {
    throw new LispError(
      'type_error',
      'java.lang.UnsupportedOperationException',
      `Can't create empty: ${this.type.name}`,
    );
  }

  withMeta(meta: unknown): LispRecord {
    return new LispRecord(this.type, this.values, this.extra, meta);
  }
}

/** A record of all entries of a map; fields that it lacks are nil (`map->R`). */
export function recordOf(type: RecordType, map: LispMap): LispRecord {
  const values = type.fields.map((field) => {
    const value = map.lookup(field);
    return value === ABSENT ? null : value;
  });
  let extra: LispMap = EMPTY_MAP;
  map.visit((key, value) => {
    if (type.indexOf(key) < 0) extra = extra.assoc(key, value);
  });
  return new LispRecord(type, values, extra, map.meta);
}
