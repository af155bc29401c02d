import { isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { valuesOf, type RawHeaders } from '../http/raw-headers.ts';
import { decodedHeader } from './header-values.ts';

/** A property of the arguments that also travels as a header, by its path from the root. */
export interface ParameterHeader {
  readonly path: readonly string[];
  /** `mcp-param-NAME`, lower case. */
  readonly header: string;
}

const ANNOTATION = 'x-mcp-header';
const PREFIX = 'mcp-param-';
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/;
const TYPES: ReadonlySet<JsonValue | undefined> = new Set(['string', 'integer', 'boolean']);
const [MOST, TOTAL_BYTES] = [24, 16_384];
const INTEGER = /^-?\d{1,16}(?:\.0+)?$/;

/** The annotated properties of an input schema; null where an annotation breaks its rule (gateway.md §4). */
export function parameterHeaders(schema: JsonObject): readonly ParameterHeader[] | null {
  const reached = new Map(annotations(schema, []).map(({ schema: annotated, path }) => [annotated, path]));
  if (countOf(schema) !== reached.size || reached.size > MOST) return null;
  const headers = [...reached].map(([annotated, path]) => headerOf(annotated, path));
  const known = headers.filter((header) => header !== null);
  const isUnique = new Set(known.map(({ header }) => header)).size === headers.length;
  return isUnique ? known : null;
}

interface Annotated {
  readonly schema: JsonObject;
  readonly path: readonly string[];
}

/** Reached from the root through `properties` alone. */
function annotations(schema: JsonObject, path: readonly string[]): readonly Annotated[] {
  const properties = schema.get('properties');
  const below = isJsonObject(properties)
    ? [...properties].flatMap(([name, child]) => (isJsonObject(child) ? annotations(child, [...path, name]) : []))
    : [];
  return schema.has(ANNOTATION) ? [{ schema, path }, ...below] : below;
}

/** Annotations anywhere in a schema, where only schemas are looked at. */
function countOf(schema: JsonValue | undefined): number {
  if (!isJsonObject(schema)) return 0;
  const [properties, branches] = [schema.get('properties'), schema.get('oneOf')];
  const children = [
    ...(isJsonObject(properties) ? properties.values() : []),
    ...(Array.isArray(branches) ? branches : []),
    schema.get('items'),
    schema.get('additionalProperties'),
  ];
  return children.reduce<number>((sum, child) => sum + countOf(child), schema.has(ANNOTATION) ? 1 : 0);
}

function headerOf(schema: JsonObject, path: readonly string[]): ParameterHeader | null {
  const name = schema.get(ANNOTATION);
  if (typeof name !== 'string' || !TOKEN.test(name) || !TYPES.has(schema.get('type')) || path.length === 0) return null;
  return { path, header: `${PREFIX}${name.toLowerCase()}` };
}

/**
 * Whether the headers of a call say what its arguments say: one for each annotated value that is there and not null,
 * and no other.
 */
export function parametersAgree(expected: readonly ParameterHeader[], input: JsonObject, headers: RawHeaders): boolean {
  const sent = headers.flatMap((name, at) =>
    at % 2 === 0 && name.toLowerCase().startsWith(PREFIX)
      ? [{ header: name.toLowerCase(), value: headers[at + 1] ?? '' }]
      : [],
  );
  if (sent.reduce((sum, { header, value }) => sum + header.length + value.length, 0) > TOTAL_BYTES) return false;
  const wanted = expected
    .map(({ header, path }) => ({ header, value: valueAt(input, path) }))
    .filter(({ value }) => value !== undefined && value !== null);
  return (
    sent.length === wanted.length &&
    wanted.every(({ header, value }) => {
      const [text, ...more] = valuesOf(headers, header);
      return text !== undefined && more.length === 0 && says(decodedHeader(text), value);
    })
  );
}

function valueAt(value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  return isJsonObject(value) ? valueAt(value.get(name), rest) : undefined;
}

function says(text: string | null, value: JsonValue | undefined): boolean {
  if (text === null) return false;
  if (typeof value === 'string') return text === value;
  if (typeof value === 'boolean') return text === String(value);
  return typeof value === 'number' && INTEGER.test(text) && Number(text) === value;
}
