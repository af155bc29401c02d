import { canonicalJson } from '../../../contract/json/canonical.ts';
import { compareUtf8 } from '../../../contract/json/utf8.ts';
import { JsonFloat, type JsonValue } from '../../../contract/json/value.ts';
import type { ObjectShape, Shape } from './shape.ts';

/**
 * The one JSON form of a decoded value that digests see: defaults written out, fields outside identity left out,
 * set-like lists sorted, fields of fractional type always floats. Throws for a value that its table did not decode.
 */
export function normalForm(shape: Shape, decoded: unknown): JsonValue {
  switch (shape.kind) {
    case 'text':
    case 'integer':
    case 'boolean':
    case 'enum':
      return scalar(decoded);
    case 'number':
      return typeof decoded === 'number' ? new JsonFloat(decoded) : refuseForeign();
    case 'list': {
      if (!Array.isArray(decoded)) return refuseForeign();
      const items = decoded.map((item: unknown) => normalForm(shape.items, item));
      return shape.set
        ? items.toSorted((left, right) => compareUtf8(canonicalJson(left), canonicalJson(right)))
        : items;
    }
    case 'map': {
      if (!(decoded instanceof Map)) return refuseForeign();
      return new Map([...decoded].map(([key, value]) => [String(key), normalForm(shape.values, value)]));
    }
    case 'object':
      return isRecord(decoded) ? objectForm(shape, decoded) : refuseForeign();
    case 'choice': {
      const branch = isRecord(decoded) ? shape.branches.find((candidate) => couldBe(candidate, decoded)) : undefined;
      return branch === undefined ? refuseForeign() : normalForm(branch, decoded);
    }
    case 'either':
      return normalForm(typeof decoded === 'string' ? shape.text : shape.object, decoded);
    case 'listed':
      return normalForm(Array.isArray(decoded) ? shape.list : shape.item, decoded);
    case 'free':
    case 'any':
      // No document whose normal form is hashed has free parts; those that have are hashed as they are written.
      return refuseForeign();
  }
}

function refuseForeign(): never {
  throw new TypeError('the value was not decoded by this table of fields');
}

function scalar(decoded: unknown): JsonValue {
  if (decoded === null || typeof decoded === 'string' || typeof decoded === 'number' || typeof decoded === 'boolean')
    return decoded;
  return refuseForeign();
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Map);
}

function objectForm(shape: ObjectShape, decoded: Readonly<Record<string, unknown>>): JsonValue {
  const form = new Map<string, JsonValue>();
  for (const [name, field] of Object.entries(shape.fields)) {
    if (field.identity && decoded[name] !== undefined) form.set(name, normalForm(field.shape, decoded[name]));
  }
  return form;
}

/** Branches differ in a constant or in their names, so at most one fits what a branch decoded. */
function couldBe({ fields }: ObjectShape, decoded: Readonly<Record<string, unknown>>): boolean {
  if (!Object.keys(decoded).every((name) => Object.hasOwn(fields, name))) return false;
  return Object.entries(fields).every(([name, { shape, presence }]) => {
    const value = decoded[name];
    if (value === undefined) return presence.kind === 'optional';
    return shape.kind !== 'enum' || shape.values.some((allowed) => allowed === value);
  });
}
