import { arityError, LispError, LimitSignal } from '../../runtime/errors.ts';
import { describeFunction, RestArguments } from '../../runtime/functions.ts';
import { invoke, isFunction, type LispFunction } from '../../runtime/invoke.ts';
import { countedSeq } from '../../runtime/values/seq.ts';
import { UNBOUND, type Var } from '../../runtime/values/var.ts';
import type { CodeUnit } from './session.ts';

/** A place that functions share before they all exist (`letfn`). */
export class SharedCell {
  declare value: unknown;
  constructor() {
    this.value = null;
  }
}

export function cell(): SharedCell {
  return new SharedCell();
}

/** Attaches to a function the unit and captures it can be made of again. */
export function close(f: LispFunction, unit: CodeUnit, captures: readonly unknown[]): LispFunction {
  const arity = { most: unit.variadicFrom ?? Math.max(...unit.fixed), rest: unit.variadicFrom !== null };
  return describeFunction(f, { name: unit.name, unit: unit.id, captures, meta: null, arity });
}

export function wrongArity(count: number, unit: CodeUnit): never {
  throw arityError(count, unit.name ?? 'fn');
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

/** A JavaScript function that calls any callable of language.md §8. */
export function callable(value: unknown): LispFunction {
  return isFunction(value) ? value : (...args) => invoke(value, args);
}

export function callableOf(variable: Var): LispFunction {
  return callable(variable.value === UNBOUND ? unbound(variable) : variable.value);
}

export function unbound(variable: Var): never {
  throw new LispError(
    'unbound_var',
    'java.lang.IllegalStateException',
    `Var is not bound: #'${variable.namespace}/${variable.name}`,
  );
}

/** Ends the evaluation: a loop made more turns than `*_loop_iterations` allow (language.md §20). */
export function loopLimit(limit: number): never {
  throw new LimitSignal('loop_limit_exceeded', `a loop exceeded its limit of ${limit} iterations`, { limit });
}
