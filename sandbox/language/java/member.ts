import { LispError } from '../../runtime/errors.ts';
import { typeName } from '../../runtime/classes.ts';
import { displayString } from '../../runtime/print.ts';
import { double, isInteger, isNumber, toFloat, type LispNumber } from '../../runtime/values/double.ts';
import { Char } from '../../runtime/values/char.ts';

/** A static member, constructor or method; methods get their receiver first. */
export interface Member {
  readonly counts: readonly number[];
  readonly call: (args: readonly unknown[]) => unknown;
}

export interface Method extends Member {
  /** Whether values like this receiver have the method. */
  readonly takes: (receiver: unknown) => boolean;
}

const ILLEGAL_ARGUMENT = 'java.lang.IllegalArgumentException';
export const NULL_POINTER = 'java.lang.NullPointerException';

export function member(counts: readonly number[], call: (args: readonly unknown[]) => unknown): Member {
  return { counts, call };
}

/** java_type_error: no overload takes a value of this type. */
export function typeFault(what: string, expected: string, input: unknown, className = ILLEGAL_ARGUMENT): LispError {
  const type = typeName(input);
  return new LispError('java_type_error', className, `${what} takes ${expected}, not ${type}`, null, null, {
    operation: what,
    expected,
    given: type,
  });
}

/** java_type_error of the argument of a member without overloads, which Clojure casts (functions.md §18). */
export function castFault(what: string, expected: string, input: unknown): LispError {
  return typeFault(what, expected, input, input === null ? NULL_POINTER : 'java.lang.ClassCastException');
}

export function domainFault(className: string, message: string): LispError {
  return new LispError('java_domain_error', className, message);
}

export function numberOf(what: string, value: unknown): LispNumber {
  if (isNumber(value)) return value;
  throw castFault(what, 'a number', value);
}

export function floatOf(what: string, value: unknown): number {
  return toFloat(numberOf(what, value));
}

/** An argument of a member with overloads for several kinds of numbers: nothing else matches one. */
export function overloadedNumber(what: string, value: unknown): LispNumber {
  if (isNumber(value)) return value;
  throw typeFault(what, 'a number', value);
}

/** A long argument: an integer of 64 bits, or a double truncated to one; NaN is 0. */
export function integerOf(what: string, value: unknown): bigint {
  const float = isInteger(value) ? 0 : Math.trunc(floatOf(what, value));
  const whole = isInteger(value) ? BigInt(value) : Number.isFinite(float) ? BigInt(float) : 0n;
  if (BigInt.asIntN(64, whole) !== whole || Math.abs(float) === Infinity) {
    throw domainFault(ILLEGAL_ARGUMENT, `Value out of range for long: ${displayString(value)}`);
  }
  return whole;
}

/** An int argument: as a long one, of 32 bits. */
export function intOf(what: string, value: unknown): bigint {
  const whole = integerOf(what, value);
  if (BigInt.asIntN(32, whole) !== whole) throw domainFault('java.lang.ArithmeticException', 'integer overflow');
  return whole;
}

/** An int argument as a JavaScript number. */
export function indexOf(what: string, value: unknown): number {
  return Number(intOf(what, value));
}

export function textOf(what: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw castFault(what, 'a string', value);
}

export function charOf(what: string, value: unknown): Char {
  if (value instanceof Char) return value;
  throw castFault(what, 'a char', value);
}

/** A function of doubles. */
export function ofDoubles(what: string, count: number, f: (...numbers: readonly number[]) => number): Member {
  return member([count], (args) => double(f(...args.map((arg) => floatOf(what, arg)))));
}
