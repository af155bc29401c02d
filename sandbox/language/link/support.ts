import { equals } from '../../runtime/equality.ts';
import { get, getOr } from '../../runtime/lookup.ts';
import { withMeta } from '../../runtime/metadata.ts';
import {
  add,
  isGreater,
  isGreaterOrEqual,
  isLess,
  isLessOrEqual,
  isNumericallyEqual,
  multiply,
  subtract,
} from '../../runtime/numbers/arithmetic.ts';
import { regex } from '../../runtime/regex/pattern.ts';
import { printString } from '../../runtime/print.ts';
import { first, next, nthOr, seq } from '../../runtime/sequence.ts';
import { Delay } from '../../runtime/values/atom.ts';
import { lazyCat } from '../../runtime/builtins/seq-join.ts';
import { char } from '../../runtime/values/char.ts';
import { double, Float32 } from '../../runtime/values/double.ts';
import { JavaDate } from '../../runtime/values/date.ts';
import { Uuid } from '../../runtime/values/uuid.ts';
import { classNamed } from '../../runtime/values/java.ts';
import { keyword } from '../../runtime/values/keyword.ts';
import { lazySeq } from '../../runtime/values/lazy-seq.ts';
import { list } from '../../runtime/values/list.ts';
import { mapLiteral } from '../../runtime/values/map-builder.ts';
import { symbol } from '../../runtime/values/symbol.ts';
import { UNBOUND, type Var } from '../../runtime/values/var.ts';
import { vector } from '../../runtime/values/vector.ts';
import type { Builtin } from '../../runtime/builtins/table.ts';
import type { LispFunction } from '../../runtime/invoke.ts';

import { javaMemberValue, javaMethod, javaNew, javaStatic } from '../java/calls.ts';
import { comprehend, comprehendFlat, skipElement, stopElements } from './comprehension.ts';
import { dataValue } from './data.ts';
import { declareVariable, defineVariable, hasValue } from './definitions.ts';
import { assertionFailed, caught, failWith, isInstance, noMatchingClause, raise, returnValue } from './exceptions.ts';
import { callable, callableOf, cell, close, loopLimit, restArguments, restSeq, unbound, wrongArity } from './functions.ts';
import { introspect } from './introspection.ts';
import { mergeMeta, singleMeta, variableMeta } from './metadata.ts';
import { addMethod } from '../../runtime/builtins/multimethods.ts';
import { swapVolatile } from '../../runtime/builtins/state.ts';
import { defineMultimethod } from './multimethods.ts';
import { patternMap } from './patterns.ts';
import { program } from './program.ts';
import { setLiteral } from './literals.ts';
import type { CodeUnit, Session } from './session.ts';
import { variableOf } from './session.ts';
import { countUp } from './state.ts';
import { callTool, toolFunction } from './tools.ts';

/** All that generated code may name: an object with these members is the one parameter of every code block. */
export type Support = Readonly<Record<string, unknown>>;

/** Functions that depend on nothing but their arguments. */
const PURE: Support = {
  UNBOUND,
  Float32,
  add,
  addMethod,
  assertionFailed,
  callable,
  callableOf,
  caught,
  cell,
  char,
  classValue: classNamed,
  close,
  comprehend,
  comprehendFlat,
  countUp,
  date: (ms: number) => new JavaDate(ms),
  declareVariable,
  defineVariable,
  delay: (body: () => unknown) => new Delay(body),
  double,
  equals,
  failWith,
  first,
  get,
  getOr,
  hasValue,
  isGreater,
  isGreaterOrEqual,
  isInstance,
  isLess,
  isLessOrEqual,
  isNumericallyEqual,
  isSafeInteger: Number.isSafeInteger,
  javaMemberValue,
  javaMethod,
  javaNew,
  javaStatic,
  keyword,
  lazyConcat: (...parts: readonly unknown[]) => lazyCat(parts),
  lazySeq: (body: LispFunction) => lazySeq(body),
  list,
  loopLimit,
  mapLiteral: (flat: readonly unknown[], meta: unknown = null) => {
    const made = mapLiteral(flat, printString);
    return meta === null ? made : made.withMeta(meta);
  },
  mergeMeta,
  multiply,
  next,
  noMatchingClause,
  nthOr,
  patternMap,
  program,
  raise,
  regex: (pattern: string) => {
    const made = regex(pattern);
    if (!made.ok) throw new TypeError('a regex literal that compiled before');
    return made.value;
  },
  restArguments,
  restSeq,
  returnValue,
  seq,
  setLiteral,
  singleMeta,
  skipElement,
  stopElements,
  subtract,
  symbol,
  unbound,
  uuid: (text: string) => new Uuid(text),
  variableMeta,
  vector,
  volatileSwap: (...args: readonly unknown[]) => swapVolatile(args),
  withMeta,
  wrongArity,
};

/** The support of one session. */
export function supportOf(session: Session): Support {
  const builtinNamed = (name: string): Builtin => {
    const found = session.builtins.get(name);
    if (found === undefined) throw new TypeError(`no built-in ${name}`);
    return found;
  };
  return {
    ...PURE,
    limits: session.limits,
    builtinBody: (name: string, count: number) => builtinNamed(name).direct(count),
    builtinValue: (name: string) => builtinNamed(name).implementation,
    builtinVariable: (name: string) => builtinVariable(session, name),
    variable: (namespace: string, name: string) => variableOf(session, namespace, name),
    units:
      (block: string) =>
      (number: number, name: string | null, fixed: readonly number[], variadicFrom: number | null): CodeUnit =>
        codeUnit(session, { id: `${block}:${number}`, name, fixed, variadicFrom, make: null }),
    callTool: (tool: string, ...args: readonly unknown[]) => callTool(session, tool, args),
    toolFunction: (tool: string) => toolFunction(session, tool),
    dataValue: (name: string) => dataValue(session, name),
    history: (index: number) => session.history[index - 1] ?? null,
    controlFunction: (name: string) => (name === 'return' ? returnValue : failWith),
    withOutString: (body: () => unknown) => session.prints.capture(body),
    introspect: (question: string, argument: unknown) => introspect(session, question, argument),
    defineMultimethod: (...parts: readonly [Var, unknown, unknown, unknown, unknown]) => defineMultimethod(session, ...parts),
  };
}

function codeUnit(session: Session, unit: CodeUnit): CodeUnit {
  session.units.set(unit.id, unit);
  return unit;
}

function builtinVariable(session: Session, name: string): Var {
  const slash = name.indexOf('/');
  const variable = variableOf(session, name.slice(0, slash), name.slice(slash + 1));
  if (variable.value === UNBOUND) variable.value = session.builtins.get(name)?.implementation;
  return variable;
}
