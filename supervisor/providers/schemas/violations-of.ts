import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { parsePointer } from '../../../contract/json/pointer.ts';
import type { SchemaViolation } from './violation.ts';

const VIOLATIONS = 3;
/** Properties that a violation names at most, and characters of a name. */
const NAMES = 32;
const NAME_LENGTH = 128;

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
    ...(typeof additionalProperty === 'string'
      ? { unknown: additionalProperty.slice(0, NAME_LENGTH).toWellFormed(), ...allowedAt(schema, schemaPath) }
      : {}),
  };
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
