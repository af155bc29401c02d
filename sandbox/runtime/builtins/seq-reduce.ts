import { typeName } from '../classes.ts';
import { mismatch } from '../errors.ts';
import { invoke0, invoke1, invoke2, invoke3 } from '../invoke.ts';
import { isLazySource, seq, visit } from '../sequence.ts';
import { isTruthy } from '../truth.ts';
import { Reduced } from '../values/atom.ts';
import { type LazyBodies, lazySeq } from '../values/lazy-seq.ts';
import { KeyIndex } from '../values/key-index.ts';
import { ABSENT, LispMap } from '../values/map.ts';
import { MapBuilder } from '../values/map-builder.ts';
import { Cons, realised } from '../values/seq.ts';
import { MapEntry, vector, Vector } from '../values/vector.ts';
import { reduceWith, stepOf } from './transducers.ts';
import { fixed, type Row } from './row.ts';

function reduceFrom(f: unknown, init: unknown, collection: unknown): unknown {
  return reduceWith(stepOf(f), init, collection);
}

/** Without init: an empty collection calls `(f)`, one element comes back uncalled. */
function reduce(f: unknown, collection: unknown): unknown {
  const step = stepOf(f);
  let result: unknown = ABSENT;
  visit(collection, (element) => {
    if (result === ABSENT) {
      result = element;
      return false;
    }
    result = step(result, element);
    return result instanceof Reduced;
  });
  if (result === ABSENT) return invoke0(f);
  return result instanceof Reduced ? result.value : result;
}

/** Entries of any other seqable; elements that are none are TE. */
export function visitEntries(
  operation: string,
  collection: unknown,
  visitor: (key: unknown, value: unknown) => unknown,
): void {
  visit(collection, (element) => {
    if (element instanceof MapEntry) return visitor(element.key, element.value);
    throw mismatch(element, `${operation}: ${typeName(element)} is no map entry`);
  });
}

function reduceKeyed(f: unknown, init: unknown, collection: unknown): unknown {
  let result = init;
  const step = (key: unknown, value: unknown): boolean => {
    result = invoke3(f, result, key, value);
    return result instanceof Reduced;
  };
  if (collection instanceof LispMap) collection.visit(step);
  else if (collection instanceof Vector) {
    let index = 0;
    visit(collection, (element) => step(index++, element));
  } else visitEntries('reduce-kv', collection, step);
  return result instanceof Reduced ? result.value : result;
}

function reductionsFrom(f: unknown, init: unknown, collection: unknown): unknown {
  if (isLazySource(collection)) return lazySeq(reductionsBody, f, init, collection);
  if (init instanceof Reduced) return realised([init.value]);
  const results: unknown[] = [init];
  let result = init;
  visit(collection, (element) => {
    result = invoke2(f, result, element);
    if (result instanceof Reduced) {
      results.push(result.value);
      return true;
    }
    results.push(result);
    return false;
  });
  return realised(results);
}

export function reductionsBody(f: unknown, init: unknown, collection: unknown): unknown {
  if (init instanceof Reduced) return realised([init.value]);
  return new Cons(init, lazySeq(reductionsRestBody, f, init, collection), null);
}

export function reductionsRestBody(f: unknown, result: unknown, collection: unknown): unknown {
  const cells = seq(collection);
  return cells === null ? null : reductionsBody(f, invoke2(f, result, cells.first()), cells.rest());
}

function reductions(f: unknown, collection: unknown): unknown {
  if (isLazySource(collection)) return lazySeq(reductionsStartBody, f, collection);
  const cells = seq(collection);
  return cells === null ? realised([invoke0(f)]) : reductionsFrom(f, cells.first(), cells.rest());
}

export function reductionsStartBody(f: unknown, collection: unknown): unknown {
  const cells = seq(collection);
  return cells === null ? realised([invoke0(f)]) : reductionsBody(f, cells.first(), cells.rest());
}

/** The first true answer of a test, else nil. */
function some(test: unknown, collection: unknown): unknown {
  let answer: unknown = null;
  const found = visit(collection, (element) => {
    answer = invoke1(test, element);
    return isTruthy(answer);
  });
  return found ? answer : null;
}

function every(test: unknown, collection: unknown): boolean {
  return !visit(collection, (element) => !isTruthy(invoke1(test, element)));
}

function frequencies(collection: unknown): unknown {
  const index = new KeyIndex();
  const counts: number[] = [];
  visit(collection, (element) => {
    const at = index.indexOf(element);
    counts[at] = (counts[at] ?? 0) + 1;
  });
  return mapOf(index.keys, (at) => counts[at] ?? 0);
}

/** Groups are gathered by the index of their keys, so that each key is hashed once more only at the end. */
function groupBy(f: unknown, collection: unknown): unknown {
  const index = new KeyIndex();
  const groups: unknown[][] = [];
  visit(collection, (element) => {
    const at = index.indexOf(invoke1(f, element));
    const group = groups[at];
    if (group === undefined) groups.push([element]);
    else group.push(element);
  });
  return mapOf(index.keys, (at) => vector(groups[at] ?? []));
}

function mapOf(keys: readonly unknown[], valueAt: (index: number) => unknown): unknown {
  const map = new MapBuilder();
  keys.forEach((key, at) => map.put(key, valueAt(at)));
  return map.build();
}

function zipMap(keys: unknown, values: unknown): unknown {
  const map = new MapBuilder();
  let at = seq(values);
  visit(keys, (key) => {
    if (at === null) return true;
    map.put(key, at.first());
    at = seq(at.rest());
    return false;
  });
  return map.build();
}

export function seqReduce(): readonly Row[] {
  return [
    fixed(
      'reduce',
      'f coll|f val coll',
      'One value from all elements, by a function of the result so far and the next.',
      reduce,
      reduceFrom,
    ),
    fixed('reduce-kv', 'f init coll', 'One value from all keys and values.', reduceKeyed),
    fixed('reductions', 'f coll|f init coll', 'All results on the way of a reduction.', reductions, reductionsFrom),
    fixed('some', 'pred coll', 'The first true answer of a test, or nil.', some),
    fixed('every?', 'pred coll', 'Whether all elements pass a test.', every),
    fixed(
      'not-any?',
      'pred coll',
      'Whether no element passes a test.',
      (test: unknown, c: unknown) => !isTruthy(some(test, c)),
    ),
    fixed(
      'not-every?',
      'pred coll',
      'Whether some element fails a test.',
      (test: unknown, c: unknown) => !every(test, c),
    ),
    fixed('frequencies', 'coll', 'How often each element occurs.', frequencies),
    fixed('group-by', 'f coll', 'The elements in vectors by what a function gives for them.', groupBy),
    fixed('zipmap', 'keys vals', 'A map of keys to values in step.', zipMap),
  ];
}

/** Bodies of the lazy seqs that this module makes, by the names under which encodings know them. */
export function reductionBodies(): LazyBodies {
  return { reductionsBody, reductionsRestBody, reductionsStartBody };
}
