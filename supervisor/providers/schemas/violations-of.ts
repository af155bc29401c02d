import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { parsePointer } from '../../../contract/json/pointer.ts';
import type { SchemaViolation } from './violation.ts';

const VIOLATIONS = 3;
/** Properties that a violation names at most, and characters of a name. */
const NAMES = 32;
const NAME_LENGTH = 128;
/** Characters of all members of an enum together, as JSON. */
const MEMBERS_LENGTH = 1024;

/** What of a schema plain data breaks; none when it fits. */
export function findSchemaViolations(validate: ValidateFunction, plain: unknown): readonly SchemaViolation[] {
  if (validate(plain)) return [];
  return (validate.errors ?? []).slice(0, VIOLATIONS).map((error) => violation(error, plain, validate.schema));
}

function violation(
  { keyword, schemaPath, instancePath, params }: ErrorObject,
  plain: unknown,
  schema: unknown,
): SchemaViolation {
  const { limit, missingProperty, additionalProperty }: Readonly<Record<string, unknown>> = params;
  return {
    rule: keyword,
    schema_path: schemaPath.slice(0, 256),
    ...(typeof limit === 'number' ? { limit } : {}),
    ...(typeof missingProperty === 'string' ? { missing: missingProperty } : {}),
    ...(keyword === 'type'
      ? { expected: [params['type']].flat().join(' or '), given: typeOf(valueAt(plain, parsePointer(instancePath))) }
      : {}),
    ...membersIn(keyword, params),
    ...(typeof additionalProperty === 'string'
      ? { unknown: additionalProperty.slice(0, NAME_LENGTH).toWellFormed(), ...allowedAt(schema, schemaPath) }
      : {}),
  };
}

/** None of an enum that is long, or holds more than plain values. */
function membersIn(keyword: string, params: Readonly<Record<string, unknown>>): Pick<SchemaViolation, 'members'> {
  if (keyword !== 'enum' && keyword !== 'const') return {};
  const input: unknown = keyword === 'enum' ? params['allowedValues'] : [params['allowedValue']];
  const members = Array.isArray(input) ? input.filter(isPlain) : [];
  const isWhole = Array.isArray(input) && members.length === input.length && members.length <= NAMES;
  return isWhole && JSON.stringify(members).length <= MEMBERS_LENGTH ? { members } : {};
}

function isPlain(member: unknown): member is string | number | boolean | null {
  if (typeof member === 'string') return member.isWellFormed();
  return member === null || typeof member === 'number' || typeof member === 'boolean';
}

/** The properties beside the keyword that refused one; none for a schema that is reached by a reference. */
function allowedAt(schema: unknown, schemaPath: string): Pick<SchemaViolation, 'allowed'> {
  const path = parsePointer(decodeURIComponent(schemaPath.replace(/^#/, '')));
  const properties = valueAt(schema, [...(path?.slice(0, -1) ?? []), 'properties']);
  const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  const isShort = names.length <= NAMES && names.every((name) => name.length <= NAME_LENGTH && name.isWellFormed());
  return names.length > 0 && isShort ? { allowed: names.toSorted() } : {};
}

function valueAt(root: unknown, path: readonly string[] | undefined): unknown {
  return path?.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined,
    root,
  );
}

/** In the words of schemas. */
function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}
