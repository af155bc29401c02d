import { equals } from '../../runtime/equality.ts';
import { fromHostError } from '../../runtime/errors.ts';
import { get, getOr } from '../../runtime/lookup.ts';
import { withMeta } from '../../runtime/metadata.ts';
import {
  add,
  decrement,
  increment,
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
import { type Keyword, keyword } from '../../runtime/values/keyword.ts';
import {
  before,
  releaseOwner,
  give,
  lazySeq,
  mine,
  moved,
  own,
  passOn,
  received,
} from '../../runtime/values/lazy-seq.ts';
import { list } from '../../runtime/values/seq.ts';
import { mapLiteral } from '../../runtime/values/map-builder.ts';
import { symbol } from '../../runtime/values/symbol.ts';
import type { Var } from '../../runtime/values/var.ts';
import { vector } from '../../runtime/values/vector.ts';
import type { Builtin } from '../../runtime/builtins/table.ts';
import type { LispFunction } from '../../runtime/invoke.ts';

import { fieldNamed, javaMemberValue, javaMethod, javaNew, javaStatic } from '../java/calls.ts';
import { comprehend, comprehendFlat, skipElement, stopElements } from './comprehension.ts';
import { dataValue } from './data.ts';
import { declare, define, hasValue } from './definitions.ts';
import {
  failAssertion,
  caught,
  failWith,
  beginFinally,
  guard,
  isInstance,
  failNoClause,
  raise,
  rethrow,
  returnValue,
  turnBeyond,
  endGuard,
} from './exceptions.ts';
import { arity, callable, cell, fn, restArguments, restSeq, truthy, unitsOf, value } from './functions.ts';
import { introspect } from './introspection.ts';
import { mergeMeta, singleMeta, variableMeta } from './metadata.ts';
import { addMethod } from '../../runtime/builtins/multimethods.ts';
import { swapVolatile } from '../../runtime/builtins/state.ts';
import { defineMultimethod } from './multimethods.ts';
import { setBound, withBindings } from './bindings.ts';
import { defineProtocol, defineRecord, newRecord, recordField, recordFromMap, reify } from './records.ts';
import { extendProtocol, implementation } from '../../runtime/protocols.ts';
import { patternMap } from './patterns.ts';
import { program } from './program.ts';
import { setLiteral } from './literals.ts';
import { builtinVariable, variableOf, type Session } from './session.ts';
import { countUp } from './state.ts';
import { callTool, callToolOrRaise, discoveryFunction, raisingToolFunction, toolFunction } from './tools.ts';

/** All that generated code may name: an object with these members is the one parameter of every code block. */
export type Support = Readonly<Record<string, unknown>>;

/** Those of forms that few programs have. Named in the body of a function, they are made when they are first called. */
const RARE: Support = {
  defineProtocol: (...args: Parameters<typeof defineProtocol>) => defineProtocol(...args),
  defineRecord: (...args: Parameters<typeof defineRecord>) => defineRecord(...args),
  extendType: (type: unknown, protocol: unknown, methods: unknown) => extendProtocol(type, protocol, methods),
  fieldNamed: (value: unknown, name: string) => fieldNamed(value, name),
  implementation: (protocol: unknown, method: Keyword, target: unknown) => implementation(protocol, method, target),
  newRecord: (type: unknown, ...values: readonly unknown[]) => newRecord(type, values),
  recordField: (record: unknown, index: number) => recordField(record, index),
  recordFromMap: (type: unknown, map: unknown) => recordFromMap(type, map),
  reify: (className: string, implementations: unknown) => reify(className, implementations),
  setBound: (variable: Var, value: unknown) => setBound(variable, value),
  withBindings: (body: () => unknown, ...parts: readonly unknown[]) => withBindings(body, parts),
};

/** Functions that depend on nothing but their arguments. */
const PURE: Support = {
  ...RARE,
  MOST: Number.MAX_SAFE_INTEGER,
  Float32,
  add,
  addMethod,
  assertionFailed: failAssertion,
  arity,
  before,
  callable,
  cell,
  char,
  classValue: classNamed,
  comprehend,
  comprehendFlat,
  countUp,
  date: (ms: number) => new JavaDate(ms),
  dec: decrement,
  declare,
  def: define,
  disown: releaseOwner,
  delay: (body: () => unknown) => new Delay(body),
  double,
  eq: equals,
  failWith,
  first,
  fn,
  ge: isGreaterOrEqual,
  get,
  getOr,
  give,
  gt: isGreater,
  guard,
  hasValue,
  hostError: fromHostError,
  inc: increment,
  isInstance,
  isSafeInteger: Number.isSafeInteger,
  javaMemberValue,
  javaMethod,
  javaNew,
  javaStatic,
  keywords: (names: string, namespace: string | null = null) =>
    names.split(' ').map((name) => keyword(namespace, name)),
  lazyConcat: (...parts: readonly unknown[]) => lazyCat(parts),
  lazySeq: (body: LispFunction) => lazySeq(body),
  le: isLessOrEqual,
  list,
  lt: isLess,
  mapLiteral: (flat: readonly unknown[], meta: unknown = null) => {
    const made = mapLiteral(flat, printString);
    return meta === null ? made : made.withMeta(meta);
  },
  mergeMeta,
  mine,
  moved,
  mul: multiply,
  next,
  noMatchingClause: failNoClause,
  nthOr,
  numEq: isNumericallyEqual,
  own,
  passOn,
  patternMap,
  program,
  raise,
  received,
  regex: (pattern: string) => {
    const made = regex(pattern);
    if (!made.ok) throw new TypeError('a regex literal that compiled before');
    return made.value;
  },
  restArguments,
  restSeq,
  rethrow,
  returnValue,
  seq,
  setLiteral,
  singleMeta,
  skipElement,
  stopElements,
  sub: subtract,
  symbol,
  truthy,
  unguard: endGuard,
  value,
  uuid: (text: string) => new Uuid(text),
  variableMeta,
  vector,
  volatileSwap: (...args: readonly unknown[]) => swapVolatile(args),
  withMeta,
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
    turn: (turns: number) => (turns < session.limits.loops ? turns + 1 : turnBeyond(session, turns)),
    caught: (thrown: unknown) => caught(session, thrown),
    finallyBegins: () => {
      beginFinally(session);
    },
    // Each name is followed by the number of arguments it is called with.
    builtins: (names: string) => {
      const words = names.split(' ');
      return words.flatMap((word, index) =>
        index % 2 === 0 ? [builtinNamed(qualified(word)).direct(Number(words[index + 1]))] : [],
      );
    },
    builtinValues: (names: string) => names.split(' ').map((name) => builtinNamed(qualified(name)).implementation),
    builtinVariable: (name: string) => builtinVariable(session, name),
    variables: (names: string, namespace: string) =>
      names.split(' ').map((name) => variableOf(session, namespace, name)),
    units: (block: string, indexes: string | null = null) => unitsOf(session, block, indexes),
    callTool: (tool: string, ...args: readonly unknown[]) => callTool(session, tool, args),
    callToolOrRaise: (tool: string, ...args: readonly unknown[]) => callToolOrRaise(session, tool, args),
    toolFunction: (tool: string) => toolFunction(session, tool),
    raisingToolFunction: (tool: string) => raisingToolFunction(session, tool),
    discoveryFunction: (name: string) => discoveryFunction(session, name),
    dataValue: (name: string) => dataValue(session, name),
    history: (index: number) => session.history[index - 1] ?? null,
    lastError: () => session.lastError,
    controlFunction: (name: string) => (name === 'return' ? returnValue : failWith),
    withOutString: (body: () => unknown) => session.prints.capture(body).join(''),
    introspect: (question: string, argument: unknown) => introspect(session, question, argument),
    defineMultimethod: (...parts: readonly [Var, unknown, unknown, unknown, unknown]) =>
      defineMultimethod(session, ...parts),
  };
}

/** Names without a namespace are of clojure.core; `/` is one of them. */
function qualified(name: string): string {
  return name.indexOf('/') > 0 ? name : `clojure.core/${name}`;
}
