import type { ContractRule } from '../messages/documents.ts';

/** Contracts in the words of people (documents.md §4): terminal, pipe and documentation take them from here. */

/** A broken rule in words for people, and what to do about it; neither quotes the document. */
export interface RuleText {
  readonly problem: string;
  readonly remedy: string;
}

/** Contracts that are no schema of the profile (documents.md §4). */
export const CONTRACT_RULE_TEXTS: Readonly<Record<ContractRule, RuleText>> = {
  not_a_schema_object: {
    problem: 'a schema is an object',
    remedy: 'write an object with a type, such as {"type": "string"}',
  },
  unsupported_keyword: {
    problem: 'the keyword is not supported',
    remedy: 'remove it, or write one of the keywords of contracts',
  },
  type_missing: {
    problem: 'the schema has no type',
    remedy: 'add "type": null, boolean, object, array, number, integer or string, also beside enum and const',
  },
  unsupported_type: {
    problem: 'the type is not supported',
    remedy: 'write one of null, boolean, object, array, number, integer, string, or a list of "null" and one other',
  },
  unsupported_format: {
    problem: 'the format is not supported',
    remedy: 'write "sha256", the only format, or remove it',
  },
  keyword_not_applicable: {
    problem: 'the keyword belongs to another type',
    remedy: 'remove it, or write the type that it belongs to',
  },
  invalid_keyword_value: {
    problem: 'the keyword does not take this value',
    remedy: 'write the kind of value that the keyword takes',
  },
  bounds_inverted: { problem: 'a lower bound is above its upper bound', remedy: 'swap the two bounds' },
  required_property_undeclared: {
    problem: 'a required name is not declared in properties',
    remedy: 'add it to properties, or take it from required',
  },
  root_not_object: {
    problem: 'the root does not describe an object',
    remedy: 'write "type": "object" at the root, or a oneOf of objects',
  },
  unsupported_dialect: {
    problem: 'the dialect is not supported',
    remedy:
      'write "https://json-schema.org/draft/2020-12/schema" or "http://json-schema.org/draft-07/schema#", or remove $schema',
  },
  depth_exceeded: { problem: 'the schema is nested too deeply', remedy: 'nest at most 16 levels of schemas' },
  too_many_properties: { problem: 'the object declares too many properties', remedy: 'declare at most 128 properties' },
  too_many_enum_members: { problem: 'the enum is too long', remedy: 'list at most 256 values' },
  schema_too_large: { problem: 'the schema is too large', remedy: 'keep it below 65536 bytes; shorten descriptions' },
  union_branch_count: { problem: 'the oneOf has too few or too many branches', remedy: 'write 2 to 16 branches' },
  union_branch_not_closed_object: {
    problem: 'a branch of the oneOf is not a closed object',
    remedy: 'write "type": "object" and no "additionalProperties": true in each branch',
  },
  union_discriminator_missing: {
    problem: 'nothing distinguishes the branches of the oneOf',
    remedy: 'give all branches one required property of type string with a const, different in each',
  },
};

/** Keywords of a contract, for people. */
export const CONTRACT_KEYWORDS = [
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
] as const;

const WITHOUT_BRANCHES = 'alternatives are possible only as a oneOf at the root, with a discriminator';
const WITHOUT_REFERENCES = 'write the schema in the place of the reference';
const PLAIN_PROPERTIES = 'declare each member in properties';

/** What to do without a keyword of JSON Schema that contracts do not have; these words alone are ever named. */
export const UNSUPPORTED_KEYWORD_REMEDIES: Readonly<Record<string, string>> = {
  $ref: WITHOUT_REFERENCES,
  $dynamicRef: WITHOUT_REFERENCES,
  $defs: WITHOUT_REFERENCES,
  definitions: WITHOUT_REFERENCES,
  $id: 'remove it: nothing refers to a contract',
  $anchor: 'remove it: nothing refers to a contract',
  $comment: 'write it as description',
  $schema: 'write it at the root alone',
  allOf: 'write the members of all of them in one schema',
  anyOf: WITHOUT_BRANCHES,
  oneOf: WITHOUT_BRANCHES,
  not: 'say what is allowed: with type, enum, const and bounds',
  if: WITHOUT_BRANCHES,
  then: WITHOUT_BRANCHES,
  else: WITHOUT_BRANCHES,
  pattern: 'list the texts in enum, or bound them by minLength and maxLength and check the form in the workflow',
  exclusiveMinimum: 'write minimum',
  exclusiveMaximum: 'write maximum',
  multipleOf: 'check it in the workflow',
  uniqueItems: 'check it in the workflow',
  contains: 'check it in the workflow',
  minContains: 'check it in the workflow',
  maxContains: 'check it in the workflow',
  prefixItems: 'write one schema in items, or an object with a name for each place',
  additionalItems: 'bound the list by maxItems',
  unevaluatedItems: 'bound the list by maxItems',
  minProperties: 'list the members in required',
  maxProperties: PLAIN_PROPERTIES,
  patternProperties: PLAIN_PROPERTIES,
  propertyNames: PLAIN_PROPERTIES,
  unevaluatedProperties: 'write additionalProperties',
  dependentRequired: WITHOUT_BRANCHES,
  dependentSchemas: WITHOUT_BRANCHES,
  dependencies: WITHOUT_BRANCHES,
  min: 'write minimum, minLength or minItems',
  max: 'write maximum, maxLength or maxItems',
  optional: 'leave the name out of required of the object that has the property',
  values: 'write enum',
  nullable: 'write "type": ["null", …] with the other type',
  example: 'write it into description',
  examples: 'write it into description',
  deprecated: 'write it into description',
  readOnly: 'write it into description',
  writeOnly: 'write it into description',
  contentEncoding: 'write it into description',
  contentMediaType: 'write it into description',
};

/** What kind of value a keyword of contracts has, to follow "write". */
export const KEYWORD_VALUES: Readonly<Record<string, string>> = {
  title: 'a text',
  description: 'a text',
  minimum: 'a number',
  maximum: 'a number',
  minLength: 'an integer from 0',
  maxLength: 'an integer from 0',
  minItems: 'an integer from 0',
  maxItems: 'an integer from 0',
  enum: 'a list of 1 to 256 different values',
  required: 'a list of at most 128 different names',
  properties: 'an object with a schema for each name',
  additionalProperties: 'true or false; members that have a schema are declared in properties',
  oneOf: 'a list of 2 to 16 schemas of objects',
};

/** The type that a keyword belongs to, and what else its writer may have meant. */
export const KEYWORD_TYPES: Readonly<Record<string, { readonly type: string; readonly remedy: string }>> = {
  properties: { type: 'object', remedy: 'write "type": "object", or remove properties' },
  required: { type: 'object', remedy: 'list the name in required of the object that has the property' },
  additionalProperties: { type: 'object', remedy: 'write "type": "object", or remove additionalProperties' },
  items: { type: 'array', remedy: 'write "type": "array", or remove items' },
  format: { type: 'string', remedy: 'write "type": "string", or remove format' },
};

/** Types of contracts, for people. */
export const CONTRACT_TYPES = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'] as const;

/** What other languages call the types of contracts. */
export const TYPES_BY_OTHER_NAMES: Readonly<Record<string, (typeof CONTRACT_TYPES)[number]>> = {
  nil: 'null',
  none: 'null',
  bool: 'boolean',
  map: 'object',
  dict: 'object',
  record: 'object',
  list: 'array',
  tuple: 'array',
  vector: 'array',
  float: 'number',
  double: 'number',
  decimal: 'number',
  int: 'integer',
  long: 'integer',
  str: 'string',
  text: 'string',
};
