import { argumentKey, type ArgumentKey } from '../../../contract/argument-keys.ts';
import type { Sliced } from '../../../contract/json/sliced.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../../../contract/json/value.ts';

/**
 * Schemas that hold for one value at once: beyond those, and beyond so many references in a row, nothing more is known
 * of it.
 */
const SCHEMAS_MAX = 64;

/** Two keys of one map that come to the same property, as a program writes them. */
export interface SameProperty {
  readonly property: string;
  readonly keys: readonly [string, string];
}

export type NamedArguments =
  | { readonly ok: true; readonly input: JsonObject }
  | ({ readonly ok: false } & SameProperty);

/**
 * The arguments with the keys under which they go out (runtime.md §5). A text is its own name, at any depth. A keyword
 * is the property of its name in the schema, else the one with `_` for `-`, else the one in camelCase; where the schema
 * says nothing, `-` becomes `_`.
 * `schema` is null for a route, which has none. A unit of the work is an item or a member.
 */
export function slicedNames(input: JsonObject, schema: JsonValue | null): Sliced<NamedArguments> {
  const root = new Map<string, JsonValue>();
  const levels: Level[] = [
    memberLevel(input, root, { root: schema, schemas: schema === null ? [] : reached(schema, [schema]) }),
  ];
  return {
    advance: (units) => {
      let left = units;
      for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
        if (left <= 0) return null;
        left -= 1;
        const met = level.kind === 'items' ? nameItem(level, levels) : nameMember(level, levels);
        if (met !== null) return { result: { ok: false, ...met } };
      }
      return { result: { ok: true, input: root } };
    },
  };
}

/** A list whose items are being named: each whole, before the next. */
interface ItemLevel {
  readonly kind: 'items';
  readonly input: JsonArray;
  readonly items: JsonValue[];
  readonly known: Known;
}

/** An object whose members are. */
interface MemberLevel {
  readonly kind: 'members';
  readonly input: Iterator<readonly [string, JsonValue]>;
  readonly members: Map<string, JsonValue>;
  readonly known: Known;
  readonly declared: ReadonlySet<string>;
  readonly origins: Map<string, ArgumentKey>;
}

type Level = ItemLevel | MemberLevel;

function memberLevel(input: JsonObject, members: Map<string, JsonValue>, known: Known): MemberLevel {
  const declared = new Set(known.schemas.flatMap((schema) => [...membersOf(schema.get('properties')).keys()]));
  return { kind: 'members', input: input.entries(), members, known, declared, origins: new Map() };
}

/** What is known of a value. */
interface Known {
  readonly root: JsonValue | null;
  readonly schemas: readonly JsonObject[];
}

/** The value itself, or an empty container that the next level fills. */
function beginNaming(value: JsonValue, known: () => Known, levels: Level[]): JsonValue {
  if (isJsonObject(value)) {
    const members = new Map<string, JsonValue>();
    levels.push(memberLevel(value, members, known()));
    return members;
  }
  if (!isJsonArray(value)) return value;
  const items: JsonValue[] = [];
  levels.push({ kind: 'items', input: value, items, known: known() });
  return items;
}

function nameItem({ input, items, known }: ItemLevel, levels: Level[]): null {
  const index = items.length;
  const item = input[index];
  if (item === undefined) levels.pop();
  else items.push(beginNaming(item, () => ({ ...known, schemas: itemSchemas(known, index) }), levels));
  return null;
}

/** Two keys that come to one property; null where there are none. */
function nameMember({ input, members, known, declared, origins }: MemberLevel, levels: Level[]): SameProperty | null {
  const next = input.next();
  if (next.done === true) {
    levels.pop();
    return null;
  }
  const [key, member] = next.value;
  const origin = argumentKey(key);
  const name = origin.isKeyword ? propertyOf(origin.text, declared) : origin.text;
  const before = origins.get(name);
  if (before !== undefined) return { property: name, keys: [written(before), written(origin)] };
  origins.set(name, origin);
  members.set(
    name,
    beginNaming(member, () => ({ ...known, schemas: memberSchemas(known, name) }), levels),
  );
  return null;
}

function propertyOf(keyword: string, declared: ReadonlySet<string>): string {
  const underscored = keyword.replaceAll('-', '_');
  const spellings = [
    keyword,
    underscored,
    keyword.replaceAll(/(?<!-)-+([^-])/g, (_, letter: string) => letter.toUpperCase()),
  ];
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
  return reached(
    root,
    schemas.flatMap(
      (schema) => membersOf(schema.get('properties')).get(name) ?? schema.get('additionalProperties') ?? [],
    ),
  );
}

function itemSchemas({ root, schemas }: Known, index: number): readonly JsonObject[] {
  if (root === null || schemas.length === 0) return [];
  return reached(
    root,
    schemas.flatMap((schema) => {
      const prefix = schema.get('prefixItems');
      return (isJsonArray(prefix) ? prefix[index] : undefined) ?? schema.get('items') ?? [];
    }),
  );
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
    const inside: JsonValue | undefined = isJsonObject(at)
      ? at.get(name)
      : isJsonArray(at)
        ? at[Number(name)]
        : undefined;
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
