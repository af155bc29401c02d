import { arityError } from '../errors.ts';
import { describeFunction } from '../functions.ts';
import type { LispFunction } from '../invoke.ts';

/** What calling a built-in does in addition to returning a value. */
export type Effect = 'none' | 'state' | 'print';

/** A fixed-arity body of values; its `length` is its number of parameters. Called with exactly that many. */
export type FixedBody =
  | (() => unknown)
  | ((a: unknown) => unknown)
  | ((a: unknown, b: unknown) => unknown)
  | ((a: unknown, b: unknown, c: unknown) => unknown)
  | ((a: unknown, b: unknown, c: unknown, d: unknown) => unknown)
  | ((a: unknown, b: unknown, c: unknown, d: unknown, e: unknown) => unknown);

/** One built-in: the compiler, `doc`, the function page and arity errors all read this. */
export interface Builtin {
  /** Qualified name, `clojure.core/inc`. */
  readonly name: string;
  readonly arities: { readonly fixed: readonly number[]; readonly variadicFrom: number | null };
  /**
   * What its parameters are called, as in the reference (its `:arglists`): the parameter vectors parted by `|`, or
   * their list as it prints where there is a pattern among them; null for a constant.
   */
  readonly parameters: string | null;
  /** Our own one-line text. */
  readonly doc: string;
  readonly area: string;
  readonly effect: Effect;
  /** The first-class value: a function that checks its argument count and raises AR, or a constant. */
  readonly implementation: unknown;
  /** The body for calls with exactly this many arguments, to be called without a check; null where there is none. */
  direct(count: number): LispFunction | null;
}

/** What an area file declares. */
export type Row = FunctionRow | ConstantRow;

/** A name, a text and bodies. */
export interface FunctionRow {
  readonly name: string;
  /** As in `Builtin`. */
  readonly parameters: string;
  readonly doc: string;
  readonly fixed: readonly LispFunction[];
  readonly rest: { readonly from: number; readonly body: (args: readonly unknown[]) => unknown } | null;
  readonly effect: Effect;
  /** The body for `apply` to a lazy seq, where it may not need all of it; null where it always does. */
  readonly over: ((args: unknown) => unknown) | null;
  /** Whether it returns functions that are written as the call that made them (`derived`). */
  readonly makes: boolean;
}

/** A built-in that is a value, not a function. */
export interface ConstantRow {
  readonly name: string;
  readonly doc: string;
  readonly constant: unknown;
}

export function constantRow(name: string, doc: string, value: unknown): ConstantRow {
  return { name, doc, constant: value };
}

/** A built-in with one or more fixed arities, one body each. */
export function fixed(name: string, parameters: string, doc: string, ...bodies: readonly FixedBody[]): FunctionRow {
  return { name, parameters, doc, fixed: bodies, rest: null, effect: 'none', over: null, makes: false };
}

/** A built-in that takes `from` or more arguments; small counts may have bodies of their own. */
export function variadic(
  name: string,
  parameters: string,
  doc: string,
  from: number,
  body: (args: readonly unknown[]) => unknown,
  ...bodies: readonly FixedBody[]
): FunctionRow {
  return { name, parameters, doc, fixed: bodies, rest: { from, body }, effect: 'none', over: null, makes: false };
}

/** A built-in that takes no more of a lazy seq of arguments than it needs. */
export function takingFrom(row: FunctionRow, over: (args: unknown) => unknown): FunctionRow {
  return { ...row, over };
}

/**
 * A built-in whose functions are written as the call that made them. It calls nothing that it is given, so making such
 * a function again has no effect, whatever text asked for it.
 */
export function maker(row: FunctionRow): FunctionRow {
  return { ...row, makes: true };
}

/** The same rows, declared to have an effect. */
export function withEffect(effect: Effect, rows: readonly FunctionRow[]): Row[] {
  return rows.map((row) => ({ ...row, effect }));
}

/** The built-in that a row declares. */
export function builtin(prefix: string, area: string, row: Row): Builtin {
  const name = `${prefix}/${row.name}`;
  if ('constant' in row) {
    const { doc, constant: value } = row;
    return {
      name,
      arities: { fixed: [], variadicFrom: null },
      parameters: null,
      doc,
      area,
      effect: 'none',
      implementation: value,
      direct: () => null,
    };
  }
  const byCount: (LispFunction | null)[] = [];
  for (const body of row.fixed) {
    while (byCount.length <= body.length) byCount.push(null);
    byCount[body.length] = body;
  }
  const from = row.rest === null ? null : row.rest.from;
  const counts = row.fixed.map((body) => body.length).filter((count) => from === null || count < from);
  return {
    name,
    arities: { fixed: counts.toSorted((a, b) => a - b), variadicFrom: from },
    parameters: row.parameters,
    doc: row.doc,
    area,
    effect: row.effect,
    implementation: describedBuiltin(name, byCount, row),
    direct: (count) => byCount[count] ?? directRest(row.rest, count),
  };
}

function directRest(rest: FunctionRow['rest'], count: number): LispFunction | null {
  if (rest === null || count < rest.from) return null;
  const { body } = rest;
  return (...args) => body(args);
}

/** The value form: finds the body for the number of arguments, or raises AR. */
function describedBuiltin(
  name: string,
  byCount: readonly (LispFunction | null)[],
  { rest, over, makes }: FunctionRow,
): LispFunction {
  const many = (args: readonly unknown[]): unknown => {
    const body = byCount[args.length];
    if (body !== undefined && body !== null) return body(...args);
    if (rest !== null && args.length >= rest.from) return rest.body(args);
    throw arityError(args.length, name);
  };
  const arity = { most: rest === null ? byCount.length - 1 : rest.from, rest: rest !== null };
  const facts = { name, unit: `builtin:${name}`, captures: null, meta: null, arity, many, makes };
  return describeFunction(checked(byCount, many), over === null ? facts : { ...facts, over });
}

function checked(
  byCount: readonly (LispFunction | null)[],
  other: (args: readonly unknown[]) => unknown,
): LispFunction {
  const one = byCount[1] ?? null;
  const two = byCount[2] ?? null;
  const three = byCount[3] ?? null;
  return function (a?: unknown, b?: unknown, c?: unknown): unknown {
    switch (arguments.length) {
      case 1:
        return one === null ? other([a]) : one(a);
      case 2:
        return two === null ? other([a, b]) : two(a, b);
      case 3:
        return three === null ? other([a, b, c]) : three(a, b, c);
      default:
        return other(Array.from(arguments));
    }
  };
}
