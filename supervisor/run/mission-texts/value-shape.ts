import { canonicalScalar } from '../../../contract/json/canonical.ts';
import {
  isJsonArray,
  isJsonFloat,
  isJsonInteger,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../../../contract/json/value.ts';

/** What a prompt says of a value (world.md §3.7). */
export interface ValueShape {
  /** In the words of signatures; what is not alike is `:any`. */
  readonly type: string;
  /** `12 items`, `3 keys`, `900 characters`; null for a value without parts. */
  readonly count: string | null;
  /** A part of it as a program would write it, on one line; null where there is none. */
  readonly example: string | null;
}

/** Elements that are looked at, keys that are named, and levels. */
const ELEMENTS = 100;
const KEYS = 16;
const DEPTH = 3;
const TYPE_LENGTH = 400;
const EXAMPLE_LENGTH = 200;
const CUT = ' ...';

export function shapeOf(value: JsonValue): ValueShape {
  const element = isJsonArray(value) ? value.find((item) => item !== null) : value;
  return {
    type: boundedType(value),
    count: countOf(value),
    example: element === undefined || element === null ? null : exampleOf(element),
  };
}

function countOf(value: JsonValue): string | null {
  if (isJsonArray(value)) return counted(value.length, 'item');
  if (isJsonObject(value)) return counted(value.size, 'key');
  return typeof value === 'string' ? counted(Array.from(value).length, 'character') : null;
}

function counted(count: number, unit: string): string {
  return `${String(count)} ${unit}${count === 1 ? '' : 's'}`;
}

/** The type with as many levels as fit. */
function boundedType(value: JsonValue): string {
  for (let depth = DEPTH; depth > 0; depth -= 1) {
    const text = typeOf([value], depth);
    if (text.length <= TYPE_LENGTH) return text;
  }
  return typeOf([value], 0);
}

/** What values have in common; those that are nil make it nullable. */
function typeOf(values: JsonArray, depth: number): string {
  const present = values.filter((value) => value !== null);
  if (present.length === 0) return values.length === 0 ? ':any' : 'nil';
  const type = presentType(present, depth);
  return present.length === values.length || type === ':any' ? type : `${type}?`;
}

function presentType(values: JsonArray, depth: number): string {
  if (values.every(isJsonArray)) {
    const elements = values.flatMap((value) => value.slice(0, ELEMENTS)).slice(0, ELEMENTS);
    return `[${depth === 0 ? ':any' : typeOf(elements, depth - 1)}]`;
  }
  if (values.every(isJsonObject)) return depth === 0 ? ':map' : fieldsOf(values, depth - 1);
  const [type, ...others] = new Set(values.map(scalarType));
  if (others.length === 0) return type ?? ':any';
  return values.every((value) => isJsonInteger(value) || isJsonFloat(value)) ? ':float' : ':any';
}

function fieldsOf(maps: readonly JsonObject[], depth: number): string {
  const keys = [...new Set(maps.flatMap((map) => [...map.keys()]))];
  if (keys.length === 0) return ':map';
  const fields = keys.slice(0, KEYS).map((key) => {
    const found = maps.filter((map) => map.has(key));
    const name = /^[A-Za-z_][A-Za-z0-9_-]*$/.test(key) ? key : quoted(key);
    return `${name}${found.length === maps.length ? '' : '?'} ${typeOf(
      found.map((map) => map.get(key) ?? null),
      depth,
    )}`;
  });
  const more = keys.length - KEYS;
  return `{${fields.join(', ')}${more > 0 ? `, and ${String(more)} more keys` : ''}}`;
}

function scalarType(value: JsonValue): string {
  if (typeof value === 'boolean') return ':bool';
  if (typeof value === 'string') return ':string';
  if (isJsonInteger(value)) return ':int';
  if (isJsonFloat(value)) return ':float';
  return isJsonArray(value) ? '[:any]' : ':map';
}

function exampleOf(value: JsonValue): string {
  const text = written(value, EXAMPLE_LENGTH);
  if (text.length <= EXAMPLE_LENGTH) return text;
  // Not half of a character that takes two.
  return `${text.slice(0, EXAMPLE_LENGTH - CUT.length).replace(/[\ud800-\udbff]$/, '')}${CUT}`;
}

/** A value in the notation of programs, a little beyond so many characters at most. */
function written(value: JsonValue, most: number): string {
  if (typeof value === 'string') return quoted(value.length > most ? value.slice(0, most + 1) : value);
  if (isJsonArray(value)) return `[${joined(value, (element, room) => written(element, room), ' ', most)}]`;
  if (isJsonObject(value)) {
    return `{${joined([...value], ([key, member], room) => `${quoted(key)} ${written(member, room)}`, ', ', most)}}`;
  }
  if (value === null) return 'nil';
  return isJsonFloat(value) ? canonicalScalar(value) : String(value);
}

function joined<T>(parts: readonly T[], text: (part: T, room: number) => string, between: string, most: number) {
  let all = '';
  for (const part of parts) {
    if (all.length > most) break;
    all += (all === '' ? '' : between) + text(part, most);
  }
  return all;
}

/** On one line, whatever it holds. */
function quoted(text: string): string {
  return JSON.stringify(text.toWellFormed()).replaceAll(
    /[\u007f-\u009f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
