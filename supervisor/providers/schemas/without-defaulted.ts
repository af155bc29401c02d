import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';

/** Keywords that hold one schema or a list of them, and those that hold several by name. */
const ACQUIRED: ReadonlySet<string> = new Set([
  'additionalProperties',
  'allOf',
  'anyOf',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'oneOf',
  'prefixItems',
  'propertyNames',
  'then',
]);
const NAMED: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  'dependentSchemas',
  'patternProperties',
  'properties',
]);

/**
 * A schema of arguments in which a property that has a default is not required: many libraries write both, and anyone
 * who receives the arguments fills it in (world.md §2.2).
 */
export function withoutDefaulted(schema: JsonObject): JsonObject {
  const properties = schema.get('properties');
  const isLeftOut = (name: JsonValue): boolean => {
    const property = isJsonObject(properties) && typeof name === 'string' ? properties.get(name) : undefined;
    return isJsonObject(property) && property.has('default');
  };
  return new Map(
    [...schema].map(([keyword, value]): [string, JsonValue] => {
      if (keyword === 'required' && isJsonArray(value)) return [keyword, value.filter((name) => !isLeftOut(name))];
      if (ACQUIRED.has(keyword)) return [keyword, isJsonArray(value) ? value.map(relaxed) : relaxed(value)];
      if (NAMED.has(keyword) && isJsonObject(value))
        return [keyword, new Map([...value].map(([name, present]) => [name, relaxed(present)]))];
      return [keyword, value];
    }),
  );
}

function relaxed(schema: JsonValue): JsonValue {
  return isJsonObject(schema) ? withoutDefaulted(schema) : schema;
}
