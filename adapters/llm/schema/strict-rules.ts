import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';

/**
 * Keywords that OpenAI enforces (Structured Outputs, "Supported schemas", 2026-11); the other vendors that know
 * `strict` took them over. A schema with any other one is sent without `strict`.
 */
const SUPPORTED: ReadonlySet<string> = new Set([
  'type',
  'title',
  'description',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'const',
  'anyOf',
  '$ref',
  '$defs',
  'definitions',
  'pattern',
  'format',
  'multipleOf',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minItems',
  'maxItems',
]);
const FORMATS: ReadonlySet<JsonValue> = new Set([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
]);
const TYPES: ReadonlySet<JsonValue> = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);

/** Properties of all objects together, objects within objects, and values of all enums together. */
const PROPERTIES_MAX = 5000;
const DEPTH_MAX = 10;
const ENUM_VALUES_MAX = 1000;

/** Whether a vendor can enforce a schema as it is (providers.md §5.3): the kernel checks every answer all the same. */
export function keepsStrictRules(schema: JsonObject): boolean {
  if (schema.get('type') !== 'object' || schema.has('anyOf')) return false;
  const counts = { properties: 0, enumValues: 0 };
  return keeps(schema, 1, counts) && counts.properties <= PROPERTIES_MAX && counts.enumValues <= ENUM_VALUES_MAX;
}

function keeps(schema: JsonValue, depth: number, counts: { properties: number; enumValues: number }): boolean {
  if (!isJsonObject(schema) || depth > DEPTH_MAX) return false;
  if ([...schema.keys()].some((keyword) => !SUPPORTED.has(keyword))) return false;
  const format = schema.get('format');
  if (format !== undefined && !FORMATS.has(format)) return false;
  const types = typesOf(schema.get('type'));
  if (types === null || (types.includes('object') && !isClosed(schema))) return false;
  const values = schema.get('enum');
  counts.enumValues += isJsonArray(values) ? values.length : 0;
  const properties = membersOf(schema.get('properties'));
  counts.properties += properties.length;
  const alternatives = schema.get('anyOf');
  const items = schema.get('items');
  return (
    properties.every((one) => keeps(one, depth + 1, counts)) &&
    [...membersOf(schema.get('$defs')), ...membersOf(schema.get('definitions'))].every((one) =>
      keeps(one, depth, counts),
    ) &&
    (alternatives === undefined ||
      (isJsonArray(alternatives) && alternatives.every((one) => keeps(one, depth, counts)))) &&
    (items === undefined || keeps(items, depth + 1, counts))
  );
}

/** None for a schema without a type; null for one that is none. */
function typesOf(type: JsonValue | undefined): readonly JsonValue[] | null {
  const types = type === undefined ? [] : isJsonArray(type) ? type : [type];
  return types.every((one) => TYPES.has(one)) ? types : null;
}

/** An object of which every property has to be there, and no other may. */
function isClosed(schema: JsonObject): boolean {
  const properties = schema.get('properties');
  const required = schema.get('required');
  const names = isJsonObject(properties) ? [...properties.keys()] : [];
  return (
    schema.get('additionalProperties') === false &&
    (names.length === 0 || isJsonArray(required)) &&
    names.every((name) => isJsonArray(required) && required.includes(name))
  );
}

function membersOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isJsonObject(value) ? [...value.values()] : [];
}
