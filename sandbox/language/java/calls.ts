import { utf8Length } from '../../../contract/json/utf8.ts';
import { LimitSignal, LispError, nullError } from '../../runtime/errors.ts';
import { describeFunction } from '../../runtime/functions.ts';
import type { LispFunction } from '../../runtime/invoke.ts';
import { typeName } from '../../runtime/classes.ts';
import { isExceptionClass, newException } from './exceptions.ts';
import { methodNamed } from '../../runtime/own-methods.ts';
import { keyword } from '../../runtime/values/keyword.ts';
import { LispRecord } from '../../runtime/values/record.ts';
import { Reified } from '../../runtime/values/reified.ts';
import type { Member } from './member.ts';
import { CONSTRUCTORS, FIELDS, METHODS, STATICS } from './table.ts';

const ILLEGAL_ARGUMENT = 'java.lang.IllegalArgumentException';

function wrongCount(what: string, member: Member, count: number): LispError {
  return new LispError(
    'java_arity_error',
    ILLEGAL_ARGUMENT,
    `${what} does not take ${count} arguments; it takes ${member.counts.join(' or ')}`,
  );
}

/** Bytes a string may have as the receiver or an argument of a Java member (functions.md §18). */
const STRING_BYTES = 256_000;

function refuseLongStrings(what: string, args: readonly unknown[]): void {
  for (const arg of args) {
    if (typeof arg === 'string' && arg.length * 3 > STRING_BYTES && utf8Length(arg) > STRING_BYTES) {
      throw new LimitSignal('invalid_java_string', `${what}: a string exceeds ${STRING_BYTES} bytes`, {
        limit_bytes: STRING_BYTES,
      });
    }
  }
}

function applied(what: string, member: Member, args: readonly unknown[]): unknown {
  refuseLongStrings(what, args);
  if (!member.counts.includes(args.length)) throw wrongCount(what, member, args.length);
  return member.call(args);
}

/** `(Class/member args…)` and `Class/FIELD`. */
export function javaStatic(className: string, name: string, ...args: readonly unknown[]): unknown {
  const key = `${className}/${name}`;
  if (args.length === 0 && FIELDS.has(key)) return FIELDS.get(key);
  const member = STATICS.get(key);
  if (member === undefined)
    throw new LispError('unsupported_java_member', ILLEGAL_ARGUMENT, `Unsupported member: ${key}`);
  return applied(key, member, args);
}

/** `Class/FIELD`, `Class/member` and `Class/.method` as values. */
export function javaMemberValue(className: string, name: string): unknown {
  const key = `${className}/${name}`;
  if (FIELDS.has(key)) return FIELDS.get(key);
  if (name === 'new') return named(key, (...args) => javaNew(className, ...args));
  if (name.startsWith('.'))
    return named(key, (receiver = null, ...args) => javaMethod(name.slice(1), receiver, ...args));
  return named(key, (...args) => javaStatic(className, name, ...args));
}

function named(key: string, f: LispFunction): LispFunction {
  return describeFunction(f, { name: key, unit: `java:${key}`, captures: null, meta: null });
}

/** `Class/FIELD` of a constant of the table; null for any other value. */
export function javaConstantName(value: unknown): string | null {
  for (const [name, unnamed] of FIELDS) if (unnamed === value) return name;
  return null;
}

export function javaNew(className: string, ...args: readonly unknown[]): unknown {
  if (isExceptionClass(className)) return newException(className, args);
  const member = CONSTRUCTORS.get(className);
  if (member === undefined)
    throw new LispError('unsupported_java_member', ILLEGAL_ARGUMENT, `${className} cannot be constructed`);
  return applied(`new ${className}`, member, args);
}

/** `(.method receiver args…)`: what an admitted class of the receiver has. */
export function javaMethod(name: string, receiver: unknown, ...args: readonly unknown[]): unknown {
  if (receiver === null) {
    throw new LispError('java_type_error', nullError('').className, `.${name}: the receiver is nil`, null, null, {
      operation: `.${name}`,
      given: 'nil',
    });
  }
  if (receiver instanceof LispRecord || receiver instanceof Reified) {
    const own = methodNamed(receiver, name);
    if (own !== null) return own(receiver, ...args);
    if (args.length === 0 && receiver instanceof LispRecord && receiver.type.indexOf(keyword(null, name)) >= 0)
      return receiver.lookup(keyword(null, name));
  }
  const candidates = METHODS.get(name) ?? [];
  for (const method of candidates) {
    if (method.takes(receiver)) return applied(`.${name}`, method, [receiver, ...args]);
  }
  throw new LispError(
    'unsupported_java_member',
    ILLEGAL_ARGUMENT,
    `No matching method ${name} found for a value of type ${typeName(receiver)}`,
  );
}

/** `(.-name value)`: a field of a record. */
export function fieldNamed(value: unknown, name: string): unknown {
  if (value instanceof LispRecord && value.type.indexOf(keyword(null, name)) >= 0)
    return value.lookup(keyword(null, name));
  if (value === null) throw nullError(`.-${name}: the receiver is nil`);
  throw new LispError(
    'unsupported_java_member',
    ILLEGAL_ARGUMENT,
    `No matching field found: ${name} for a value of type ${typeName(value)}`,
  );
}
