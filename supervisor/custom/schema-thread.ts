import { parentPort } from 'node:worker_threads';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import * as Comlink from 'comlink';
import { valueOf } from '../../contract/json/node.ts';
import { parseJsonText } from '../../contract/json/parse.ts';
import { plainFromJson } from '../../contract/json/plain.ts';
import { AJV_OPTIONS } from './schema-options.ts';
import { threadEndpoint } from './thread-endpoint.ts';
import { violationsOf } from './violation.ts';
import type { Violation } from './violation.ts';

/**
 * The thread in which values are checked: a schema's patterns meet texts of hostile programs here, and the thread can be
 * ended in the middle of one (runtime.md §5 step 4).
 */

export interface SchemaThread {
  /** Violations of `valueText`, none when it fits. The key stands for the schema once its text was sent; null without it. */
  check(key: string, schemaText: string | null, valueText: string): readonly Violation[] | null;
}

const UNBOUNDED = { bytes: Number.MAX_SAFE_INTEGER, depth: 512, nodes: Number.MAX_SAFE_INTEGER };

const validators = new Map<string, ValidateFunction>();

function check(key: string, schemaText: string | null, valueText: string): readonly Violation[] | null {
  const validate = validators.get(key) ?? (schemaText === null ? null : compiled(key, schemaText));
  if (validate === null) return null;
  return violationsOf(validate, plainOf(valueText));
}

function compiled(key: string, schemaText: string): ValidateFunction {
  const schema = plainOf(schemaText);
  if (typeof schema !== 'boolean' && (typeof schema !== 'object' || schema === null)) throw new TypeError('a schema is an object or a boolean');
  const validate = new Ajv2020(AJV_OPTIONS).compile(schema);
  validators.set(key, validate);
  return validate;
}

function plainOf(text: string): unknown {
  const parsed = parseJsonText(text, UNBOUNDED);
  if (!parsed.ok) throw new TypeError('what is checked is JSON');
  return plainFromJson(valueOf(parsed.root));
}

if (parentPort !== null) Comlink.expose({ check } satisfies SchemaThread, threadEndpoint(parentPort));
