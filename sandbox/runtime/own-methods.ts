import { classNamed, type ClassValue } from './values/java.ts';
import { keyword, type Keyword } from './values/keyword.ts';
import { ABSENT, LispMap } from './values/map.ts';
import { LispRecord } from './values/record.ts';
import { Reified } from './values/reified.ts';

/** A method: a function of the language that takes the value first. */
type Method = (...args: readonly unknown[]) => unknown;

function isMethod(value: unknown): value is Method {
  return typeof value === 'function';
}

/**
 * The interfaces that records and `reify` may implement in addition to protocols, with their methods and argument
 * counts.
 */
export const OWN_INTERFACES: ReadonlyMap<string, ReadonlyMap<string, readonly number[]>> = new Map([
  ['java.lang.Object', new Map([['toString', [1]]])],
  ['java.lang.Comparable', new Map([['compareTo', [2]]])],
  ['clojure.lang.IDeref', new Map([['deref', [1]]])],
  ['clojure.lang.IFn', new Map([['invoke', Array.from({ length: 21 }, (_, count) => count + 1)]])],
]);

const TO_STRING = keyword(null, 'toString');
const COMPARE_TO = keyword(null, 'compareTo');
const DEREF = keyword(null, 'deref');
const INVOKE = keyword(null, 'invoke');

/** What a record or the object of a `reify` implements itself; null for everything else. */
export function ownMethods(value: unknown): LispMap | null {
  if (value instanceof LispRecord) return value.type.methods;
  return value instanceof Reified ? value.methods : null;
}

function ownMethod(value: unknown, owner: ClassValue, name: Keyword): Method | null {
  const methods = ownMethods(value)?.lookup(owner);
  const found = methods instanceof LispMap ? methods.lookup(name) : ABSENT;
  return isMethod(found) ? found : null;
}

/** `toString` of Object, where the value has its own. */
export function ownToString(value: unknown): Method | null {
  return ownMethod(value, classNamed('java.lang.Object'), TO_STRING);
}

export function ownCompareTo(value: unknown): Method | null {
  return ownMethod(value, classNamed('java.lang.Comparable'), COMPARE_TO);
}

export function ownDeref(value: unknown): Method | null {
  return ownMethod(value, classNamed('clojure.lang.IDeref'), DEREF);
}

/** What a call of the value calls, where it implements IFn; the value is its first argument. */
export function ownInvoke(value: unknown): Method | null {
  return ownMethod(value, classNamed('clojure.lang.IFn'), INVOKE);
}

/** A method by its name alone, whatever declares it (`(.name value …)`). */
export function methodNamed(value: unknown, name: string): Method | null {
  const key = keyword(null, name);
  const found: { f: Method | null } = { f: null };
  ownMethods(value)?.visit((_owner, methods) => {
    const method = methods instanceof LispMap ? methods.lookup(key) : ABSENT;
    if (!isMethod(method)) return false;
    found.f = method;
    return true;
  });
  return found.f;
}
