import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { SchemaViolation } from './violation.ts';

const VIOLATIONS = 3;

/** What of a schema plain data breaks; none when it fits. */
export function findSchemaViolations(validate: ValidateFunction, plain: unknown): readonly SchemaViolation[] {
  return validate(plain) ? [] : (validate.errors ?? []).slice(0, VIOLATIONS).map(violation);
}

function violation({ keyword, schemaPath, params }: ErrorObject): SchemaViolation {
  const { limit, missingProperty }: Readonly<Record<string, unknown>> = params;
  return {
    rule: keyword,
    schema_path: schemaPath.slice(0, 256),
    ...(typeof limit === 'number' ? { limit } : {}),
    ...(typeof missingProperty === 'string' ? { missing: missingProperty } : {}),
  };
}
