import { isJsonObject } from '../../../contract/json/value.ts';
import type { JsonObject, JsonValue } from '../../../contract/json/value.ts';

/** An input property that also travels as the header `mcp-param-NAME` (providers.md §7.1). */
export interface ParameterHeader {
  readonly property: string;
  readonly header: string;
}

const ANNOTATION = 'x-mcp-header';
const HEADERS_MAX = 24;
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/;
const TYPES: ReadonlySet<JsonValue | undefined> = new Set(['string', 'integer', 'boolean']);

/** Annotated properties of an input schema, in its order; null where an annotation breaks its rule. */
export function parameterHeaders(inputSchema: JsonObject): readonly ParameterHeader[] | null {
  const properties = inputSchema.get('properties');
  const annotated = isJsonObject(properties) ? [...properties].flatMap(([property, schema]) => (isJsonObject(schema) && schema.has(ANNOTATION) ? [{ property, schema, name: schema.get(ANNOTATION) }] : [])) : [];
  const headers: ParameterHeader[] = [];
  const taken = new Set<string>();
  for (const { property, schema, name } of annotated) {
    if (typeof name !== 'string' || !TOKEN.test(name) || !TYPES.has(schema.get('type')) || taken.has(name.toLowerCase())) return null;
    taken.add(name.toLowerCase());
    headers.push({ property, header: `mcp-param-${name.toLowerCase()}` });
  }
  return headers.length > HEADERS_MAX ? null : headers;
}
