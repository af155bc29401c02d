import { createHash } from 'node:crypto';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { jsonFromPlain, plainFromJson } from '../../../contract/json/plain.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { utf8Length } from '../../../contract/json/utf8.ts';
import { AJV_OPTIONS } from './schema-options.ts';
import { findSchemaViolations } from './violations-of.ts';
import type { SchemaViolation } from './violation.ts';

/** JSON Schema 2020-12, as plain data. */
export type JsonSchema = boolean | Readonly<Record<string, unknown>>;

/** A schema that was found right and bounded. */
export interface BoundedSchema {
  readonly json: JsonValue;
  /** Canonical text, and its key. */
  readonly text: string;
  readonly key: string;
  /** It admits every value. */
  readonly isAnything: boolean;
  /** Checks plain data at once, in the calling thread; null for a schema whose work no size of a value bounds. */
  readonly check: ((plain: unknown) => readonly SchemaViolation[]) | null;
}

/** As contracts (documents.md §4): what is compiled and shown to models stays small. */
const SCHEMA_BYTES = 65_536;
const SCHEMA_DEPTH = 32;
const PATTERN_LENGTH = 1024;

/** Keywords that look elsewhere or demand what no closed schema holds. */
const FOREIGN = new Set(['$dynamicRef', '$dynamicAnchor', '$recursiveRef', '$vocabulary']);

/** Checks one schema of an embedding program; throws TypeError with the rule it breaks. `role` is for the message. */
export function boundedSchema(input: unknown, role: string): BoundedSchema {
  const json = jsonFromPlain(input);
  if (json === undefined || !(typeof json === 'boolean' || isJsonObject(json)))
    throw new TypeError(`${role} is a JSON Schema: a boolean or an object of plain data`);
  const text = canonicalJson(json);
  if (utf8Length(text) > SCHEMA_BYTES) throw new TypeError(`${role} is larger than ${SCHEMA_BYTES} bytes`);
  checkBounds(json, role, 1);
  const plain = plainFromJson(json);
  let validate: ValidateFunction;
  try {
    validate = compiled(Object(plain), text);
  } catch (error) {
    throw new TypeError(
      `${role} is no usable JSON Schema: ${error instanceof Error ? error.message : 'it does not compile'}`,
      { cause: error },
    );
  }
  const isAnything = json === true || (isJsonObject(json) && json.size === 0);
  return {
    json,
    text,
    key: createHash('sha256').update(text).digest('hex'),
    isAnything,
    check: isQuick(json, text) ? (value) => findSchemaViolations(validate, value) : null,
  };
}

let shared: Ajv2020 | null = null;

/**
 * A compiler takes long to make, and serves any number of schemas; but what a schema identifies stays in it, so that
 * one which names itself has its own.
 */
function compiled(schema: object, text: string): ValidateFunction {
  if (text.includes('"$id"') || text.includes('"$anchor"')) return new Ajv2020(AJV_OPTIONS).compile(schema);
  shared ??= new Ajv2020(AJV_OPTIONS);
  try {
    return shared.compile(schema);
  } finally {
    shared.removeSchema(schema);
  }
}

/**
 * Patterns can take for ever; a reference can repeat a choice at each level of a value; unique items are compared pair
 * by pair.
 */
const UNBOUNDED = new Set(['pattern', 'patternProperties', '$ref', 'uniqueItems']);
/** Every keyword meets a part of a value at most once, so that the product of both sizes bounds the work. */
const QUICK_SCHEMA_CHARACTERS = 8192;

function isQuick(json: JsonValue, text: string): boolean {
  return text.length <= QUICK_SCHEMA_CHARACTERS && !names(json, UNBOUNDED);
}

/** Whether one of these is a member anywhere, be it as a keyword or as a property's name. */
function names(value: JsonValue, members: ReadonlySet<string>): boolean {
  if (isJsonArray(value)) return value.some((item) => names(item, members));
  return isJsonObject(value) && [...value].some(([key, member]) => members.has(key) || names(member, members));
}

function checkBounds(value: JsonValue, role: string, depth: number): void {
  if (depth > SCHEMA_DEPTH) throw new TypeError(`${role} is nested deeper than ${SCHEMA_DEPTH} levels`);
  if (isJsonArray(value)) {
    for (const item of value) checkBounds(item, role, depth + 1);
  } else if (isJsonObject(value)) {
    for (const [key, member] of value) {
      if (FOREIGN.has(key)) throw new TypeError(`${role} uses ${key}, which is not supported`);
      if (key === '$ref' && typeof member === 'string' && !member.startsWith('#'))
        throw new TypeError(`${role} refers to another document`);
      if (key === 'pattern' && typeof member === 'string' && member.length > PATTERN_LENGTH)
        throw new TypeError(`${role} has a pattern longer than ${PATTERN_LENGTH} characters`);
      checkBounds(member, role, depth + 1);
    }
  }
}
