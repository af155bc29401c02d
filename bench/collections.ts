/**
 * The persistent collections against those of compiled ClojureScript, which the package cherry-cljs ships: the same
 * work through the same functions, both called from JavaScript in one process, so that no compiler has a part in it.
 */
import * as clojureScript from 'cherry-cljs/cljs.core.js';
import { EMPTY_HIERARCHY } from '../sandbox/runtime/values/hierarchy.ts';
import { builtinTable } from '../sandbox/runtime/builtins/table.ts';
import { isFunction, type LispFunction } from '../sandbox/runtime/invoke.ts';
import { keyword } from '../sandbox/runtime/values/keyword.ts';
import { vector } from '../sandbox/runtime/values/vector.ts';
import { type Figure, median } from './figure.ts';

const rounds = 40;
/** Times ClojureScript that a figure may take. */
const most = 1.2;
const numbers = Array.from({ length: 100_000 }, (_, index) => index);
const words = numbers.map((number) => `word-${(number * 7919) % 1000}`);

/** The functions of one of the two implementations. */
interface Core {
  /** By its name in Clojure. */
  readonly call: (name: string) => LispFunction;
  readonly keyword: (name: string) => unknown;
  readonly vector: (elements: readonly unknown[]) => unknown;
}

const builtins = builtinTable({
  write: () => {},
  nextNumber: () => 0,
  hierarchy: EMPTY_HIERARCHY,
  changeHierarchy: () => {},
  readForm: () => null,
  branches: () => null,
});

const ours: Core = {
  call: (name) => functionOr(builtins.get(`clojure.core/${name}`)?.implementation, name),
  keyword: (name) => keyword(null, name),
  vector: (elements) => vector([...elements]),
};

const theirs: Core = {
  call: (name) => functionOr(Reflect.get(clojureScript, name === '+' ? '_PLUS_' : name.replaceAll('-', '_')), name),
  keyword: (name) => theirs.call('keyword')(name),
  vector: (elements) => theirs.call('vec')([...elements]),
};

function functionOr(found: unknown, name: string): LispFunction {
  if (!isFunction(found)) throw new Error(`no function ${name}`);
  return found;
}

interface Contest {
  readonly name: string;
  /** Makes the data; answers the work, which gives a number that both sides must agree on. */
  readonly prepare: (core: Core) => () => unknown;
}

function records(core: Core): unknown {
  const [id, group, score] = [core.keyword('id'), core.keyword('group'), core.keyword('score')];
  const arrayMap = core.call('array-map');
  return core.vector(
    numbers
      .slice(0, 10_000)
      .map((number) => arrayMap(id, number, group, `group-${number % 50}`, score, (number * 7919) % 10_007)),
  );
}

const contests: readonly Contest[] = [
  {
    name: 'reduce over map of 100,000',
    prepare: (core) => {
      const [reduce, map, plus, inc] = [core.call('reduce'), core.call('map'), core.call('+'), core.call('inc')];
      const elements = core.vector(numbers);
      return () => reduce(plus, 0, map(inc, elements));
    },
  },
  {
    name: 'assoc of 10,000 keys',
    prepare: (core) => {
      const [assoc, count, arrayMap] = [core.call('assoc'), core.call('count'), core.call('array-map')];
      const keys = numbers.slice(0, 10_000).map((number) => core.keyword(`key-${number}`));
      return () => {
        let map: unknown = arrayMap();
        for (const key of keys) map = assoc(map, key, 1);
        return count(map);
      };
    },
  },
  {
    name: 'group-by over 10,000 maps',
    prepare: (core) => {
      const [groupBy, count, maps, key] = [
        core.call('group-by'),
        core.call('count'),
        records(core),
        core.keyword('group'),
      ];
      return () => count(groupBy(key, maps));
    },
  },
  {
    name: 'sort-by over 10,000 maps',
    prepare: (core) => {
      const [sortBy, first, get] = [core.call('sort-by'), core.call('first'), core.call('get')];
      const [maps, key, id] = [records(core), core.keyword('score'), core.keyword('id')];
      return () => get(first(sortBy(key, maps)), id);
    },
  },
  {
    name: 'frequencies of 100,000 words',
    prepare: (core) => {
      const [frequencies, get, elements] = [core.call('frequencies'), core.call('get'), core.vector(words)];
      return () => get(frequencies(elements), 'word-7');
    },
  },
];

function timed(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

export function collectionFigures(): Figure[] {
  return contests.map(({ name, prepare }) => {
    const [left, right] = [prepare(ours), prepare(theirs)];
    if (String(left()) !== String(right())) throw new Error(`${name}: ${String(left())} is not ${String(right())}`);
    const samples: { readonly left: number; readonly right: number }[] = [];
    // In turn, so that whatever else the machine does slows both.
    for (let round = 0; round < rounds; round += 1) samples.push({ left: timed(left), right: timed(right) });
    const late = samples.slice(rounds / 4);
    const [leftMs, rightMs] = [median(late.map((sample) => sample.left)), median(late.map((sample) => sample.right))];
    return {
      name: `${name}, svc-lisp / ClojureScript`,
      value: leftMs / rightMs,
      unit: 'x',
      bound: { kind: 'most', value: most },
      detail: `${leftMs.toFixed(2)} ms against ${rightMs.toFixed(2)} ms`,
    };
  });
}
