import { conj, into } from '../collections.ts';
import { arityError } from '../errors.ts';
import { derived } from '../functions.ts';
import { invoke, invoke0, invoke1, invoke2, isFunction, type LispFunction } from '../invoke.ts';
import { isLazySource, next, refuseLength, seq, visit } from '../sequence.ts';
import { isTruthy } from '../truth.ts';
import { Reduced } from '../values/atom.ts';
import { Eduction } from '../values/eduction.ts';
import { HashSet, SetBuilder } from '../values/set.ts';
import { type LazyBodies, lazySeq } from '../values/lazy-seq.ts';
import { type Cell, Cons, EMPTY_LIST, realised, type Seq } from '../values/seq.ts';
import { Vector, VectorBuilder } from '../values/vector.ts';
import { compose } from './functions.ts';
import { fixed, type Row, variadic, maker } from './row.ts';

/** A reducing function's step: result and input to result, perhaps reduced. */
export type Step = (result: unknown, input: unknown) => unknown;

/** The step of a reducing function that may be any callable. */
export function stepOf(rf: unknown): Step {
  if (isFunction(rf)) return rf;
  return (result, input) => invoke2(rf, result, input);
}

/** A reducing function around another: init is the inner one's, completion too unless `complete` comes first. */
export function reducing(rf: unknown, step: Step, complete?: (result: unknown) => unknown): LispFunction {
  return function (result?: unknown, input?: unknown): unknown {
    switch (arguments.length) {
      case 2:
        return step(result, input);
      case 1:
        return complete === undefined ? invoke1(rf, result) : complete(result);
      case 0:
        return invoke0(rf);
      default:
        throw arityError(arguments.length, 'a reducing function');
    }
  };
}

/** A transducer that a built-in returned for its arguments. */
export function transducer(
  maker: string,
  captures: readonly unknown[],
  wrap: (rf: unknown) => LispFunction,
): LispFunction {
  return derived(`clojure.core/${maker}`, captures, (...args) => {
    if (args.length !== 1) throw arityError(args.length, `clojure.core/${maker}`);
    return wrap(args[0]);
  });
}

/** Reduces anything seqable by a plain step; stops at a reduced and unwraps it once. */
export function reduceWith(step: Step, init: unknown, collection: unknown): unknown {
  let result = init;
  visit(collection, (element) => {
    result = step(result, element);
    return result instanceof Reduced;
  });
  return result instanceof Reduced ? result.value : result;
}

function transduce(xform: unknown, f: unknown, init: unknown, collection: unknown): unknown {
  const rf = invoke1(xform, f);
  return invoke1(rf, reduceWith(stepOf(rf), init, collection));
}

/**
 * `(into to xform from)`: what the transducer's completion makes of the collection, which is the collection but for
 * `halt-when`.
 */
export function intoTransduced(target: unknown, xform: unknown, source: unknown): unknown {
  if (target instanceof Vector) {
    const builder = new VectorBuilder(target);
    return collect(
      xform,
      source,
      (element) => builder.push(element),
      () => builder.build(target.meta),
    );
  }
  if (target instanceof HashSet) {
    const builder = new SetBuilder(target);
    return collect(
      xform,
      source,
      (element) => builder.add(element),
      () => builder.build(target.meta),
    );
  }
  const collected: unknown[] = [];
  return collect(
    xform,
    source,
    (element) => collected.push(element),
    () => {
      if (target === null && collected.length === 0) return null;
      return target === null
        ? collected.reduce((grown, element) => conj(grown, element), null)
        : into(target, realised(collected));
    },
  );
}

/** Runs a transducer over a source into a builder, and completes what that built. */
function collect(xform: unknown, source: unknown, add: (element: unknown) => unknown, build: () => unknown): unknown {
  const sink: LispFunction = function (_result?: unknown, input?: unknown): unknown {
    if (arguments.length < 2) return build();
    add(input);
    return null;
  };
  const rf = invoke1(xform, sink);
  return invoke1(rf, reduceWith(stepOf(rf), null, source));
}

/** Runs a transducer over a source; `emit` gets what comes out and may return true to stop. Completes at the end. */
export function runTransducer(xform: unknown, source: unknown, emit: (element: unknown) => unknown): boolean {
  const end = { stopped: false };
  const sink: LispFunction = function (result?: unknown, input?: unknown): unknown {
    if (arguments.length !== 2) return result ?? null;
    if (end.stopped || emit(input) === true) {
      end.stopped = true;
      return new Reduced(null);
    }
    return null;
  };
  const rf = invoke1(xform, sink);
  invoke1(rf, reduceWith(stepOf(rf), null, source));
  return end.stopped;
}

function visitEduction(eduction: Eduction, visitor: (element: unknown) => unknown): boolean {
  return runTransducer(eduction.transducer, eduction.source, visitor);
}

const RUNNING = {
  visit: visitEduction,
  lazily: (recipe: Eduction): unknown => lazySeq(sequenceBody, recipe.transducer, recipe.source),
};

/** A recipe of one transducer. */
export function eduction(xform: unknown, source: unknown): Eduction {
  return new Eduction(xform, source, RUNNING);
}

function makeEduction(args: readonly unknown[]): Eduction {
  return eduction(compose(args.slice(0, -1)), args.at(-1));
}

/** State of a lazy `sequence` under way: the transducer's own reducing function and what it has put out. */
class Pump {
  readonly output: unknown[] = [];
  finished = false;
  readonly #rf: unknown;

  constructor(xform: unknown) {
    const sink: LispFunction = (...args) => {
      if (args.length === 2) this.output.push(args[1]);
      return null;
    };
    this.#rf = invoke1(xform, sink);
  }

  /** Feeds elements until something comes out or the end; returns the rest of the source. */
  advance(source: unknown): unknown {
    let at: unknown = source;
    while (this.output.length === 0 && !this.finished) {
      const cells: Cell | null = seq(at);
      if (cells === null) this.finish();
      else {
        at = cells.rest();
        if (invoke2(this.#rf, null, cells.first()) instanceof Reduced) this.finish();
      }
    }
    return at;
  }

  private finish(): void {
    this.finished = true;
    invoke1(this.#rf, null);
  }
}

/** Body of a lazy `sequence` that nobody asked yet. */
export function sequenceBody(xform: unknown, source: unknown): unknown {
  return pumpBody(new Pump(xform), source);
}

/** Body of a lazy `sequence` under way. */
function pumpBody(pump: unknown, source: unknown): unknown {
  if (!(pump instanceof Pump)) return null;
  const left = pump.advance(source);
  const ready = pump.output.splice(0);
  let result: Seq = pump.finished ? EMPTY_LIST : lazySeq(pumpBody, pump, left);
  for (const element of ready.toReversed()) result = new Cons(element, result, null);
  return result;
}

/** `(sequence xform coll)`: realised when the source is, else one element at a time. */
function sequence(xform: unknown, source: unknown): unknown {
  if (isLazySource(source)) return lazySeq(sequenceBody, xform, source);
  const output: unknown[] = [];
  runTransducer(xform, source, (element) => {
    refuseLength(output.push(element));
  });
  return sequenceOfElements(output);
}

/** `sequence` gives the empty list for nothing, where other sequence functions give an empty lazy seq. */
export function sequenceOfElements(elements: readonly unknown[]): Cell {
  return elements.length === 0 ? EMPTY_LIST : realised(elements);
}

/** `(sequence xform c1 c2 …)`: the transducer's step takes one element of each. */
function sequenceOfMany(xform: unknown, sources: readonly unknown[]): unknown {
  const output: unknown[] = [];
  const sink: LispFunction = (...args) => {
    if (args.length === 2) refuseLength(output.push(args[1]));
    return null;
  };
  const rf = invoke1(xform, sink);
  let cells = sources.map(seq);
  while (cells.every((cell) => cell !== null)) {
    if (invoke(rf, [null, ...cells.map((cell) => cell?.first() ?? null)]) instanceof Reduced) break;
    cells = cells.map((cell) => next(cell));
  }
  invoke1(rf, null);
  return sequenceOfElements(output);
}

/** `cat`: each input's elements, a reduced among them marked again so that the outer reduction stops too. */
export function concatenating(rf: unknown): LispFunction {
  const step = stepOf(rf);
  return reducing(rf, (result, input) => {
    let inner = result;
    visit(input, (element) => {
      inner = step(inner, element);
      return inner instanceof Reduced;
    });
    return inner;
  });
}

/** Marks the result that `halt-when` carries out to its completion. */
class Halted {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
}

function haltWhen(test: unknown, combine: unknown): LispFunction {
  return transducer('halt-when', combine === null ? [test] : [test, combine], (rf) => {
    const step = stepOf(rf);
    return reducing(
      rf,
      (result, input) => {
        if (!isTruthy(invoke1(test, input))) return step(result, input);
        return new Reduced(new Halted(combine === null ? input : invoke2(combine, invoke1(rf, result), input)));
      },
      (result) => (result instanceof Halted ? result.value : invoke1(rf, result)),
    );
  });
}

export function transducers(): readonly Row[] {
  return [
    fixed(
      'transduce',
      'xform f coll|xform f init coll',
      'Reduces a collection through a transducer and completes the result.',
      (xform: unknown, f: unknown, collection: unknown) => transduce(xform, f, invoke0(f), collection),
      transduce,
    ),
    variadic(
      'eduction',
      'xform* coll',
      'A recipe of transducers and a source, run again at each use.',
      2,
      makeEduction,
    ),
    variadic(
      'sequence',
      'coll|xform coll|xform coll & colls',
      'The seq of a collection, perhaps through a transducer.',
      1,
      (args) => sequenceOfMany(args[0], args.slice(1)),
      (source: unknown) => seq(source) ?? EMPTY_LIST,
      sequence,
    ),
    fixed('cat', 'rf', 'A transducer that puts out the elements of each input.', concatenating),
    maker(
      fixed(
        'halt-when',
        'pred|pred retf',
        'A transducer that ends everything with the first input that passes a test.',
        (test: unknown) => haltWhen(test, null),
        haltWhen,
      ),
    ),
  ];
}

/** Bodies of the lazy seqs that this module makes, by the names under which encodings know them. */
export function transducerBodies(): LazyBodies {
  return { sequenceBody };
}
