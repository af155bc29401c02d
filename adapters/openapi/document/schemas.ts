import { cutTo } from './cut-to.ts';
import { isPlain, isTrueIn, listIn, member, objectIn, type Plain } from './plain.ts';
import type { ReadDocument } from './read-document.ts';
import type { References } from './references.ts';
import { RefusedDocument } from './refused-document.ts';

/** Which way a value travels: what only the other way has is not asked for. */
export type Direction = 'request' | 'answer';

/** What makes a schema smaller. */
export interface Thrift {
  /** Without words for people. */
  readonly isBare: boolean;
}

/** More than this of one operation is not shown. */
export class TooLarge extends Error {}

/** Parts of the schemas of one operation. */
const NODES_MAX = 6000;
/**
 * Levels of one schema without what it refers to; what lies deeper may be anything. With two levels of JSON for each it
 * stays within what values are held to.
 */
const DEPTH_MAX = 13;
const DESCRIPTION_BYTES = 1024;
const PATTERN_LENGTH = 1024;

/** Keywords that hold one schema, a list of them, or several by name. */
const ONE: ReadonlySet<string> = new Set([
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
const LIST: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const NAMED: ReadonlySet<string> = new Set(['dependentSchemas', 'patternProperties', 'properties']);
/** Keywords that say something of a value by themselves. */
const PLAIN: ReadonlySet<string> = new Set([
  'const',
  'default',
  'dependentRequired',
  'description',
  'enum',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'format',
  'maxContains',
  'maximum',
  'maxItems',
  'maxLength',
  'maxProperties',
  'minContains',
  'minimum',
  'minItems',
  'minLength',
  'minProperties',
  'multipleOf',
  'pattern',
  'required',
  'title',
  'type',
  'uniqueItems',
]);
const WORDS: ReadonlySet<string> = new Set(['default', 'description', 'title']);

/** Schemas of one operation, in the dialect of JSON Schema 2020-12, with what they refer to beside them. */
export interface SchemaSet {
  /** Throws RefusedDocument or TooLarge. */
  convert(schema: unknown): unknown;
  /** What the converted ones refer to, by name; call it last. Throws RefusedDocument or TooLarge. */
  definitions(): Record<string, unknown>;
}

export function schemaSet(
  references: References,
  version: ReadDocument['version'],
  direction: Direction,
  { isBare }: Thrift,
): SchemaSet {
  const names = new Map<string, string>();
  const used = new Set<string>();
  const pending: string[] = [];
  let nodes = 0;

  function nameOf(reference: string): string {
    const known = names.get(reference);
    if (known !== undefined) return known;
    const last = (reference.split('/').at(-1) ?? '').replace(/[^A-Za-z0-9_.-]/g, '_').slice(0, 64);
    let name = last === '' ? 'schema' : last;
    for (let count = 2; used.has(name); count += 1) name = `${last}_${count}`;
    names.set(reference, name);
    used.add(name);
    pending.push(reference);
    return name;
  }

  function convert(schema: unknown, depth: number): unknown {
    nodes += 1;
    if (nodes > NODES_MAX) throw new TooLarge();
    if (typeof schema === 'boolean') return schema;
    if (!isPlain(schema) || depth > DEPTH_MAX) return {};
    const converted: Record<string, unknown> = {};
    const reference = member(schema, '$ref');
    if (typeof reference === 'string') {
      converted['$ref'] = `#/$defs/${nameOf(reference)}`;
      // Beside a reference 3.0 says nothing.
      if (version === '3.0') return converted;
    }
    for (const [keyword, value] of Object.entries(schema)) {
      const inner = (one: unknown): unknown => convert(one, depth + 1);
      if (ONE.has(keyword)) converted[keyword] = inner(value);
      else if (LIST.has(keyword) && Array.isArray(value) && value.length > 0) converted[keyword] = value.map(inner);
      else if (NAMED.has(keyword) && isPlain(value)) converted[keyword] = named(keyword, value, inner);
      else if (PLAIN.has(keyword) && !(isBare && WORDS.has(keyword))) keep(converted, keyword, value);
    }
    if (version === '3.0') fromOlderDialect(schema, converted);
    omitForeignRequirements(schema, converted);
    return converted;
  }

  function named(keyword: string, value: Plain, inner: (one: unknown) => unknown): Plain {
    const entries = Object.entries(value).filter(([name]) => keyword !== 'patternProperties' || isPattern(name));
    return Object.fromEntries(entries.map(([name, one]) => [name, inner(one)]));
  }

  function keep(converted: Record<string, unknown>, keyword: string, value: unknown): void {
    if (keyword === 'description' && typeof value === 'string')
      converted[keyword] = cutTo(value.toWellFormed(), DESCRIPTION_BYTES);
    else if (keyword !== 'pattern' || (typeof value === 'string' && isPattern(value))) converted[keyword] = value;
    nodes += Array.isArray(value) ? value.length : 1;
  }

  /** What a request need not have because only answers do, and the other way about. */
  function omitForeignRequirements(schema: Plain, converted: Record<string, unknown>): void {
    const required = listIn(schema, 'required');
    const properties = objectIn(schema, 'properties');
    const foreign = direction === 'request' ? 'readOnly' : 'writeOnly';
    if (!Array.isArray(member(schema, 'required'))) return;
    const own = required.filter(
      (name) => typeof name === 'string' && !isTrueIn(definitionOf(member(properties, name)), foreign),
    );
    if (own.length === 0) delete converted['required'];
    else converted['required'] = own;
  }

  function definitionOf(property: unknown): Plain {
    return property === undefined ? {} : references.resolve(property);
  }

  return {
    convert: (schema) => convert(schema, 1),
    definitions: () => {
      const definitions: Record<string, unknown> = {};
      for (let next = pending.shift(); next !== undefined; next = pending.shift())
        definitions[names.get(next) ?? ''] = convert(references.target(next), 1);
      checkEnds(definitions);
      return definitions;
    },
  };
}

/** 3.0 says `nullable`, and of exclusive bounds only that they are. */
function fromOlderDialect(schema: Plain, converted: Record<string, unknown>): void {
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (typeof converted[exclusive] !== 'boolean') continue;
    if (converted[exclusive]) {
      converted[exclusive] = converted[bound];
      delete converted[bound];
    } else delete converted[exclusive];
    if (converted[exclusive] === undefined) delete converted[exclusive];
  }
  if (!isTrueIn(schema, 'nullable')) return;
  const { type, enum: values } = converted;
  if (typeof type === 'string') converted['type'] = [type, 'null'];
  if (Array.isArray(values) && !values.includes(null)) converted['enum'] = [...values, null];
}

/** Whether it is a regular expression, as values are held to it. */
function isPattern(text: string): boolean {
  if (text.length > PATTERN_LENGTH) return false;
  try {
    return new RegExp(text, 'u').source !== '';
  } catch {
    return false;
  }
}

/** A schema that applies itself to the same value again would be looked at for ever. */
function checkEnds(definitions: Readonly<Record<string, unknown>>): void {
  const [open, ended] = [new Set<string>(), new Set<string>()];
  const visit = (name: string): void => {
    if (ended.has(name)) return;
    if (open.has(name)) throw new RefusedDocument(`its schema ${name} refers to itself, with nothing in between`);
    open.add(name);
    for (const next of appliedTo(definitions[name])) visit(next);
    open.delete(name);
    ended.add(name);
  };
  for (const name of Object.keys(definitions)) visit(name);
}

const SAME_VALUE = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas'] as const;

/** Definitions that meet the same value as the schema that names them. */
function appliedTo(schema: unknown): readonly string[] {
  if (!isPlain(schema)) return [];
  const reference = member(schema, '$ref');
  const inner = SAME_VALUE.flatMap((keyword) => {
    const value = member(schema, keyword);
    if (Array.isArray(value)) return value.flatMap(appliedTo);
    if (keyword === 'dependentSchemas') return isPlain(value) ? Object.values(value).flatMap(appliedTo) : [];
    return appliedTo(value);
  });
  return typeof reference === 'string' ? [reference.replace('#/$defs/', ''), ...inner] : inner;
}
