import { compareUtf8 } from '../../../contract/json/utf8.ts';
import { integerOf, isJsonArray, isJsonObject } from '../../../contract/json/value.ts';
import type { JsonObject, JsonValue } from '../../../contract/json/value.ts';
import { ContractRefusal } from './contract-rule.ts';
import { equalValues, numberOf } from './equality.ts';
import type { ContractNode, ContractType } from './schema.ts';

/** Nesting of schemas; the root is 1 (documents.md §4). */
const MAX_DEPTH = 16;
const MAX_PROPERTIES = 128;
const MAX_REQUIRED = 128;
const MAX_MEMBERS = 256;

const KEYWORDS = new Set([
  'type',
  'title',
  'description',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'const',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'format',
]);

const TYPES: ReadonlyMap<JsonValue, ContractType> = new Map<JsonValue, ContractType>(
  (['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'] as const).map((name) => [name, name]),
);

/** Whether a keyword is dropped without a look at its value: `default` and `x-…` anywhere. */
export function isIgnored(keyword: string): boolean {
  return keyword === 'default' || keyword.startsWith('x-');
}

/** A schema node of the profile, checked keyword by keyword in the order of documents.md §4. */
export function compileNode(value: JsonValue, path: readonly string[], depth: number): ContractNode {
  if (!isJsonObject(value)) throw new ContractRefusal('not_a_schema_object', path);
  if (depth > MAX_DEPTH) throw new ContractRefusal('depth_exceeded', path);
  for (const keyword of value.keys()) {
    const dialect = keyword === '$schema' && path.length === 0;
    if (!KEYWORDS.has(keyword) && !isIgnored(keyword) && !dialect) throw new ContractRefusal('unsupported_keyword', path);
  }
  const types = typesOf(value, path);
  checkText(value, 'title', path);
  checkText(value, 'description', path);
  const minimum = numberKeyword(value, 'minimum', path);
  const maximum = numberKeyword(value, 'maximum', path);
  checkOrder(minimum, maximum, path);
  const [minLength, maxLength] = sizes(value, 'minLength', 'maxLength', path);
  const [minItems, maxItems] = sizes(value, 'minItems', 'maxItems', path);
  const digest = formatOf(value, types, path);
  const constant = value.get('const');
  const members = membersOf(value, path);
  const properties = propertiesOf(value, types, path, depth);
  const items = itemsOf(value, types, path, depth);
  const required = requiredOf(value, types, properties, path);
  const open = opennessOf(value, types, path);
  return {
    types,
    minimum,
    maximum,
    minLength,
    maxLength,
    minItems,
    maxItems,
    digest,
    constant: constant === undefined ? null : { value: constant },
    members,
    properties,
    required,
    open,
    items,
  };
}

function typesOf(value: JsonObject, path: readonly string[]): readonly ContractType[] {
  const type = value.get('type');
  if (type === undefined) throw new ContractRefusal('type_missing', path);
  const listed = isJsonArray(type) ? type : [type];
  const types = listed.flatMap((name) => TYPES.get(name) ?? []);
  const known = types.length === listed.length;
  const nullable = types.length === 2 && types.filter((name) => name === 'null').length === 1;
  if (!known || !(isJsonArray(type) ? nullable : true)) throw new ContractRefusal('unsupported_type', [...path, 'type']);
  return types;
}

function checkText(value: JsonObject, keyword: string, path: readonly string[]): void {
  const text = value.get(keyword);
  if (text !== undefined && typeof text !== 'string') throw new ContractRefusal('invalid_keyword_value', [...path, keyword]);
}

function numberKeyword(value: JsonObject, keyword: string, path: readonly string[]): number | bigint | null {
  const given = value.get(keyword);
  if (given === undefined) return null;
  const number = numberOf(given);
  if (number === null) throw new ContractRefusal('invalid_keyword_value', [...path, keyword]);
  return number;
}

function checkOrder(least: number | bigint | null, most: number | bigint | null, path: readonly string[]): void {
  if (least !== null && most !== null && least > most) throw new ContractRefusal('bounds_inverted', path);
}

function sizes(value: JsonObject, least: string, most: string, path: readonly string[]): readonly [number | null, number | null] {
  const [minimum, maximum] = [least, most].map((keyword) => {
    const given = value.get(keyword);
    if (given === undefined) return null;
    const size = integerOf(given);
    if (size === undefined || size < 0) throw new ContractRefusal('invalid_keyword_value', [...path, keyword]);
    // Beyond 2^53 a size is as good as infinite: no value has as many parts.
    return Number(size);
  });
  checkOrder(minimum ?? null, maximum ?? null, path);
  return [minimum ?? null, maximum ?? null];
}

function formatOf(value: JsonObject, types: readonly ContractType[], path: readonly string[]): boolean {
  const format = value.get('format');
  if (format === undefined) return false;
  if (!types.includes('string')) throw new ContractRefusal('keyword_not_applicable', [...path, 'format']);
  if (format !== 'sha256') throw new ContractRefusal('unsupported_format', [...path, 'format']);
  return true;
}

function membersOf(value: JsonObject, path: readonly string[]): readonly JsonValue[] | null {
  const members = value.get('enum');
  if (members === undefined) return null;
  if (!isJsonArray(members) || members.length === 0) throw new ContractRefusal('invalid_keyword_value', [...path, 'enum']);
  if (members.length > MAX_MEMBERS) throw new ContractRefusal('too_many_enum_members', [...path, 'enum']);
  const repeated = members.some((member, index) => members.slice(0, index).some((earlier) => equalValues(earlier, member)));
  if (repeated) throw new ContractRefusal('invalid_keyword_value', [...path, 'enum']);
  return members;
}

function propertiesOf(
  value: JsonObject,
  types: readonly ContractType[],
  path: readonly string[],
  depth: number,
): ReadonlyMap<string, ContractNode> {
  const declared = value.get('properties');
  const properties = new Map<string, ContractNode>();
  if (declared === undefined) return properties;
  const here = [...path, 'properties'];
  if (!types.includes('object')) throw new ContractRefusal('keyword_not_applicable', here);
  if (!isJsonObject(declared)) throw new ContractRefusal('invalid_keyword_value', here);
  if (declared.size > MAX_PROPERTIES) throw new ContractRefusal('too_many_properties', here);
  for (const [name, schema] of [...declared].toSorted(([left], [right]) => compareUtf8(left, right))) {
    properties.set(name, compileNode(schema, [...here, name], depth + 1));
  }
  return properties;
}

function itemsOf(value: JsonObject, types: readonly ContractType[], path: readonly string[], depth: number): ContractNode | null {
  const items = value.get('items');
  if (items === undefined) return null;
  if (!types.includes('array')) throw new ContractRefusal('keyword_not_applicable', [...path, 'items']);
  return compileNode(items, [...path, 'items'], depth + 1);
}

function requiredOf(
  value: JsonObject,
  types: readonly ContractType[],
  properties: ReadonlyMap<string, ContractNode>,
  path: readonly string[],
): readonly string[] {
  const required = value.get('required');
  if (required === undefined) return [];
  const here = [...path, 'required'];
  if (!types.includes('object')) throw new ContractRefusal('keyword_not_applicable', here);
  const names = isJsonArray(required) ? required.filter((name) => typeof name === 'string') : [];
  const wellFormed = isJsonArray(required) && names.length === required.length && new Set(names).size === names.length;
  if (!wellFormed || names.length > MAX_REQUIRED) throw new ContractRefusal('invalid_keyword_value', here);
  if (!names.every((name) => properties.has(name))) throw new ContractRefusal('required_property_undeclared', here);
  return names.toSorted(compareUtf8);
}

function opennessOf(value: JsonObject, types: readonly ContractType[], path: readonly string[]): boolean {
  const additional = value.get('additionalProperties');
  if (additional === undefined) return false;
  const here = [...path, 'additionalProperties'];
  if (!types.includes('object')) throw new ContractRefusal('keyword_not_applicable', here);
  if (typeof additional !== 'boolean') throw new ContractRefusal('invalid_keyword_value', here);
  return additional;
}
