import { arityError } from '../errors.ts';
import { describeFunction } from '../functions.ts';
import type { LispFunction } from '../invoke.ts';

/** What calling a built-in does besides returning a value. */
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
  readonly doc: string;
  readonly fixed: readonly LispFunction[];
  readonly rest: { readonly from: number; readonly body: (args: readonly unknown[]) => unknown } | null;
  readonly effect: Effect;
  /** The body for `apply` to a lazy seq, where it may not need all of it; null where it always does. */
  readonly over: ((args: unknown) => unknown) | null;
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
export function fixed(name: string, doc: string, ...bodies: readonly FixedBody[]): FunctionRow {
  return { name, doc, fixed: bodies, rest: null, effect: 'none', over: null };
}

/** A built-in that takes `from` or more arguments; small counts may have bodies of their own. */
export function variadic(
  name: string,
  doc: string,
  from: number,
  body: (args: readonly unknown[]) => unknown,
  ...bodies: readonly FixedBody[]
): FunctionRow {
  return { name, doc, fixed: bodies, rest: { from, body }, effect: 'none', over: null };
}

/** A built-in that takes no more of a lazy seq of arguments than it needs. */
export function takingFrom(row: FunctionRow, over: (args: unknown) => unknown): FunctionRow {
  return { ...row, over };
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
  { rest, over }: FunctionRow,
): LispFunction {
  const many = (args: readonly unknown[]): unknown => {
    const body = byCount[args.length];
    if (body !== undefined && body !== null) return body(...args);
    if (rest !== null && args.length >= rest.from) return rest.body(args);
    throw arityError(args.length, name);
  };
  const arity = { most: rest === null ? byCount.length - 1 : rest.from, rest: rest !== null };
  const facts = { name, unit: `builtin:${name}`, captures: null, meta: null, arity, many };
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
