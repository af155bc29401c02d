import { argumentKey } from '../../contract/argument-keys.ts';
import type { ArgumentKey } from '../../contract/argument-keys.ts';
import { isJsonArray, isJsonObject } from '../../contract/json/value.ts';
import type { JsonObject, JsonValue } from '../../contract/json/value.ts';

/** Schemas that hold for one value at once: beyond those, and beyond so many references in a row, nothing more is known of it. */
const SCHEMAS_MAX = 64;

/** Two keys of one map that come to the same property, as a program writes them. */
export interface SameProperty {
  readonly property: string;
  readonly keys: readonly [string, string];
}

export type NamedArguments = { readonly ok: true; readonly given: JsonObject } | ({ readonly ok: false } & SameProperty);

/** Carries two keys out of the recursion; never leaves this file. */
class Met {
  readonly same: SameProperty;
  constructor(same: SameProperty) {
    this.same = same;
  }
}

/**
 * The arguments with the keys under which they go out (runtime.md §5). A text is its own name, at any depth. A keyword is the property
 * of its name in the schema, else the one with `_` for `-`, else the one in camelCase; where the schema says nothing, `-` becomes `_`.
 * `schema` is null for a route, which has none.
 */
export function namedArguments(given: JsonObject, schema: JsonValue | null): NamedArguments {
  try {
    return { ok: true, given: namedObject(given, { root: schema, schemas: schema === null ? [] : reached(schema, [schema]) }) };
  } catch (thrown) {
    if (thrown instanceof Met) return { ok: false, ...thrown.same };
    throw thrown;
  }
}

/** What is known of a value. */
interface Known {
  readonly root: JsonValue | null;
  readonly schemas: readonly JsonObject[];
}

function named(value: JsonValue, known: Known): JsonValue {
  if (isJsonObject(value)) return namedObject(value, known);
  return isJsonArray(value) ? value.map((item, index) => named(item, { ...known, schemas: itemSchemas(known, index) })) : value;
}

function namedObject(value: JsonObject, known: Known): JsonObject {
  const declared = new Set(known.schemas.flatMap((schema) => [...membersOf(schema.get('properties')).keys()]));
  const members = new Map<string, JsonValue>();
  const origins = new Map<string, ArgumentKey>();
  for (const [key, member] of value) {
    const origin = argumentKey(key);
    const name = origin.isKeyword ? propertyOf(origin.text, declared) : origin.text;
    const before = origins.get(name);
    if (before !== undefined) throw new Met({ property: name, keys: [written(before), written(origin)] });
    origins.set(name, origin);
    members.set(name, named(member, { ...known, schemas: memberSchemas(known, name) }));
  }
  return members;
}

function propertyOf(keyword: string, declared: ReadonlySet<string>): string {
  const underscored = keyword.replaceAll('-', '_');
  const spellings = [keyword, underscored, keyword.replaceAll(/-+([^-])/g, (_, letter: string) => letter.toUpperCase())];
  return spellings.find((spelling) => declared.has(spelling)) ?? underscored;
}

const KEY_LENGTH = 128;

function written({ isKeyword, text }: ArgumentKey): string {
  const shown = text.slice(0, KEY_LENGTH).toWellFormed();
  return isKeyword ? `:${shown}` : JSON.stringify(shown);
}

function membersOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : new Map();
}

function memberSchemas({ root, schemas }: Known, name: string): readonly JsonObject[] {
  if (root === null || schemas.length === 0) return [];
  return reached(root, schemas.flatMap((schema) => membersOf(schema.get('properties')).get(name) ?? schema.get('additionalProperties') ?? []));
}

function itemSchemas({ root, schemas }: Known, index: number): readonly JsonObject[] {
  if (root === null || schemas.length === 0) return [];
  return reached(root, schemas.flatMap((schema) => {
    const prefix = schema.get('prefixItems');
    return (isJsonArray(prefix) ? prefix[index] : undefined) ?? schema.get('items') ?? [];
  }));
}

/** Those schemas, and all that they refer to or combine: each says something of the same value. */
function reached(root: JsonValue, starts: readonly JsonValue[]): readonly JsonObject[] {
  const found = new Set<JsonObject>();
  const pending = [...starts];
  for (let next = pending.shift(); next !== undefined && found.size < SCHEMAS_MAX; next = pending.shift()) {
    if (!isJsonObject(next) || found.has(next)) continue;
    found.add(next);
    for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
      const parts = next.get(keyword);
      if (isJsonArray(parts)) pending.push(...parts.slice(0, SCHEMAS_MAX));
    }
    for (const keyword of ['if', 'then', 'else'] as const) pending.push(next.get(keyword) ?? null);
    pending.push(referred(root, next.get('$ref')));
  }
  return [...found];
}

/** What a reference into the same schema leads to; null for any other. */
function referred(root: JsonValue, reference: JsonValue | undefined): JsonValue {
  if (typeof reference !== 'string' || !reference.startsWith('#')) return null;
  let at: JsonValue = root;
  for (const step of reference.slice(1).split('/').slice(1)) {
    const name = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
    const inside: JsonValue | undefined = isJsonObject(at) ? at.get(name) : isJsonArray(at) ? at[Number(name)] : undefined;
    if (inside === undefined) return null;
    at = inside;
  }
  return at;
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
