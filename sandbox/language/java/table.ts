import { equals } from '../../runtime/equality.ts';
import { LispError } from '../../runtime/errors.ts';
import { formatText } from '../../runtime/builtins/format.ts';
import { displayString, errorText } from '../../runtime/print.ts';
import { toArray } from '../../runtime/sequence.ts';
import { javaClassName } from '../../runtime/classes.ts';
import { isNumber } from '../../runtime/values/double.ts';
import { Char, char } from '../../runtime/values/char.ts';
import { Keyword } from '../../runtime/values/keyword.ts';
import { LispSymbol } from '../../runtime/values/symbol.ts';
import { ClassValue } from '../../runtime/values/java.ts';
import { Temporal } from '../../runtime/values/temporal.ts';
import { parseUuid } from '../../runtime/values/uuid.ts';
import { Instant } from '../../runtime/values/instant.ts';
import { localDateOfDay } from '../../runtime/values/local-date.ts';
import { JavaDate } from '../../runtime/values/date.ts';
import { parseLegacyDate } from '../../runtime/values/legacy-date.ts';
import { DATE_TIME_FIELDS, DATE_TIME_METHODS, DATE_TIME_STATICS } from '../../runtime/java/date-times.ts';
import { TIME_METHODS, TIME_STATICS } from '../../runtime/java/time.ts';
import { now } from '../../runtime/intrinsics.ts';
import { isJavaWhitespace } from '../reader/characters.ts';
import { COLLECTION_METHODS } from './collections.ts';
import { MATCHER_METHODS } from './matchers.ts';
import { EMPTY_QUEUE } from '../../runtime/values/queue.ts';
import { classOf } from '../../runtime/java/class-values.ts';
import { hashCodeOf } from './hash-code.ts';
import {
  castFault,
  domainFault,
  indexOf,
  integerOf,
  member,
  overloadedNumber,
  textOf,
  type Member,
  type Method,
} from './member.ts';
import { floatingClass, integerClass, MATH, NUMBER_FIELDS } from './numbers.ts';
import { STRING_METHODS, STRING_STATICS } from './strings.ts';

const DAY_MS = 86_400_000;

function instantOfMillis(ms: number): Instant {
  const seconds = Math.floor(ms / 1000);
  return new Instant(seconds, (ms - seconds * 1000) * 1_000_000);
}

type Statics = readonly (readonly [string, Member])[];

function qualified(className: string, statics: Statics): (readonly [string, Member])[] {
  return statics.map(([name, made]) => [`java.lang.${className}/${name}`, made]);
}

/** A char, or the char of a code point below 65,536. */
const LAST_CODE_POINT = 0x10ffff;

function characterOf(what: string, value: unknown): string {
  if (value instanceof Char) return value.text;
  return String.fromCodePoint(Math.min(LAST_CODE_POINT, Math.max(0, indexOf(what, overloadedNumber(what, value)))));
}

function characterTest(name: string, pattern: RegExp): readonly [string, Member] {
  return [name, member([1], ([value]) => pattern.test(characterOf(`Character/${name}`, value)))];
}

/** A mapping of one unit to one unit; what would become several stays as it is. */
function characterMapping(name: string, map: (text: string) => string): readonly [string, Member] {
  return [
    name,
    member([1], ([value]) => {
      const text = characterOf(`Character/${name}`, value);
      const mapped = map(text);
      return char((mapped.length === 1 ? mapped : text).charCodeAt(0));
    }),
  ];
}

function digitOf(text: string, radix: number): number {
  const digit = /^[0-9A-Za-z]$/.test(text) ? Number.parseInt(text, 36) : -1;
  return digit < radix ? digit : -1;
}

const CHARACTER: Statics = [
  characterTest('isDigit', /^\p{Nd}$/u),
  characterTest('isLetter', /^\p{L}$/u),
  characterTest('isLetterOrDigit', /^[\p{L}\p{Nd}]$/u),
  characterTest('isUpperCase', /^\p{Uppercase}$/u),
  characterTest('isLowerCase', /^\p{Lowercase}$/u),
  characterTest('isAlphabetic', /^\p{Alphabetic}$/u),
  [
    'isWhitespace',
    member([1], ([value]) => isJavaWhitespace(characterOf('Character/isWhitespace', value).charCodeAt(0))),
  ],
  characterMapping('toUpperCase', (text) => text.toUpperCase()),
  characterMapping('toLowerCase', (text) => text.toLowerCase()),
  ['getNumericValue', member([1], ([value]) => digitOf(characterOf('Character/getNumericValue', value), 36))],
  [
    'digit',
    member([2], ([value, radix]) => digitOf(characterOf('Character/digit', value), indexOf('Character/digit', radix))),
  ],
  [
    'toString',
    member([1], ([value]) => {
      const code = isNumber(value) ? indexOf('Character/toString', value) : 0;
      if (code >= 0 && code <= LAST_CODE_POINT) return characterOf('Character/toString', value);
      const shown = BigInt.asUintN(32, BigInt(code)).toString(16).toUpperCase();
      throw domainFault('java.lang.IllegalArgumentException', `Not a valid Unicode code point: 0x${shown}`);
    }),
  ],
  ['valueOf', member([1], ([value]) => char(characterOf('Character/valueOf', value).charCodeAt(0)))],
];

const BOOLEAN: Statics = [
  ['parseBoolean', member([1], ([text]) => typeof text === 'string' && text.toLowerCase() === 'true')],
  [
    'valueOf',
    member([1], ([value]) => value === true || (typeof value === 'string' && value.toLowerCase() === 'true')),
  ],
  ['toString', member([1], ([value]) => displayString(value))],
];

const MANY = Array.from({ length: 64 }, (_, index) => index + 1);

const FORMATTING: Statics = [
  ['format', member(MANY, ([template, ...args]) => formatText(textOf('String/format', template), args))],
  [
    'join',
    member([2], ([separator, parts]) =>
      toArray(parts)
        .map((part) => textOf('String/join', part))
        .join(textOf('String/join', separator)),
    ),
  ],
];

/** Static members by `class/member`. */
export const STATICS: ReadonlyMap<string, Member> = new Map([
  ...qualified('Math', MATH),
  ...qualified('Integer', integerClass('Integer')),
  ...qualified('Long', integerClass('Long')),
  ...qualified('Double', floatingClass('Double')),
  ...qualified('Float', floatingClass('Float')),
  ...qualified('Character', CHARACTER),
  ...qualified('Boolean', BOOLEAN),
  ...qualified('String', [...STRING_STATICS, ...FORMATTING]),
  ...TIME_STATICS,
  ...DATE_TIME_STATICS,
  // Workflows and missions are granted the wall clock (runtime.md §4).
  ['java.lang.System/currentTimeMillis', member([0], () => now())],
  ['java.time.Instant/now', member([0], () => instantOfMillis(now()))],
  ['java.time.LocalDate/now', member([0], () => localDateOfDay(Math.floor(now() / DAY_MS)))],
  [
    'java.util.UUID/fromString',
    member([1], ([text]) => {
      const uuid = parseUuid(textOf('UUID/fromString', text));
      if (uuid === null) throw domainFault('java.lang.IllegalArgumentException', 'Invalid UUID string');
      return uuid;
    }),
  ],
]);

/** Static fields by `class/FIELD`. */
export const FIELDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ...NUMBER_FIELDS,
  ...DATE_TIME_FIELDS,
  ['clojure.lang.PersistentQueue/EMPTY', EMPTY_QUEUE],
  ['java.lang.Boolean/TRUE', true],
  ['java.lang.Boolean/FALSE', false],
]);

/** `(Date. ms)` or `(Date. text)` with legacy text (functions.md §19). */
function dateOf(value: unknown): JavaDate {
  if (typeof value !== 'string') return new JavaDate(Number(integerOf('new Date', value)));
  const ms = parseLegacyDate(value);
  if (ms !== null) return new JavaDate(ms);
  const pointer = /^\d{4}-\d\d/.test(value) ? '; ISO text is read by Instant/parse or LocalDate/parse' : '';
  throw domainFault('java.lang.IllegalArgumentException', `Not a date: ${value.slice(0, 64)}${pointer}`);
}

/** Constructors of the classes that are no exceptions. */
export const CONSTRUCTORS: ReadonlyMap<string, Member> = new Map([
  ['java.lang.String', member([0, 1], (args) => (args.length === 0 ? '' : textOf('new String', args[0])))],
  ['java.util.Date', member([0, 1], (args) => (args.length === 0 ? new JavaDate(now()) : dateOf(args[0])))],
]);

type Body = (receiver: unknown, args: readonly unknown[]) => unknown;

function method(
  name: string,
  counts: readonly number[],
  takes: (receiver: unknown) => boolean,
  body: Body,
): readonly [string, Method] {
  return [
    name,
    { counts: counts.map((count) => count + 1), takes, call: ([receiver, ...args]) => body(receiver, args) },
  ];
}

const anything = (): boolean => true;
const isError = (value: unknown): value is LispError => value instanceof LispError;
const isNamed = (value: unknown): value is Keyword | LispSymbol =>
  value instanceof Keyword || value instanceof LispSymbol;
const isClass = (value: unknown): value is ClassValue => value instanceof ClassValue;

/** The order of two temporals of one class. */
function compared(receiver: unknown, other: unknown, what: string): number {
  const order = receiver instanceof Temporal ? receiver.compare(other) : null;
  if (order === null) throw castFault(what, `a ${javaClassName(receiver)}`, other);
  return order;
}

function ofError(name: string, body: (error: LispError) => unknown): readonly [string, Method] {
  return method(name, [0], isError, (receiver) => (isError(receiver) ? body(receiver) : null));
}

const OTHER_METHODS: readonly (readonly [string, Method])[] = [
  ofError('getMessage', (error) => error.message),
  ofError('getLocalizedMessage', (error) => error.message),
  ofError('getCause', (error) => error.cause),
  ofError('getData', (error) => error.data),
  ofError('toString', errorText),
  method('getName', [0], isNamed, (receiver) => (isNamed(receiver) ? receiver.name : null)),
  method('getNamespace', [0], isNamed, (receiver) => (isNamed(receiver) ? receiver.namespace : null)),
  method('getName', [0], isClass, (receiver) => (isClass(receiver) ? receiver.name : null)),
  method('getSimpleName', [0], isClass, (receiver) => (isClass(receiver) ? receiver.simpleName : null)),
  method(
    'compareTo',
    [1],
    (value) => value instanceof Temporal,
    (receiver, [other = null]) => compared(receiver, other, '.compareTo'),
  ),
  method(
    'getTime',
    [0],
    (value) => value instanceof JavaDate,
    (receiver) => (receiver instanceof JavaDate ? receiver.ms : null),
  ),
  method(
    'before',
    [1],
    (value) => value instanceof JavaDate,
    (receiver, [other = null]) => compared(receiver, other, '.before') < 0,
  ),
  method(
    'after',
    [1],
    (value) => value instanceof JavaDate,
    (receiver, [other = null]) => compared(receiver, other, '.after') > 0,
  ),
  method('hashCode', [0], anything, hashCodeOf),
  method('toString', [0], anything, (receiver) => displayString(receiver)),
  method('equals', [1], anything, (receiver, [other]) => equals(receiver, other ?? null)),
  method('getClass', [0], anything, (receiver) => classOf(receiver)),
];

function byName(entries: readonly (readonly [string, Method])[]): Map<string, Method[]> {
  const table = new Map<string, Method[]>();
  for (const [name, made] of entries) table.set(name, [...(table.get(name) ?? []), made]);
  return table;
}

/** Methods by name, in the order in which receivers are tried. */
export const METHODS: ReadonlyMap<string, readonly Method[]> = byName([
  ...STRING_METHODS,
  ...COLLECTION_METHODS,
  ...TIME_METHODS,
  ...DATE_TIME_METHODS,
  ...MATCHER_METHODS,
  ...OTHER_METHODS,
]);
