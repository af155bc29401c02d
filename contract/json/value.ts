/**
 * The JSON values of the project.
 *
 * | JSON | here |
 * |---|---|
 * | null, true, "s" | `null`, `boolean`, `string` (well-formed UTF-16) |
 * | integer token | a safe integer is a `number`, any other a `bigint` |
 * | token with a point or exponent | `JsonFloat`, also when integral: `1.0` is never the integer `1` |
 * | array | array |
 * | object | `Map`, in document order: keys such as `__proto__` or `1` are keys like any other |
 *
 * Digests and programs see the class of a number (documents.md §1, §10), hence the wrapper; and an object is a Map
 * because plain objects reorder integer-like keys and give some names a meaning.
 */
export type JsonValue = JsonScalar | JsonArray | JsonObject;

/** A value without parts. Integers and floats are distinguished, since programs do. */
export type JsonScalar = null | boolean | string | JsonInteger | JsonFloat;

/** In canonical form: `number` while safe (never -0), `bigint` beyond. See `jsonInteger`. */
export type JsonInteger = number | bigint;

/** A list. */
export type JsonArray = readonly JsonValue[];

/** Members in the order of the text; keys are unique. */
export type JsonObject = ReadonlyMap<string, JsonValue>;

/**
 * The program is built into several files, each with a class of its own: a float of one is known to the others by this
 * mark.
 */
const FLOAT = Symbol.for('svc.json-float');

/** A finite IEEE 754 double; a class, so that no JSON object can be mistaken for it. */
export class JsonFloat {
  readonly value: number;

  /** Throws RangeError for NaN and the infinities, which JSON cannot say. */
  constructor(value: number) {
    if (!Number.isFinite(value)) {
      throw new RangeError('a JSON float is finite');
    }
    this.value = value;
  }

  get [FLOAT](): true {
    return true;
  }
}

/** Whether the value has the float class; `1.0` has, `1` has not. */
export function isJsonFloat(value: unknown): value is JsonFloat {
  return typeof value === 'object' && value !== null && FLOAT in value;
}

/** Whether the value has the integer class; `1.0` has not. */
export function isJsonInteger(value: JsonValue | undefined): value is JsonInteger {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Whether the value is a list. */
export function isJsonArray(value: JsonValue | undefined): value is JsonArray {
  return Array.isArray(value);
}

/** Whether the value is an object: a Map whose keys are in the order of the document. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return value instanceof Map;
}

/** The one form of an integer: a number while it is safe, else a bigint. */
export function jsonInteger(value: bigint): JsonInteger {
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

/**
 * The integer that a typed integer field holds: integers, and floats that are integral, taken exactly
 * (documents.md §1, "typed integer fields"). Undefined for every other value.
 */
export function integerOf(value: JsonValue | undefined): JsonInteger | undefined {
  if (isJsonInteger(value)) {
    return value;
  }
  if (isJsonFloat(value) && Number.isInteger(value.value)) {
    return jsonInteger(BigInt(value.value));
  }
  return undefined;
}
