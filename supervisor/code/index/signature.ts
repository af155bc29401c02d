import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { canonicalJson } from '../../../contract/json/canonical.ts';

/** Characters of a signature in a hit and in a description; levels of a type. */
export const SEARCH_SIGNATURE = 400;
export const DESCRIBE_SIGNATURE = 2000;
const DEPTH_MAX = 4;
/** Members of a map, values of an enum and alternatives that are written out. */
const SHOWN_MAX = 24;

/** A key that reads as a keyword, and comes to the server as it is written. */
const KEYWORD_KEY = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/**
 * How a program calls a tool, with what it takes and gives (code-mode.md §4):
 * `(tool/github.list-prs {:owner str, :state? "open"|"closed"}) -> [{:number int}]`.
 */
export function toolSignature(
  {
    name,
    inputSchema,
    outputSchema,
  }: { readonly name: string; readonly inputSchema: JsonValue; readonly outputSchema: JsonValue | null },
  characters: number,
): string {
  const inputType = typeText(inputSchema, inputSchema, 0);
  const input = outputSchema === null ? 'any' : typeText(outputSchema, outputSchema, 0);
  const form = inputType === '{}' ? `(tool/${name})` : `(tool/${name} ${inputType})`;
  return cut(`${form} -> ${input}`, characters);
}

/** The type that a schema describes, as the call form writes it. */
export function typeOf(schema: JsonValue | null, characters: number): string {
  return cut(schema === null ? 'any' : typeText(schema, schema, 0), characters);
}

export function cut(text: string, characters: number): string {
  const whole = Array.from(text);
  return whole.length <= characters ? text : `${whole.slice(0, characters - 1).join('')}…`;
}

function typeText(schema: JsonValue, root: JsonValue, depth: number): string {
  if (!isJsonObject(schema)) return 'any';
  const reference = schema.get('$ref');
  if (typeof reference === 'string') {
    const target = referenced(root, reference);
    return depth >= DEPTH_MAX || target === null ? '…' : typeText(target, root, depth + 1);
  }
  const values = schema.get('enum') ?? (schema.has('const') ? [schema.get('const') ?? null] : undefined);
  if (isJsonArray(values)) return alternatives(values.map((value) => canonicalJson(value)));
  const branches = schema.get('anyOf') ?? schema.get('oneOf');
  if (isJsonArray(branches)) return alternatives(branches.map((branch) => typeText(branch, root, depth)));
  const type = schema.get('type');
  if (isJsonArray(type))
    return alternatives(type.map((each) => typeText(new Map([...schema, ['type', each]]), root, depth)));
  switch (type) {
    case 'string':
      return 'str';
    case 'integer':
      return 'int';
    case 'number':
      return 'num';
    case 'boolean':
      return 'bool';
    case 'null':
      return 'nil';
    case 'array': {
      const items = schema.get('items');
      return depth >= DEPTH_MAX ? '[…]' : `[${items === undefined ? 'any' : typeText(items, root, depth + 1)}]`;
    }
    default:
      return schema.has('properties') || type === 'object' ? mapText(schema, root, depth) : 'any';
  }
}

function mapText(schema: JsonObject, root: JsonValue, depth: number): string {
  const properties = schema.get('properties');
  const required = schema.get('required');
  const needed = new Set(isJsonArray(required) ? required : []);
  if (!isJsonObject(properties) || properties.size === 0) {
    const rest = schema.get('additionalProperties');
    return isJsonObject(rest) ? `{str ${typeText(rest, root, depth + 1)}}` : depth === 0 ? '{}' : 'map';
  }
  if (depth >= DEPTH_MAX) return '{…}';
  const members = [...properties].map(([key, member]) => {
    const mark = needed.has(key) ? '' : '?';
    const written = KEYWORD_KEY.test(key) ? `:${key}${mark}` : `${canonicalJson(key)}${mark}`;
    return `${written} ${typeText(member, root, depth + 1)}`;
  });
  const shown = members.slice(0, SHOWN_MAX);
  return `{${[...shown, ...(members.length > shown.length ? ['…'] : [])].join(', ')}}`;
}

function alternatives(texts: readonly string[]): string {
  const distinct = [...new Set(texts)];
  const shown = distinct.slice(0, SHOWN_MAX);
  return [...shown, ...(distinct.length > shown.length ? ['…'] : [])].join('|');
}

/** `#/$defs/name` of the same schema; null for nothing that is there. */
function referenced(root: JsonValue, reference: string): JsonValue | null {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return null;
  let value: JsonValue | undefined = root;
  for (const part of reference.slice(2).split('/')) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    value = isJsonObject(value) ? value.get(key) : undefined;
  }
  return value ?? null;
}
