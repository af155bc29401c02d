import { refuseOuter } from '../branch.ts';
import { equals } from '../equality.ts';
import { badState, badValue, castError, LispError, mismatch, nullError, wrongArgument } from '../errors.ts';
import { typeName } from '../classes.ts';
import { invoke, invoke1, valueOfVar } from '../invoke.ts';
import { metaOf, withMeta } from '../metadata.ts';
import { get } from '../lookup.ts';
import { ownDeref } from '../own-methods.ts';
import { displayString } from '../print.ts';
import { Atom, Delay, Reduced, Volatile } from '../values/atom.ts';
import { JavaDate } from '../values/date.ts';
import { Instant } from '../values/instant.ts';
import { keyword } from '../values/keyword.ts';
import { LispMap } from '../values/map.ts';
import { Var } from '../values/var.ts';
import { vector } from '../values/vector.ts';
import { arrayMap } from '../values/map-builder.ts';
import { EMPTY_MAP } from '../values/array-map.ts';
import { isTruthy } from '../truth.ts';
import { fixed, type Row, variadic, withEffect } from './row.ts';

const VALIDATOR = keyword(null, 'validator');
const META = keyword(null, 'meta');

function validate(atom: Atom, value: unknown): void {
  if (atom.validator !== null && !isTruthy(invoke1(atom.validator, value))) throw badState('Invalid reference state');
}

function makeAtom(args: readonly unknown[]): Atom {
  const [value = null, ...options] = args;
  if (options.length % 2 === 1) throw badValue(`No value supplied for key: ${displayString(options.at(-1))}`);
  const settings = arrayMap(options);
  const meta = orNull(get(settings, META));
  if (meta !== null && !(meta instanceof LispMap))
    throw castError(`atom: metadata must be a map, not ${typeName(meta)}`);
  const atom = new Atom(value, orNull(get(settings, VALIDATOR)), meta);
  validate(atom, value);
  return atom;
}

/** An option that is false counts as one that is not given. */
function orNull(option: unknown): unknown {
  return option === false ? null : option;
}

/** An atom that is to be changed. */
function atomOf(operation: string, value: unknown): Atom {
  if (value instanceof Atom) {
    refuseOuter(value.birth, 'An atom');
    return value;
  }
  if (value === null) throw nullError(`${operation}: argument 1 must be an atom, not nil`);
  throw mismatch(value, `${operation}: argument 1 must be an atom, not ${typeName(value)}`);
}

/** A volatile that is to be changed. */
function volatileOf(operation: string, value: unknown): Volatile {
  if (value instanceof Volatile) {
    refuseOuter(value.birth, 'A volatile');
    return value;
  }
  if (value === null) throw nullError(`${operation}: argument 1 must be a volatile, not nil`);
  throw mismatch(value, `${operation}: argument 1 must be a volatile, not ${typeName(value)}`);
}

function reset(operation: string, target: unknown, value: unknown): readonly [unknown, unknown] {
  const atom = atomOf(operation, target);
  validate(atom, value);
  const old = atom.value;
  atom.value = value;
  return [old, value];
}

function swap(operation: string, args: readonly unknown[]): readonly [unknown, unknown] {
  const [target, f, ...more] = args;
  const atom = atomOf(operation, target);
  return reset(operation, atom, more.length === 0 ? invoke1(f, atom.value) : invoke(f, [atom.value, ...more]));
}

function isSameState(a: unknown, b: unknown): boolean {
  return a === b || (typeof a !== 'object' && equals(a, b));
}

/** The value of a delay; its body runs once, a raised exception is kept. */
export function forceDelay(delay: Delay): unknown {
  if (delay.body !== null) {
    refuseOuter(delay.birth, 'A delay');
    try {
      delay.value = delay.body();
    } catch (thrown) {
      if (!(thrown instanceof LispError)) throw thrown;
      delay.failure = thrown;
    }
    delay.body = null;
  }
  if (delay.failure instanceof LispError) {
    delay.failure.raisedHere();
    throw delay.failure;
  }
  return delay.value;
}

export function deref(value: unknown): unknown {
  if (value instanceof Atom || value instanceof Volatile || value instanceof Reduced) return value.value;
  if (value instanceof Delay) return forceDelay(value);
  if (value instanceof Var) return valueOfVar(value);
  const own = ownDeref(value);
  if (own !== null) return own(value);
  if (value === null) throw nullError('deref: argument 1 must be a reference, not nil');
  throw mismatch(value, `deref: argument 1 must be an atom, volatile, delay, var or reduced, not ${typeName(value)}`);
}

const instMs = (value: unknown): number => {
  if (value instanceof JavaDate) return value.ms;
  if (value instanceof Instant) return value.seconds * 1000 + Math.floor(value.nanos / 1_000_000);
  throw wrongArgument('inst-ms', 1, 'a point in time', value);
};

export function state(): readonly Row[] {
  return withEffect('state', [
    variadic('atom', 'x|x & options', 'A reference that swap! and reset! change.', 1, makeAtom),
    variadic(
      'swap!',
      'atom f|atom f x|atom f x y|atom f x y & args',
      'Puts what a function gives for the value into an atom; the new value.',
      2,
      (args) => swap('swap!', args)[1],
    ),
    fixed(
      'reset!',
      'atom newval',
      'Puts a value into an atom; the value.',
      (target: unknown, value: unknown) => reset('reset!', target, value)[1],
    ),
    variadic(
      'swap-vals!',
      'atom f|atom f x|atom f x y|atom f x y & args',
      'As swap!; a vector of the old and the new value.',
      2,
      (args) => vector(swap('swap-vals!', args)),
    ),
    fixed(
      'reset-vals!',
      'atom newval',
      'As reset!; a vector of the old and the new value.',
      (target: unknown, value: unknown) => vector(reset('reset-vals!', target, value)),
    ),
    fixed(
      'compare-and-set!',
      'atom oldval newval',
      'Puts a value into an atom if it holds the expected one; whether it did.',
      (target: unknown, expected: unknown, value: unknown) => {
        const atom = atomOf('compare-and-set!', target);
        if (!isSameState(atom.value, expected)) return false;
        reset('compare-and-set!', atom, value);
        return true;
      },
    ),
    fixed('deref', 'ref', 'The value of an atom, volatile, delay, var or reduced.', deref),
    fixed(
      'volatile!',
      'val',
      'A reference without checks that vreset! changes.',
      (value: unknown) => new Volatile(value),
    ),
    fixed('vreset!', 'vol newval', 'Puts a value into a volatile; the value.', (target: unknown, value: unknown) => {
      volatileOf('vreset!', target).value = value;
      return value;
    }),
    fixed('force', 'x', 'The value of a delay; anything else is itself.', (x: unknown) =>
      x instanceof Delay ? forceDelay(x) : x,
    ),
  ]);
}

/** `vswap!` is a macro: the compiler calls this with the volatile, the function and further arguments. */
export function swapVolatile(args: readonly unknown[]): unknown {
  const [target, f, ...more] = args;
  const volatile = volatileOf('vswap!', target);
  volatile.value = invoke(f, [volatile.value, ...more]);
  return volatile.value;
}

function exceptionInfo(message: unknown, data: unknown, cause: unknown): LispError {
  if (message !== null && typeof message !== 'string') {
    throw mismatch(message, `ex-info: argument 1 must be a string, not ${typeName(message)}`);
  }
  if (data !== null && !(data instanceof LispMap)) {
    throw mismatch(data, `ex-info: argument 2 must be a map, not ${typeName(data)}`);
  }
  if (cause !== null && !(cause instanceof LispError)) {
    throw mismatch(cause, `ex-info: argument 3 must be an exception, not ${typeName(cause)}`);
  }
  return new LispError('uncaught_exception', 'clojure.lang.ExceptionInfo', message, data ?? EMPTY_MAP, cause);
}

export function metadata(): readonly Row[] {
  return [
    fixed('meta', 'obj', 'The metadata of a value, or nil.', metaOf),
    fixed('with-meta', 'obj m', 'The value under other metadata.', withMeta),
    variadic(
      'vary-meta',
      'obj f & args',
      'The value with its metadata replaced by what a function gives for it.',
      2,
      (args) => withMeta(args[0], invoke(args[1], [metaOf(args[0]), ...args.slice(2)]), 'vary-meta'),
    ),
    fixed('inst-ms', 'inst', 'The milliseconds since 1970 of a point in time.', instMs),
  ];
}

export function exceptions(): readonly Row[] {
  return [
    fixed(
      'ex-info',
      'msg map|msg map cause',
      'An exception with a message, data and perhaps a cause.',
      (message: unknown, data: unknown) => exceptionInfo(message, data, null),
      exceptionInfo,
    ),
    fixed('ex-data', 'ex', 'The data of an exception, or nil.', (e: unknown) =>
      e instanceof LispError ? e.data : null,
    ),
    fixed('ex-message', 'ex', 'The message of an exception, or nil.', (e: unknown) =>
      e instanceof LispError ? e.message : null,
    ),
    fixed('ex-cause', 'ex', 'The cause of an exception, or nil.', (e: unknown) =>
      e instanceof LispError ? e.cause : null,
    ),
  ];
}
