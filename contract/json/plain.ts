import { isJsonArray, isJsonFloat, isJsonObject, JsonFloat, jsonInteger, type JsonValue } from './value.ts';

/** Deepest plain data that converts: far beyond any document (64, documents.md §1), safe for the call stack. */
const DEEPEST = 512;

/**
 * The JSON value of plain data that our own code or a library built. An integral safe number is an integer (-0 is 0),
 * a bigint too, any other finite number a float. Objects are plain ones, by own enumerable keys in their order, or
 * Maps with string keys. A `JsonValue` comes back equal.
 *
 * Undefined for what JSON cannot say: undefined (also as a member), functions, symbols, symbol keys, other instances,
 * NaN and the infinities, lone surrogates, cycles, more than 512 levels.
 */
export function jsonFromPlain(plain: unknown): JsonValue | undefined {
  return convert(plain, { converted: new Map(), depth: 0 });
}

/**
 * Plain data for validators and printers that know no number classes: floats, and integers beyond the safe range,
 * become the nearest number (possibly infinite); objects get no prototype and put integer-like keys first. Nothing
 * that is hashed or published may come from here.
 */
export function plainFromJson(value: JsonValue): unknown {
  const pending: (() => void)[] = [];
  const begin = (next: JsonValue): unknown => {
    if (isJsonArray(next)) {
      const items: unknown[] = [];
      pending.push(() => {
        for (const item of next) {
          items.push(begin(item));
        }
      });
      return items;
    }
    if (isJsonObject(next)) {
      const members: Record<string, unknown> = Object.create(null);
      pending.push(() => {
        for (const [key, member] of next) {
          members[key] = begin(member);
        }
      });
      return members;
    }
    if (isJsonFloat(next)) {
      return next.value;
    }
    return typeof next === 'bigint' ? Number(next) : next;
  };
  const plain = begin(value);
  for (let fill = pending.pop(); fill !== undefined; fill = pending.pop()) {
    fill();
  }
  return plain;
}

interface Conversion {
  /** Containers met so far; null while one is still open, so that meeting it again is a cycle. */
  readonly converted: Map<object, JsonValue | null>;
  depth: number;
}

function convert(plain: unknown, conversion: Conversion): JsonValue | undefined {
  if (plain === null || typeof plain === 'boolean' || isJsonFloat(plain)) {
    return plain;
  }
  if (typeof plain === 'string') {
    return plain.isWellFormed() ? plain : undefined;
  }
  if (typeof plain === 'number') {
    return convertNumber(plain);
  }
  if (typeof plain === 'bigint') {
    return jsonInteger(plain);
  }
  return typeof plain === 'object' ? convertContainer(plain, conversion) : undefined;
}

function convertNumber(plain: number): JsonValue | undefined {
  if (Number.isSafeInteger(plain)) {
    return plain + 0;
  }
  return Number.isFinite(plain) ? new JsonFloat(plain) : undefined;
}

function convertContainer(plain: object, conversion: Conversion): JsonValue | undefined {
  const known = conversion.converted.get(plain);
  if (known !== undefined) {
    return known ?? undefined;
  }
  if (conversion.depth >= DEEPEST) {
    return undefined;
  }
  conversion.converted.set(plain, null);
  conversion.depth += 1;
  const value = Array.isArray(plain) ? convertItems(plain, conversion) : convertMembers(plain, conversion);
  conversion.depth -= 1;
  if (value !== undefined) {
    conversion.converted.set(plain, value);
  }
  return value;
}

function convertItems(plain: readonly unknown[], conversion: Conversion): JsonValue | undefined {
  const items: JsonValue[] = [];
  for (const item of plain) {
    const value = convert(item, conversion);
    if (value === undefined) {
      return undefined;
    }
    items.push(value);
  }
  return items;
}

function convertMembers(plain: object, conversion: Conversion): JsonValue | undefined {
  const entries = entriesOf(plain);
  if (entries === undefined) {
    return undefined;
  }
  const members = new Map<string, JsonValue>();
  for (const [key, member] of entries) {
    const value = convert(member, conversion);
    if (value === undefined || typeof key !== 'string' || !key.isWellFormed()) {
      return undefined;
    }
    members.set(key, value);
  }
  return members;
}

/** Undefined for instances of classes other than Map and for objects with symbol keys. */
function entriesOf(plain: object): Iterable<[unknown, unknown]> | undefined {
  if (plain instanceof Map) {
    return plain.entries();
  }
  const prototype: unknown = Object.getPrototypeOf(plain);
  const isPlain = prototype === null || prototype === Object.prototype;
  return isPlain && Object.getOwnPropertySymbols(plain).length === 0 ? Object.entries(plain) : undefined;
}
