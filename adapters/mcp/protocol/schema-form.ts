import {
  isJsonArray,
  isJsonInteger,
  isJsonFloat,
  isJsonObject,
  integerOf,
  type JsonValue,
} from '../../../contract/json/value.ts';

/** Levels of a schema within the message that brought it; more than any tool needs. */
const SCHEMA_DEPTH = 45;

const TYPES: ReadonlySet<JsonValue> = new Set(['null', 'boolean', 'object', 'array', 'number', 'integer', 'string']);

const isSize = (value: JsonValue): boolean => Number(integerOf(value) ?? -1) >= 0;
const isNumber = (value: JsonValue): boolean => isJsonInteger(value) || isJsonFloat(value);
const isString = (value: JsonValue): boolean => typeof value === 'string';
const isBoolean = (value: JsonValue): boolean => typeof value === 'boolean';
const isType = (value: JsonValue): boolean =>
  TYPES.has(value) || (isJsonArray(value) && value.length > 0 && value.every((type) => TYPES.has(type)));

/** Keywords and what each of them may be; a keyword that is not here says nothing (providers.md §7.3). */
const VALUES: ReadonlyMap<string, (value: JsonValue) => boolean> = new Map([
  ['type', isType],
  ['title', isString],
  ['description', isString],
  ['format', isString],
  ['pattern', isString],
  ['enum', (value) => isJsonArray(value) && value.length > 0],
  ['required', (value) => isJsonArray(value) && value.every(isString)],
  ['uniqueItems', isBoolean],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map(
    (name) => [name, isSize] as const,
  ),
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'].map(
    (name) => [name, isNumber] as const,
  ),
]);
/** Keywords that hold one schema, a list of them, or several by name. */
const ONE: ReadonlySet<string> = new Set([
  'additionalProperties',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'propertyNames',
]);
const LIST: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const NAMED: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);

/** Whether a value has the form of a JSON Schema, as far as its keywords are known. */
export function isSchema(value: JsonValue | undefined, depth = 1): boolean {
  if (typeof value === 'boolean') return true;
  if (!isJsonObject(value) || depth > SCHEMA_DEPTH) return false;
  return [...value].every(([keyword, member]) => {
    const inner = (schema: JsonValue): boolean => isSchema(schema, depth + 1);
    if (ONE.has(keyword)) return inner(member);
    // Of earlier dialects, a list.
    if (keyword === 'items') return isJsonArray(member) ? member.every(inner) : inner(member);
    if (LIST.has(keyword)) return isJsonArray(member) && member.length > 0 && member.every(inner);
    if (NAMED.has(keyword)) return isJsonObject(member) && [...member.values()].every(inner);
    return VALUES.get(keyword)?.(member) ?? true;
  });
}
