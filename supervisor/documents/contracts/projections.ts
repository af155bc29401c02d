import { compareUtf8 } from '../../../contract/json/utf8.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { isIgnored } from './compile-node.ts';

/**
 * `normalised`: what the contract demands, in one form. `annotated`: the same with `x-mcp-header` kept.
 * `behaviour`: the same without title and description.
 */
export type SchemaProjection = 'normalised' | 'annotated' | 'behaviour';

/** Rewrites a schema that compiled; only schema positions are touched, never `enum`, `const` or property names. */
export function projectSchema(schema: JsonObject, projection: SchemaProjection): JsonObject {
  const projected = new Map<string, JsonValue>();
  for (const [keyword, value] of schema) {
    if (!isProjected(keyword, projection)) continue;
    projected.set(keyword, projectKeyword(keyword, value, projection));
  }
  const type = schema.get('type');
  const isObject = type === 'object' || (isJsonArray(type) && type.includes('object'));
  if (isObject && !schema.has('additionalProperties')) projected.set('additionalProperties', false);
  return projected;
}

function isProjected(keyword: string, projection: SchemaProjection): boolean {
  if (keyword === '$schema') return false;
  if (projection === 'behaviour' && (keyword === 'title' || keyword === 'description')) return false;
  return !isIgnored(keyword) || (projection === 'annotated' && keyword === 'x-mcp-header');
}

function projectKeyword(keyword: string, value: JsonValue, projection: SchemaProjection): JsonValue {
  switch (keyword) {
    case 'properties':
      return isJsonObject(value)
        ? new Map([...value].map(([name, child]) => [name, projectChild(child, projection)]))
        : value;
    case 'items':
      return projectChild(value, projection);
    case 'oneOf':
      return isJsonArray(value) ? value.map((branch) => projectChild(branch, projection)) : value;
    case 'required':
    case 'type':
      return isJsonArray(value) ? value.filter((name) => typeof name === 'string').toSorted(compareUtf8) : value;
    default:
      return value;
  }
}

function projectChild(child: JsonValue, projection: SchemaProjection): JsonValue {
  return isJsonObject(child) ? projectSchema(child, projection) : child;
}
