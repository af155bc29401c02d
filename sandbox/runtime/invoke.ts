import { arityError, badValue, LispError, notCallable, outOfBounds } from './errors.ts';
import { get, getOr, lookupFlexible } from './lookup.ts';
import { intValue } from './numbers/index-number.ts';
import { ownInvoke } from './own-methods.ts';
import { Keyword } from './values/keyword.ts';
import { ABSENT, LispMap } from './values/map.ts';
import { MultiMethod } from './values/multimethod.ts';
import { LispSet } from './values/set.ts';
import { LispSymbol } from './values/symbol.ts';
import { Transient } from './values/transient.ts';
import { UNBOUND, Var } from './values/var.ts';
import { LispRecord } from './values/record.ts';
import { Reified } from './values/reified.ts';
import { Vector } from './values/vector.ts';
import { isInteger } from './values/double.ts';

/** A function value of the language: a plain JavaScript function that checks its own argument count. */
export type LispFunction = (...args: readonly unknown[]) => unknown;

export function isFunction(value: unknown): value is LispFunction {
  return typeof value === 'function';
}

/** Calls any callable of language.md §8; what is none raises not_callable. */
export function invoke(callee: unknown, args: readonly unknown[]): unknown {
  if (isFunction(callee)) return callee(...args);
  return invokeValue(callee, args);
}

export function invoke0(callee: unknown): unknown {
  return isFunction(callee) ? callee() : invokeValue(callee, []);
}

export function invoke1(callee: unknown, a: unknown): unknown {
  if (isFunction(callee)) return callee(a);
  if (callee instanceof Keyword) return get(a, callee);
  return invokeValue(callee, [a]);
}

export function invoke2(callee: unknown, a: unknown, b: unknown): unknown {
  return isFunction(callee) ? callee(a, b) : invokeValue(callee, [a, b]);
}

export function invoke3(callee: unknown, a: unknown, b: unknown, c: unknown): unknown {
  return isFunction(callee) ? callee(a, b, c) : invokeValue(callee, [a, b, c]);
}

function invokeValue(callee: unknown, args: readonly unknown[]): unknown {
  const count = args.length;
  if (callee instanceof Keyword || callee instanceof LispSymbol) {
    if (count === 1) return get(args[0], callee);
    if (count === 2) return getOr(args[0], callee, args[1]);
    throw arityError(count, callee instanceof Keyword ? `:${callee.text}` : callee.text);
  }
  if (callee instanceof LispRecord || callee instanceof Reified)
    return (ownInvoke(callee) ?? refuseCall(callee))(callee, ...args);
  if (callee instanceof LispMap) {
    if (count !== 1 && count !== 2) throw arityError(count, callee.javaName);
    const found = lookupFlexible(callee, args[0]);
    if (found !== ABSENT) return found;
    return count === 2 ? args[1] : null;
  }
  if (callee instanceof LispSet) {
    if (count !== 1) throw arityError(count, callee.javaName);
    const found = callee.lookup(args[0]);
    return found === ABSENT ? null : found;
  }
  if (callee instanceof Vector) {
    if (count !== 1) throw arityError(count, callee.javaName);
    return elementAt(callee, args[0]);
  }
  if (callee instanceof Transient) {
    if (count === 0 || count > 2) throw arityError(count, callee.javaName);
    return getOr(callee, args[0], args[1] ?? null);
  }
  if (callee instanceof Var) return invoke(valueOfVar(callee), args);
  if (callee instanceof MultiMethod) return callee.call(callee, args);
  return refuseCall(callee);
}

/** How nil, a boolean or a number prints; other values may be long, or nobody's business. */
function shown(value: unknown): string | null {
  return value === null || typeof value === 'boolean' || typeof value === 'number' ? String(value ?? 'nil') : null;
}

/** What a call of a value that is none of language.md §8 raises. */
export function refuseCall(callee: unknown): never {
  throw notCallable(callee, shown(callee));
}

function elementAt(vector: Vector, index: unknown): unknown {
  if (!isInteger(index)) throw badValue('Key must be integer');
  if (typeof index === 'number' && index >= 0 && index < vector.count) return vector.at(index);
  const wrapped = intValue(index);
  if (wrapped >= 0 && wrapped < vector.count) return vector.at(wrapped);
  throw outOfBounds(null, { index: Number(index), length: vector.count });
}

/** The value of a variable; a declared one without a value is unbound_var. */
export function valueOfVar(variable: Var): unknown {
  if (variable.value !== UNBOUND) return variable.value;
  throw new LispError(
    'unbound_var',
    'java.lang.IllegalStateException',
    `Attempting to call unbound fn: #'${variable.namespace}/${variable.name}`,
  );
}

/** Whether `ifn?` holds: everything that may be in a function position. */
export function isCallable(value: unknown): boolean {
  return (
    typeof value === 'function' ||
    value instanceof Keyword ||
    value instanceof LispSymbol ||
    (value instanceof LispMap && !(value instanceof LispRecord)) ||
    value instanceof LispSet ||
    value instanceof Vector ||
    value instanceof Transient ||
    value instanceof Var ||
    value instanceof MultiMethod ||
    ownInvoke(value) !== null
  );
}
