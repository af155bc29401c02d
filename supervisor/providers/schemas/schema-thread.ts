import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { valueOf } from '../../../contract/json/node.ts';
import { parseJsonText } from '../../../contract/json/parse.ts';
import { plainFromJson } from '../../../contract/json/plain.ts';
import { AJV_OPTIONS } from './schema-options.ts';
import { findSchemaViolations } from './violations-of.ts';
import type { SchemaViolation } from './violation.ts';

/**
 * What a thread does in which values are checked: a schema's patterns meet texts of hostile programs here, and the
 * thread can be ended in the middle of one (runtime.md §5 step 4).
 */

export interface SchemaQuestion {
  /** JSON text of the schema, and its key. */
  readonly key: string;
  readonly schema: string;
  /** JSON text. */
  readonly value: string;
}

const UNBOUNDED = { bytes: Number.MAX_SAFE_INTEGER, depth: 512, nodes: Number.MAX_SAFE_INTEGER };
/** Schemas that stay compiled. */
const STORED = 64;

const validators = new Map<string, ValidateFunction>();

/** Violations of the value, none when it fits. */
export default function check({ key, schema, value }: SchemaQuestion): readonly SchemaViolation[] {
  const validate = validators.get(key) ?? compiled(schema);
  // To the young end.
  validators.delete(key);
  validators.set(key, validate);
  for (const oldest of validators.keys()) {
    if (validators.size <= STORED) break;
    validators.delete(oldest);
  }
  return findSchemaViolations(validate, plainOf(value));
}

function compiled(text: string): ValidateFunction {
  const schema = plainOf(text);
  if (typeof schema !== 'boolean' && (typeof schema !== 'object' || schema === null))
    throw new TypeError('a schema is an object or a boolean');
  return new Ajv2020(AJV_OPTIONS).compile(schema);
}

function plainOf(text: string): unknown {
  const parsed = parseJsonText(text, UNBOUNDED);
  if (!parsed.ok) throw new TypeError('what is checked is JSON');
  return plainFromJson(valueOf(parsed.root));
}
