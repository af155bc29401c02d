import { arityError, LispError, LimitSignal } from '../../runtime/errors.ts';
import { describeFunction, RestArguments } from '../../runtime/functions.ts';
import { invoke, isCallable, isFunction, refuseCall, type LispFunction } from '../../runtime/invoke.ts';
import { countedSeq } from '../../runtime/values/seq.ts';
import { SharedCell } from '../../runtime/values/shared-cell.ts';
import { UNBOUND, Var } from '../../runtime/values/var.ts';
import type { CodeUnit, Session } from './session.ts';

export function cell(): SharedCell {
  return new SharedCell();
}

/** Makes functions of one code unit from their captured values. */
interface Factory extends LispFunction {
  unit?: CodeUnit;
}

/**
 * What prints for a function, what makes it, and the fixed parameters before its rest arguments where there are some.
 */
type UnitParts = readonly [name: string | Var | null, make: LispFunction, variadicFrom?: number];

/**
 * What names the code units of a block: each becomes a factory that attaches to a function what it can be made of
 * again.
 * `indexes`: the numbers of the units that the code holds, where it does not hold all of the block.
 */
export function unitsOf(
  session: Session,
  block: string,
  indexes: string | null,
): (...parts: UnitParts) => LispFunction {
  const numbers = indexes?.split(' ');
  let count = 0;
  return (named, make, variadicFrom) => {
    const name = named instanceof Var ? `${named.namespace}/${named.name}` : named;
    const id = `${block}:${numbers?.[count] ?? count}`;
    count += 1;
    let arity = variadicFrom === undefined ? null : { most: variadicFrom, rest: true };
    const factory: Factory = (...captures) => {
      const made = make(...captures);
      if (!isFunction(made)) throw new TypeError('a unit makes functions');
      arity ??= { most: made.length, rest: false };
      return describeFunction(made, { name, unit: id, captures, meta: null, arity });
    };
    factory.unit = { id, name, make: factory };
    session.units.set(id, factory.unit);
    return factory;
  };
}

/** Refuses a call of a function of this factory with so many arguments. */
export function arity({ unit }: Factory, count: number): never {
  throw arityError(count, unit?.name ?? 'fn');
}

/** Rest arguments as a seq, nil when there are none. */
export function restSeq(args: readonly unknown[]): unknown {
  const [first] = args;
  if (first instanceof RestArguments) return first.elements;
  return args.length === 0 ? null : countedSeq(args);
}

export function restArguments(args: ArrayLike<unknown>, from: number): unknown {
  return restSeq(Array.from(args).slice(from));
}

/**
 * A JavaScript function that calls any callable of language.md §8; nil fails when it is called, after its arguments, as
 * in the reference.
 */
export function callable(callee: unknown): LispFunction {
  if (isFunction(callee)) return callee;
  if (callee !== null && !isCallable(callee)) refuseCall(callee);
  return calling(callee);
}

function calling(callee: unknown): LispFunction {
  return (...args) => invoke(callee, args);
}

/** The function to call for a variable. */
export function fn(variable: Var): LispFunction {
  const { value: found } = variable;
  return isFunction(found) ? found : callable(value(variable));
}

/** The value of a variable. */
export function value(variable: Var): unknown {
  return variable.value === UNBOUND ? failUnbound(variable) : variable.value;
}

/** Whether a value counts as true. */
export function truthy(value: unknown): boolean {
  return value !== null && value !== false;
}

function failUnbound(variable: Var): never {
  throw new LispError(
    'unbound_var',
    'java.lang.IllegalStateException',
    `Var is not bound: #'${variable.namespace}/${variable.name}`,
  );
}

/** Ends the evaluation: a loop made more turns than `*_loop_iterations` allow (language.md §20). */
export function failLoopLimit(limit: number): never {
  throw new LimitSignal('loop_limit_exceeded', `a loop exceeded its limit of ${limit} iterations`, { limit });
}
