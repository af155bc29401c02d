import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { Violation } from './violation.ts';

const VIOLATIONS = 3;

/** What of a schema plain data breaks; none when it fits. */
export function violationsOf(validate: ValidateFunction, plain: unknown): readonly Violation[] {
  return validate(plain) ? [] : (validate.errors ?? []).slice(0, VIOLATIONS).map(violation);
}

function violation({ keyword, schemaPath, params }: ErrorObject): Violation {
  const { limit, missingProperty }: Readonly<Record<string, unknown>> = params;
  return {
    rule: keyword,
    schema_path: schemaPath.slice(0, 256),
    ...(typeof limit === 'number' ? { limit } : {}),
    ...(typeof missingProperty === 'string' ? { missing: missingProperty } : {}),
  };
}
