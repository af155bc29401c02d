import { isLazySource, next, refuseLength, seq, toArray, visit } from '../sequence.ts';
import { invoke, invoke1, invoke2, isFunction, type LispFunction } from '../invoke.ts';
import { isTruthy } from '../truth.ts';
import { equals } from '../equality.ts';
import { getOr } from '../lookup.ts';
import { type LazyBodies, lazySeq, STRIDE } from '../values/lazy-seq.ts';
import { ABSENT, LispMap } from '../values/map.ts';
import { type Cell, Cons, realised, type Seq } from '../values/seq.ts';
import { EMPTY_SET, HashSet, SetBuilder } from '../values/set.ts';
import { Vector, vector } from '../values/vector.ts';
import { keepMeta } from '../metadata.ts';
import { replaceText } from './string-replace.ts';
import { prependElements, concatenated } from './seq-join.ts';
import { concatenating, reducing, sequenceOfElements, stepOf, transducer } from './transducers.ts';
import { fixed, type FunctionRow, maker, type Row, variadic } from './row.ts';

/** An element before a lazy rest. */
function lazyCons(element: unknown, rest: Seq): Seq {
  return new Cons(element, rest, null);
}

// map

function mapOne(f: unknown, source: unknown): unknown {
  return isLazySource(source) ? lazySeq(mapBody, f, source) : realised(mapped(f, source));
}

function mapped(f: unknown, source: unknown): unknown[] {
  const results: unknown[] = [];
  if (source instanceof Vector || !isFunction(f)) {
    visit(source, (element) => {
      results.push(invoke1(f, element));
    });
    return results;
  }
  const elements = toArray(source);
  for (let i = 0; i < elements.length; i++) results.push(f(elements[i]));
  return results;
}

export function mapBody(f: unknown, source: unknown): unknown {
  const cells = seq(source);
  return cells === null ? null : lazyCons(invoke1(f, cells.first()), lazySeq(mapBody, f, cells.rest()));
}

/** As `map` of several collections: it ends with the shortest, and is lazy where one of them is. */
export function mapMany(f: unknown, sources: readonly unknown[]): unknown {
  if (sources.some(isLazySource)) return lazySeq(mapManyBody, f, ...sources);
  return realised(mappedMany(f, sources));
}

function mappedMany(f: unknown, sources: readonly unknown[]): unknown[] {
  const arrays = sources.map(toArray);
  const shortest = Math.min(...arrays.map((array) => array.length));
  const [a = [], b = []] = arrays;
  const results: unknown[] = [];
  for (let i = 0; i < shortest; i++) {
    results.push(
      arrays.length === 2
        ? invoke2(f, a[i], b[i])
        : invoke(
            f,
            arrays.map((array) => array[i]),
          ),
    );
  }
  return results;
}

export function mapManyBody(f: unknown, ...sources: readonly unknown[]): unknown {
  const cells: Cell[] = [];
  for (const source of sources) {
    const cell = seq(source);
    if (cell === null) return null;
    cells.push(cell);
  }
  const value = invoke(
    f,
    cells.map((cell) => cell.first()),
  );
  return lazyCons(value, lazySeq(mapManyBody, f, ...cells.map((cell) => cell.rest())));
}

/** The reducing function of `map`; its step also takes one element of each of several sources. */
function mappingStep(f: unknown, rf: unknown): LispFunction {
  const step = stepOf(rf);
  const single = reducing(rf, (result, input) => step(result, invoke1(f, input)));
  return (...args) => (args.length < 3 ? single(...args) : step(args[0], invoke(f, args.slice(1))));
}

function mapping(f: unknown): LispFunction {
  return transducer('map', [f], (rf) => mappingStep(f, rf));
}

// filter, remove, keep: one shape, distinguished by what they put out

/** What an element and its index put out, or ABSENT for nothing. */
type Choice = (f: unknown, element: unknown, index: number) => unknown;

const CHOICES: Readonly<Record<string, Choice>> = {
  filter: (f, element) => (isTruthy(invoke1(f, element)) ? element : ABSENT),
  remove: (f, element) => (isTruthy(invoke1(f, element)) ? ABSENT : element),
  keep: (f, element) => invoke1(f, element) ?? ABSENT,
  'map-indexed': (f, element, index) => invoke2(f, index, element),
  'keep-indexed': (f, element, index) => invoke2(f, index, element) ?? ABSENT,
};

function choiceNamed(name: unknown): Choice {
  const choice = typeof name === 'string' ? CHOICES[name] : undefined;
  if (choice === undefined) throw new TypeError('no such choice');
  return choice;
}

export function chooseBody(name: unknown, f: unknown, source: unknown, from: unknown): unknown {
  const choice = choiceNamed(name);
  let index = Number(from);
  const far = index + STRIDE;
  for (let cells = seq(source); cells !== null; cells = next(cells), index++) {
    if (index === far) return lazySeq(chooseBody, name, f, cells, index);
    const chosen = choice(f, cells.first(), index);
    if (chosen !== ABSENT) return lazyCons(chosen, lazySeq(chooseBody, name, f, cells.rest(), index + 1));
  }
  return null;
}

function choosing(name: string, parameters: string, doc: string): FunctionRow {
  const choice = choiceNamed(name);
  return fixed(
    name,
    parameters,
    doc,
    (f: unknown) =>
      transducer(name, [f], (rf) => {
        const step = stepOf(rf);
        let index = 0;
        return reducing(rf, (result, input) => {
          const chosen = choice(f, input, index++);
          return chosen === ABSENT ? result : step(result, chosen);
        });
      }),
    (f: unknown, source: unknown) =>
      isLazySource(source) ? lazySeq(chooseBody, name, f, source, 0) : realised(chosenFrom(choice, f, source)),
  );
}

function chosenFrom(choice: Choice, f: unknown, source: unknown): unknown[] {
  const results: unknown[] = [];
  let index = 0;
  visit(source, (element) => {
    const chosen = choice(f, element, index++);
    if (chosen !== ABSENT) results.push(chosen);
  });
  return results;
}

// mapcat

function mapConcatOne(f: unknown, source: unknown): unknown {
  if (isLazySource(source)) return lazySeq(mapConcatBody, f, source);
  const elements = toArray(source);
  const results: unknown[] = [];
  for (let i = 0; i < elements.length; i++) {
    const part = invoke1(f, elements[i]);
    if (isLazySource(part)) {
      return prependElements(results, lazySeq(mapConcatRestBody, part, f, realised(elements.slice(i + 1))));
    }
    visit(part, (element) => {
      results.push(element);
    });
    refuseLength(results.length);
  }
  return realised(results);
}

export function mapConcatBody(f: unknown, source: unknown): unknown {
  let at: unknown = source;
  for (;;) {
    const cells: Cell | null = seq(at);
    if (cells === null) return null;
    const part = seq(invoke1(f, cells.first()));
    at = cells.rest();
    if (part !== null) return lazyCons(part.first(), lazySeq(mapConcatRestBody, part.rest(), f, at));
  }
}

export function mapConcatRestBody(part: unknown, f: unknown, source: unknown): unknown {
  const cells = seq(part);
  if (cells === null) return mapConcatBody(f, source);
  return lazyCons(cells.first(), lazySeq(mapConcatRestBody, cells.rest(), f, source));
}

function mapConcatTransducer(f: unknown): LispFunction {
  return transducer('mapcat', [f], (rf) => mappingStep(f, concatenating(rf)));
}

// distinct, dedupe

function distinct(source: unknown): unknown {
  if (isLazySource(source)) return lazySeq(distinctBody, source, EMPTY_SET);
  const seen = new SetBuilder();
  const results: unknown[] = [];
  visit(source, (element) => {
    if (seen.add(element)) results.push(element);
  });
  return realised(results);
}

export function distinctBody(source: unknown, seen: unknown): unknown {
  const known = seen instanceof HashSet ? seen : EMPTY_SET;
  let left = STRIDE;
  for (let cells = seq(source); cells !== null; cells = next(cells), left--) {
    if (left === 0) return lazySeq(distinctBody, cells, known);
    const element = cells.first();
    if (known.lookup(element) === ABSENT) {
      return lazyCons(element, lazySeq(distinctBody, cells.rest(), known.conj(element)));
    }
  }
  return null;
}

function distinctTransducer(): LispFunction {
  return transducer('distinct', [], (rf) => {
    const seen = new SetBuilder();
    const step = stepOf(rf);
    return reducing(rf, (result, input) => (seen.add(input) ? step(result, input) : result));
  });
}

function dedupe(source: unknown): unknown {
  if (isLazySource(source)) return lazySeq(dedupeBody, source, ABSENT);
  const results: unknown[] = [];
  let last: unknown = ABSENT;
  visit(source, (element) => {
    if (last === ABSENT || !equals(last, element)) results.push(element);
    last = element;
  });
  return sequenceOfElements(results);
}

export function dedupeBody(source: unknown, last: unknown): unknown {
  let left = STRIDE;
  for (let cells = seq(source); cells !== null; cells = next(cells), left--) {
    if (left === 0) return lazySeq(dedupeBody, cells, last);
    const element = cells.first();
    if (last === ABSENT || !equals(last, element)) return lazyCons(element, lazySeq(dedupeBody, cells.rest(), element));
  }
  return null;
}

function dedupeTransducer(): LispFunction {
  return transducer('dedupe', [], (rf) => {
    let last: unknown = ABSENT;
    const step = stepOf(rf);
    return reducing(rf, (result, input) => {
      const repeated = last !== ABSENT && equals(last, input);
      last = input;
      return repeated ? result : step(result, input);
    });
  });
}

// replace

function replacement(table: unknown, element: unknown): unknown {
  if (table instanceof LispMap) {
    const found = table.lookup(element);
    return found === ABSENT ? element : found;
  }
  return getOr(table, element, element);
}

function replaced(table: unknown, source: unknown): unknown {
  if (isLazySource(source)) return lazySeq(replaceBody, table, source);
  const results = toArray(source).map((element) => replacement(table, element));
  return source instanceof Vector ? keepMeta(vector(results), source) : realised(results);
}

export function replaceBody(table: unknown, source: unknown): unknown {
  const cells = seq(source);
  return cells === null ? null : lazyCons(replacement(table, cells.first()), lazySeq(replaceBody, table, cells.rest()));
}

function replaceTransducer(table: unknown): LispFunction {
  return transducer('replace', [table], (rf) => {
    const step = stepOf(rf);
    return reducing(rf, (result, input) => step(result, replacement(table, input)));
  });
}

export function seqTransform(): readonly Row[] {
  return [
    maker(
      variadic(
        'map',
        'f|f coll|f c1 c2|f c1 c2 c3|f c1 c2 c3 & colls',
        'What a function gives for each element, or for the elements of several collections in step.',
        1,
        (args) => mapMany(args[0], args.slice(1)),
        mapping,
        mapOne,
      ),
    ),
    variadic(
      'mapv',
      'f coll|f c1 c2|f c1 c2 c3|f c1 c2 c3 & colls',
      'As map, into a vector.',
      2,
      (args) => vector(toArray(mapMany(args[0], args.slice(1)))),
      (f: unknown, source: unknown) => vector(mapped(f, source)),
    ),
    maker(choosing('filter', 'pred|pred coll', 'The elements that pass a test.')),
    maker(choosing('remove', 'pred|pred coll', 'The elements that fail a test.')),
    maker(choosing('keep', 'f|f coll', 'What a function gives for each element, without nil.')),
    maker(choosing('map-indexed', 'f|f coll', 'What a function gives for each index and element.')),
    maker(choosing('keep-indexed', 'f|f coll', 'What a function gives for each index and element, without nil.')),
    fixed('filterv', 'pred coll', 'The elements that pass a test, in a vector.', (f: unknown, source: unknown) =>
      vector(chosenFrom(choiceNamed('filter'), f, source)),
    ),
    maker(
      variadic(
        'mapcat',
        'f|f & colls',
        'The elements of all collections that a function gives.',
        1,
        (args) => concatenated(mapMany(args[0], args.slice(1))),
        mapConcatTransducer,
        mapConcatOne,
      ),
    ),
    maker(fixed('distinct', '|coll', 'The elements without later equal ones.', distinctTransducer, distinct)),
    maker(fixed('dedupe', '|coll', 'The elements without equal neighbours.', dedupeTransducer, dedupe)),
    maker(
      fixed(
        'replace',
        'smap|smap coll|s match replacement',
        'The elements with those that a table knows replaced by its values; with three arguments clojure.string/replace.',
        replaceTransducer,
        replaced,
        replaceText,
      ),
    ),
  ];
}

/** Bodies of the lazy seqs that this module makes, by the names under which encodings know them. */
export function transformBodies(): LazyBodies {
  return { mapBody, mapManyBody, chooseBody, mapConcatBody, mapConcatRestBody, distinctBody, dedupeBody, replaceBody };
}
