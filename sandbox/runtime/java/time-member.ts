import { typeName } from '../classes.ts';
import { LispError } from '../errors.ts';
import { isInteger, isNumber, toFloat } from '../values/double.ts';

/** A static member; methods get their receiver first. */
export interface TimeMember {
  readonly counts: readonly number[];
  readonly call: (args: readonly unknown[]) => unknown;
}

export interface TimeMethod extends TimeMember {
  readonly takes: (receiver: unknown) => boolean;
}

export const DATE_TIME = 'java.time.DateTimeException';
export const PARSE = 'java.time.format.DateTimeParseException';

export function timeTypeFault(
  what: string,
  expected: string,
  input: unknown,
  otherwise = 'java.lang.IllegalArgumentException',
): LispError {
  const type = typeName(input);
  const className = input === null ? 'java.lang.NullPointerException' : otherwise;
  return new LispError('java_type_error', className, `${what} takes ${expected}, not ${type}`, null, null, {
    operation: what,
    expected,
    given: type,
  });
}

export function beyond(what: string): LispError {
  return new LispError('java_domain_error', DATE_TIME, `${what}: beyond the range of dates and times`);
}

/** An int or long argument: an integer, or a double truncated. */
export function wholeNumber(what: string, value: unknown): bigint {
  if (isInteger(value)) return BigInt(value);
  if (isNumber(value) && Number.isFinite(toFloat(value))) return BigInt(Math.trunc(toFloat(value)));
  throw timeTypeFault(what, 'an integer', value);
}

/** What a text reads as. */
export function parsed<T>(what: string, value: unknown, parse: (text: string) => T | null): T {
  if (typeof value !== 'string') throw timeTypeFault(what, 'a string', value, 'java.lang.ClassCastException');
  const made = parse(value);
  if (made !== null) return made;
  throw new LispError('java_domain_error', PARSE, `Text '${value.slice(0, 64)}' could not be parsed`);
}

export function inRange<T>(what: string, value: T | null): T {
  if (value === null) throw beyond(what);
  return value;
}

/** A static member of a class of java.time, `Class/name`. */
export function fixedMember(
  name: string,
  counts: readonly number[],
  call: TimeMember['call'],
): readonly [string, TimeMember] {
  return [`java.time.${name}`, { counts, call }];
}

/** A method of the values that `takes` accepts; `counts` are arguments in addition to the receiver. */
export function method<T>(
  name: string,
  counts: readonly number[],
  receiver: (what: string, value: unknown) => T,
  takes: (value: unknown) => boolean,
  call: (self: T, args: readonly unknown[], what: string) => unknown,
): readonly [string, TimeMethod] {
  const what = `.${name}`;
  return [
    name,
    {
      counts: counts.map((count) => count + 1),
      takes,
      call: ([self, ...args]) => call(receiver(what, self), args, what),
    },
  ];
}
