import type { JsonText } from '../../../contract/json/canonical.ts';
import { integerOf, isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { admittedValue } from './admitted-text.ts';

/** An input property that also travels as the header `mcp-param-NAME` (providers.md §7.1). */
export interface ParameterHeader {
  readonly property: string;
  readonly header: string;
}

/** One of them as a call sends it: a text, a whole number in decimal digits, or a truth value. */
export interface ParameterValue {
  readonly header: string;
  readonly value: string;
}

const ANNOTATION = 'x-mcp-header';
const HEADERS_MAX = 24;
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/;
const TYPES: ReadonlySet<JsonValue | undefined> = new Set(['string', 'integer', 'boolean']);

/** Annotated properties of an input schema, in its order; null where an annotation breaks its rule. */
export function parameterHeaders(inputSchema: JsonObject): readonly ParameterHeader[] | null {
  const properties = inputSchema.get('properties');
  const annotated = isJsonObject(properties)
    ? [...properties].flatMap(([property, schema]) =>
        isJsonObject(schema) && schema.has(ANNOTATION) ? [{ property, schema, name: schema.get(ANNOTATION) }] : [],
      )
    : [];
  const headers: ParameterHeader[] = [];
  const usedNames = new Set<string>();
  for (const { property, schema, name } of annotated) {
    if (
      typeof name !== 'string' ||
      !TOKEN.test(name) ||
      !TYPES.has(schema.get('type')) ||
      usedNames.has(name.toLowerCase())
    )
      return null;
    usedNames.add(name.toLowerCase());
    headers.push({ property, header: `mcp-param-${name.toLowerCase()}` });
  }
  return headers.length > HEADERS_MAX ? null : headers;
}

/**
 * What annotated arguments of a call are as headers; one that is missing or null has none. `input` is a canonical JSON
 * object.
 */
export function parameterValues(headers: readonly ParameterHeader[], input: JsonText): readonly ParameterValue[] {
  const root = headers.length === 0 ? null : admittedValue(input);
  if (!isJsonObject(root)) return [];
  return headers.flatMap(({ property, header }) => {
    const value = headerText(root.get(property));
    return value === null ? [] : [{ header, value }];
  });
}

/** Null for what its schema does not admit either. */
function headerText(value: JsonValue | undefined): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  const integer = value === undefined ? undefined : integerOf(value);
  return integer === undefined ? null : String(integer);
}
