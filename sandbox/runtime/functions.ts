import { isFunction, type LispFunction } from './invoke.ts';

/**
 * What a function value is made of, so that it can be written down and made again elsewhere (design.md §1.7):
 * a code unit and the values it captured. Functions made by the runtime name the built-in that made them.
 */
export interface FunctionFacts {
  /** Print name, `user/f`; null for anonymous ones. */
  readonly name: string | null;
  /** Id of the compiled unit, or `builtin:NAME` (with captures: the call that made the function). */
  readonly unit: string;
  readonly captures: readonly unknown[] | null;
  readonly meta: unknown;
  /** Fixed parameters of its widest arity, and whether rest arguments follow; absent where nobody knows. */
  readonly arity?: { readonly most: number; readonly rest: boolean };
  /** The function for arguments that are in an array: as many as there are, where a call has room for some. */
  readonly many?: (args: readonly unknown[]) => unknown;
  /** The function for arguments that are in a lazy seq, which may have no end: it takes no more than it needs. */
  readonly over?: (args: unknown) => unknown;
  /** Of a built-in, whether the functions that it returns are written as the call that made them. */
  readonly makes?: boolean;
}

/**
 * Takes the place of all rest arguments of a call, as its last argument: how `apply` passes an endless seq or more
 * elements than a call has room for. Only functions whose facts say that rest arguments follow are given one.
 */
export class RestArguments {
  declare readonly elements: unknown;
  constructor(elements: unknown) {
    this.elements = elements;
  }
}

/** The own property that carries the facts. */
const FACTS: unique symbol = Symbol('function facts');

interface Described {
  [FACTS]?: FunctionFacts;
}

/** Attaches facts to a function and returns it. */
export function describeFunction<F extends LispFunction>(f: F, facts: FunctionFacts): F {
  const described: F & Described = f;
  described[FACTS] = facts;
  return f;
}

/** The facts of a function value, null for anything else. */
export function functionFacts(value: unknown): FunctionFacts | null {
  if (!isFunction(value)) return null;
  const described: LispFunction & Described = value;
  return described[FACTS] ?? null;
}

/** A function that a built-in returned: the built-in called with `captures` makes it again. */
export function derived(
  maker: string,
  captures: readonly unknown[],
  f: LispFunction,
  over?: (args: unknown) => unknown,
): LispFunction {
  const facts = { name: null, unit: `builtin:${maker}`, captures, meta: null };
  return describeFunction(f, over === undefined ? facts : { ...facts, over });
}
