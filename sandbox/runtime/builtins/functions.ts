import { derived, functionFacts, RestArguments } from '../functions.ts';
import { arityError } from '../errors.ts';
import { invoke, invoke0, invoke1, invoke2, isFunction, type LispFunction, valueOfVar } from '../invoke.ts';
import { cons, isLazySource, seq, takeArray, toArray } from '../sequence.ts';
import { releaseOwner } from '../values/lazy-seq.ts';
import { memoGeneration } from '../memo-generation.ts';
import { isTruthy } from '../truth.ts';
import { Reduced } from '../values/atom.ts';
import { HashMapBuilder, EMPTY_HASH_MAP } from '../values/hash-map.ts';
import { ABSENT } from '../values/map.ts';
import { Var } from '../values/var.ts';
import { vector } from '../values/vector.ts';
import { fixed, type Row, variadic, maker } from './row.ts';

/**
 * What `apply` reads of a lazy last argument beyond the fixed parameters, to say that there are too many (language.md
 * §6).
 */
const READ_BEYOND = 2;
/** Elements that are passed as arguments of their own; more could exhaust the stack. */
const ARGUMENTS = 1000;

function applyTo(callee: unknown, leading: readonly unknown[], last: unknown): unknown {
  const f = callee instanceof Var ? valueOfVar(callee) : callee;
  const facts = functionFacts(f);
  const { many = null, arity = null, over = null } = facts ?? {};
  if (over !== null && isLazySource(last)) return over(after(leading, last));
  if (isFunction(f) && arity?.rest === true && many === null) return applyWithRest(f, arity.most, leading, last);
  const readAll = many !== null || (isFunction(f) && arity === null);
  const spread = readAll ? toArray(last) : takeArray(last, (arity?.most ?? READ_BEYOND) + READ_BEYOND);
  const args = leading.length === 0 ? spread : [...leading, ...spread];
  return many === null ? invoke(f, args) : many(args);
}

/** The elements of a seq after some others. */
function after(leading: readonly unknown[], last: unknown): unknown {
  releaseOwner(last);
  return leading.reduceRight<unknown>((tail, argument) => cons(argument, tail), last);
}

/** A function with rest arguments after some fixed ones: an endless or long last argument stays the seq it is. */
function applyWithRest(f: LispFunction, fixedCount: number, leading: readonly unknown[], last: unknown): unknown {
  if (!isLazySource(last)) {
    const spread = toArray(last);
    if (leading.length + spread.length <= ARGUMENTS) return f(...leading, ...spread);
  }
  const fixedArguments: unknown[] = [];
  let rest = seq(after(leading, last));
  while (rest !== null && fixedArguments.length < fixedCount) {
    fixedArguments.push(rest.first());
    rest = seq(rest.rest());
  }
  return rest === null ? f(...fixedArguments) : f(...fixedArguments, new RestArguments(rest));
}

function identity(x: unknown): unknown {
  return x;
}

function constantly(value: unknown): LispFunction {
  return derived(
    'clojure.core/constantly',
    [value],
    () => value,
    () => value,
  );
}

function complement(f: unknown): LispFunction {
  return derived(
    'clojure.core/complement',
    [f],
    (...args) => !isTruthy(invoke(f, args)),
    (args) => !isTruthy(applyTo(f, [], args)),
  );
}

function partial(f: unknown, bound: readonly unknown[]): unknown {
  if (bound.length === 0) return f;
  return derived(
    'clojure.core/partial',
    [f, ...bound],
    (...args) => invoke(f, [...bound, ...args]),
    (args) => applyTo(f, bound, args),
  );
}

/** `comp`: the last function takes the arguments, the others one each. */
export function compose(functions: readonly unknown[]): unknown {
  if (functions.length === 0) return IDENTITY;
  if (functions.length === 1) return functions[0];
  const last = functions.at(-1);
  const onward = (first: unknown): unknown => {
    let result = first;
    for (let i = functions.length - 2; i >= 0; i--) result = invoke1(functions[i], result);
    return result;
  };
  return derived(
    'clojure.core/comp',
    functions,
    (...args) => onward(args.length === 1 ? invoke1(last, args[0]) : invoke(last, args)),
    (args) => onward(applyTo(last, [], args)),
  );
}

const IDENTITY = derived('clojure.core/comp', [], (...args) => {
  if (args.length !== 1) throw arityError(args.length, 'clojure.core/identity');
  return args[0];
});

function juxtaposed(functions: readonly unknown[]): LispFunction {
  return derived(
    'clojure.core/juxt',
    functions,
    (...args) => vector(functions.map((f) => invoke(f, args))),
    (args) => vector(functions.map((f) => applyTo(f, [], args))),
  );
}

function withDefaults(f: unknown, defaults: readonly unknown[]): LispFunction {
  const filled = (args: readonly unknown[]): readonly unknown[] => {
    if (args.length < defaults.length) throw arityError(args.length, 'clojure.core/fnil');
    return args.map((arg, i) => (arg === null && i < defaults.length ? defaults[i] : arg));
  };
  return derived(
    'clojure.core/fnil',
    [f, ...defaults],
    (...args) => invoke(f, filled(args)),
    (args) => {
      const leading: unknown[] = [];
      let cells = seq(args);
      for (; cells !== null && leading.length < defaults.length; cells = seq(cells.rest())) leading.push(cells.first());
      return applyTo(f, filled(leading), cells);
    },
  );
}

function everyTest(tests: readonly unknown[]): LispFunction {
  return derived('clojure.core/every-pred', tests, (...args) =>
    tests.every((test) => args.every((arg) => isTruthy(invoke1(test, arg)))),
  );
}

/** `some-fn`: each test asks all of the first three arguments before the next; further arguments come after these. */
function someTest(tests: readonly unknown[]): LispFunction {
  return derived('clojure.core/some-fn', tests, (...args) => {
    let answer: unknown = null;
    for (const test of tests) {
      for (const arg of args.slice(0, 3)) {
        answer = invoke1(test, arg);
        if (isTruthy(answer)) return answer;
      }
    }
    if (args.length <= 3) return tests.length > 3 ? null : answer;
    return tests.length > 3 ? firstTruthyByTest(tests, args.slice(3)) : firstTruthyByArgument(tests, args.slice(3));
  });
}

function firstTruthyByTest(tests: readonly unknown[], args: readonly unknown[]): unknown {
  for (const test of tests) {
    for (const arg of args) {
      const answer = invoke1(test, arg);
      if (isTruthy(answer)) return answer;
    }
  }
  return null;
}

function firstTruthyByArgument(tests: readonly unknown[], args: readonly unknown[]): unknown {
  for (const arg of args) {
    for (const test of tests) {
      const answer = invoke1(test, arg);
      if (isTruthy(answer)) return answer;
    }
  }
  return null;
}

function memoized(f: unknown): LispFunction {
  let results = new HashMapBuilder(EMPTY_HASH_MAP);
  let generation = memoGeneration.current;
  return derived('clojure.core/memoize', [f], (...args) => {
    if (generation !== memoGeneration.current) {
      results = new HashMapBuilder(EMPTY_HASH_MAP);
      generation = memoGeneration.current;
    }
    const key = vector(args);
    const known = results.lookup(key);
    if (known !== ABSENT) return known;
    const result = invoke(f, args);
    results.put(key, result);
    return result;
  });
}

function trampoline(f: unknown, args: readonly unknown[]): unknown {
  let result = invoke(f, args);
  while (isFunction(result)) result = result();
  return result;
}

/** A reducing function whose completion is `complete`. */
function completing(f: unknown, complete: unknown): LispFunction {
  return derived('clojure.core/completing', [f, complete], (...args) => {
    switch (args.length) {
      case 0:
        return invoke0(f);
      case 1:
        return invoke1(complete, args[0]);
      case 2:
        return invoke2(f, args[0], args[1]);
      default:
        throw arityError(args.length, 'clojure.core/completing');
    }
  });
}

export function functions(): readonly Row[] {
  return [
    fixed('identity', 'x', 'The argument itself.', identity),
    maker(fixed('constantly', 'x', 'A function that gives one value for any arguments.', constantly)),
    maker(fixed('complement', 'f', 'The opposite of a test.', complement)),
    maker(
      variadic(
        'partial',
        'f|f arg1|f arg1 arg2|f arg1 arg2 arg3|f arg1 arg2 arg3 & more',
        'A function with its first arguments given.',
        1,
        (args) => partial(args[0], args.slice(1)),
      ),
    ),
    maker(variadic('comp', '|f|f g|f g & fs', 'The functions one after the other, the last one first.', 0, compose)),
    maker(
      variadic(
        'juxt',
        'f|f g|f g h|f g h & fs',
        'A function giving a vector of what each function gives.',
        1,
        juxtaposed,
      ),
    ),
    variadic(
      'apply',
      'f args|f x args|f x y args|f x y z args|f a b c d & args',
      'A call with the elements of the last argument as arguments.',
      2,
      (args) => applyTo(args[0], args.slice(1, -1), args.at(-1)),
      (f: unknown, last: unknown) => applyTo(f, [], last),
    ),
    maker(
      fixed(
        'fnil',
        'f x|f x y|f x y z',
        'A function whose first arguments have a value for nil.',
        (f: unknown, a: unknown) => withDefaults(f, [a]),
        (f: unknown, a: unknown, b: unknown) => withDefaults(f, [a, b]),
        (f: unknown, a: unknown, b: unknown, c: unknown) => withDefaults(f, [a, b, c]),
      ),
    ),
    maker(
      variadic('every-pred', 'p|p1 p2|p1 p2 p3|p1 p2 p3 & ps', 'A test that all values pass all tests.', 1, everyTest),
    ),
    maker(
      variadic(
        'some-fn',
        'p|p1 p2|p1 p2 p3|p1 p2 p3 & ps',
        'A function giving the first true answer of the tests.',
        1,
        someTest,
      ),
    ),
    maker(fixed('memoize', 'f', 'A function that remembers its results for equal arguments.', memoized)),
    variadic(
      'trampoline',
      'f|f & args',
      'Calls a function, then every function it returns, to the first other value.',
      1,
      (args) => trampoline(args[0], args.slice(1)),
    ),
    maker(
      fixed(
        'completing',
        'f|f cf',
        'A reducing function with a completion of its own.',
        (f: unknown) => completing(f, IDENTITY),
        completing,
      ),
    ),
    fixed('reduced', 'x', 'Ends a reduction with this value.', (value: unknown) => new Reduced(value)),
    fixed('unreduced', 'x', 'The value without the mark that ends a reduction.', (x: unknown) =>
      x instanceof Reduced ? x.value : x,
    ),
    fixed('ensure-reduced', 'x', 'The value marked as the end of a reduction.', (x: unknown) =>
      x instanceof Reduced ? x : new Reduced(x),
    ),
  ];
}
