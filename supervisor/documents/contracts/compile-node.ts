import { compareUtf8 } from '../../../contract/json/utf8.ts';
import { integerOf, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import type { ContractRule } from '../../../contract/diagnostics/messages/documents.ts';
import { CONTRACT_KEYWORDS, CONTRACT_TYPES } from '../../../contract/diagnostics/remedies/contracts.ts';
import type { ContractFault, ContractFaults } from './contract-rule.ts';
import { equalValues, readNumber } from './equality.ts';
import type { ContractNode, ContractType } from './schema.ts';

/** Nesting of schemas; the root is 1 (documents.md §4). */
const MAX_DEPTH = 16;
const MAX_PROPERTIES = 128;
const MAX_REQUIRED = 128;
const MAX_MEMBERS = 256;

const KEYWORDS: ReadonlySet<string> = new Set(CONTRACT_KEYWORDS);

const TYPES: ReadonlyMap<JsonValue, ContractType> = new Map<JsonValue, ContractType>(
  CONTRACT_TYPES.map((name) => [name, name]),
);

/** Whether a keyword is dropped without a look at its value: `default` and `x-…` anywhere. */
export function isIgnored(keyword: string): boolean {
  return keyword === 'default' || keyword.startsWith('x-');
}

/** A node of the schema file on its way through the compiler. */
export interface SchemaPlace {
  readonly faults: ContractFaults;
  readonly path: readonly string[];
  /** The root is 1. */
  readonly depth: number;
}

/** The node inside a keyword of another, one level deeper. */
export function child(place: SchemaPlace, ...tokens: readonly string[]): SchemaPlace {
  return { faults: place.faults, path: [...place.path, ...tokens], depth: place.depth + 1 };
}

/** Notes a fault of the node, or of one of its keywords. */
export function noteFault({ faults, path }: SchemaPlace, rule: ContractRule, keyword?: string): void {
  faults.push({ rule, path: keyword === undefined ? path : [...path, keyword] });
}

/** The same for a fault of the node that is at something in it. */
export function refuseAt(
  { faults, path }: SchemaPlace,
  rule: ContractRule,
  below: readonly string[],
  at: readonly string[],
  more: Pick<ContractFault, 'given' | 'names' | 'besideOneOf'> = {},
): void {
  faults.push({ rule, path: [...path, ...below], at: [...path, ...at], ...more });
}

const NOTHING: ContractNode = {
  types: [],
  minimum: null,
  maximum: null,
  minLength: null,
  maxLength: null,
  minItems: null,
  maxItems: null,
  digest: false,
  constant: null,
  members: null,
  properties: new Map(),
  required: [],
  open: false,
  items: null,
};

/** A schema node of the profile, checked keyword by keyword in the order of documents.md §4. */
export function compileNode(value: JsonValue, place: SchemaPlace): ContractNode {
  if (!isJsonObject(value)) {
    noteFault(place, 'not_a_schema_object');
    return NOTHING;
  }
  if (place.depth > MAX_DEPTH) {
    noteFault(place, 'depth_exceeded');
    return NOTHING;
  }
  refuseUnknown(value, place, (keyword) => isKnown(keyword, place));
  const types = typesOf(value, place);
  checkText(value, 'title', place);
  checkText(value, 'description', place);
  const [minimum, maximum] = [numberKeyword(value, 'minimum', place), numberKeyword(value, 'maximum', place)];
  checkOrder(minimum, maximum, 'minimum', place);
  const [minLength, maxLength] = [sizeKeyword(value, 'minLength', place), sizeKeyword(value, 'maxLength', place)];
  checkOrder(minLength, maxLength, 'minLength', place);
  const [minItems, maxItems] = [sizeKeyword(value, 'minItems', place), sizeKeyword(value, 'maxItems', place)];
  checkOrder(minItems, maxItems, 'minItems', place);
  const digest = isDigest(value, types, place);
  const constant = value.get('const');
  const members = membersOf(value, place);
  const properties = propertiesOf(value, types, place);
  const items = itemsOf(value, types, place);
  const required = requiredOf(value, types, properties, place);
  const open = isOpen(value, types, place);
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

/** Each keyword that is not known, lowest in byte order first. */
export function refuseUnknown(
  value: JsonObject,
  place: SchemaPlace,
  knows: (keyword: string) => boolean,
  more: Pick<ContractFault, 'besideOneOf'> = {},
): void {
  const unknown = [...value.keys()].filter((keyword) => !knows(keyword)).toSorted(compareUtf8);
  for (const keyword of unknown) refuseAt(place, 'unsupported_keyword', [], [keyword], more);
}

function isKnown(keyword: string, { path }: SchemaPlace): boolean {
  return KEYWORDS.has(keyword) || isIgnored(keyword) || (keyword === '$schema' && path.length === 0);
}

function typesOf(value: JsonObject, place: SchemaPlace): readonly ContractType[] {
  const type = value.get('type');
  if (type === undefined) {
    refuseAt(place, 'type_missing', [], ['type']);
    return [];
  }
  const listed = isJsonArray(type) ? type : [type];
  const types = listed.flatMap((name) => TYPES.get(name) ?? []);
  const nullable = types.length === 2 && types.filter((name) => name === 'null').length === 1;
  const wellFormed = types.length === listed.length && (nullable || !isJsonArray(type));
  if (!wellFormed)
    refuseAt(place, 'unsupported_type', ['type'], ['type'], typeof type === 'string' ? { given: type } : {});
  return types;
}

function checkText(value: JsonObject, keyword: string, place: SchemaPlace): void {
  const text = value.get(keyword);
  if (text !== undefined && typeof text !== 'string') noteFault(place, 'invalid_keyword_value', keyword);
}

function numberKeyword(value: JsonObject, keyword: string, place: SchemaPlace): number | bigint | null {
  const input = value.get(keyword);
  if (input === undefined) return null;
  const number = readNumber(input);
  if (number === null) noteFault(place, 'invalid_keyword_value', keyword);
  return number;
}

function sizeKeyword(value: JsonObject, keyword: string, place: SchemaPlace): number | null {
  const input = value.get(keyword);
  if (input === undefined) return null;
  const size = integerOf(input);
  if (size === undefined || size < 0) {
    noteFault(place, 'invalid_keyword_value', keyword);
    return null;
  }
  // Beyond 2^53 a size is as good as infinite: no value has as many parts.
  return Number(size);
}

function checkOrder(
  least: number | bigint | null,
  most: number | bigint | null,
  keyword: string,
  place: SchemaPlace,
): void {
  if (least !== null && most !== null && least > most) refuseAt(place, 'bounds_inverted', [], [keyword]);
}

function isDigest(value: JsonObject, types: readonly ContractType[], place: SchemaPlace): boolean {
  const format = value.get('format');
  if (format === undefined) return false;
  if (!types.includes('string')) noteFault(place, 'keyword_not_applicable', 'format');
  if (format !== 'sha256') noteFault(place, 'unsupported_format', 'format');
  return true;
}

function membersOf(value: JsonObject, place: SchemaPlace): readonly JsonValue[] | null {
  const members = value.get('enum');
  if (members === undefined) return null;
  if (!isJsonArray(members) || members.length === 0) {
    noteFault(place, 'invalid_keyword_value', 'enum');
    return null;
  }
  if (members.length > MAX_MEMBERS) {
    noteFault(place, 'too_many_enum_members', 'enum');
    return null;
  }
  const repeated = members.some((member, index) =>
    members.slice(0, index).some((earlier) => equalValues(earlier, member)),
  );
  if (repeated) noteFault(place, 'invalid_keyword_value', 'enum');
  return members;
}

function propertiesOf(
  value: JsonObject,
  types: readonly ContractType[],
  place: SchemaPlace,
): ReadonlyMap<string, ContractNode> {
  const declared = value.get('properties');
  const properties = new Map<string, ContractNode>();
  if (declared === undefined) return properties;
  if (!types.includes('object')) noteFault(place, 'keyword_not_applicable', 'properties');
  if (!isJsonObject(declared)) {
    noteFault(place, 'invalid_keyword_value', 'properties');
    return properties;
  }
  if (declared.size > MAX_PROPERTIES) noteFault(place, 'too_many_properties', 'properties');
  for (const [name, schema] of [...declared].toSorted(([left], [right]) => compareUtf8(left, right))) {
    properties.set(name, compileNode(schema, child(place, 'properties', name)));
  }
  return properties;
}

function itemsOf(value: JsonObject, types: readonly ContractType[], place: SchemaPlace): ContractNode | null {
  const items = value.get('items');
  if (items === undefined) return null;
  if (!types.includes('array')) noteFault(place, 'keyword_not_applicable', 'items');
  return compileNode(items, child(place, 'items'));
}

function requiredOf(
  value: JsonObject,
  types: readonly ContractType[],
  properties: ReadonlyMap<string, ContractNode>,
  place: SchemaPlace,
): readonly string[] {
  const required = value.get('required');
  if (required === undefined) return [];
  if (!types.includes('object')) noteFault(place, 'keyword_not_applicable', 'required');
  const names = isJsonArray(required) ? required.filter((name) => typeof name === 'string') : [];
  const wellFormed = isJsonArray(required) && names.length === required.length && new Set(names).size === names.length;
  if (!wellFormed || names.length > MAX_REQUIRED) noteFault(place, 'invalid_keyword_value', 'required');
  for (const [index, name] of names.entries()) {
    if (!properties.has(name))
      refuseAt(place, 'required_property_undeclared', ['required'], ['required', String(index)], {
        given: name,
        names: [...properties.keys()],
      });
  }
  return names.toSorted(compareUtf8);
}

function isOpen(value: JsonObject, types: readonly ContractType[], place: SchemaPlace): boolean {
  const additional = value.get('additionalProperties');
  if (additional === undefined) return false;
  if (!types.includes('object')) noteFault(place, 'keyword_not_applicable', 'additionalProperties');
  if (typeof additional !== 'boolean') noteFault(place, 'invalid_keyword_value', 'additionalProperties');
  return additional === true;
}
