import { expect } from 'chai';
import { FORMS } from '../testing/names.ts';
import { guestUnderTest } from '../testing/guest-under-test.ts';

/** Texts evaluated one after the other in one session, and what the last one printed or gave. */
const PRINTS: readonly (readonly [rule: string, sources: readonly string[], printed: string])[] = [
  [
    'a definition by name, lists of parameters and text',
    ['(defn f "Adds." ([x] x) ([x & {:keys [a]}] a))', '(doc f)'],
    'user/f\n([x] [x & {:keys [a]}])\n  Adds.',
  ],
  ['a definition by its qualified name', ['(defn f [x] x)', '(doc user/f)'], 'user/f\n([x])'],
  ['a definition of the same text', ['(defn f "Adds." [x y] x) (doc f)'], 'user/f\n([x y])\n  Adds.'],
  ['a definition of a namespace that the text names', ['(ns app) (defn f [] 1) (doc f)'], 'app/f\n([])'],
  [
    'the last definition of a name',
    ['(defn f "One." [x] x)', '(defn f "Two." [y z] y)', '(doc f)'],
    'user/f\n([y z])\n  Two.',
  ],
  ['a private definition', ['(defn- f [x] x)', '(doc f)'], 'user/f\n([x])'],
  ['a value', ['(def limit "How many." 5)', '(doc limit)'], 'user/limit\n  How many.'],
  ['a multimethod', ['(defmulti area "Of a shape." :kind)', '(doc area)'], 'user/area\n  Of a shape.'],
  [
    'a definition before a built-in of that name',
    ['(defn map "Mine." [m] m)', '(doc map)'],
    'user/map\n([m])\n  Mine.',
  ],
  [
    'the built-in by its qualified name',
    ['(defn inc "Mine." [m] m)', '(doc clojure.core/inc)'],
    'clojure.core/inc\n([x])\n  One more than a number.',
  ],
  [
    'a built-in',
    ['(doc reduce)'],
    'clojure.core/reduce\n([f coll] [f val coll])\n  One value from all elements, by a function of the result so far and the next.',
  ],
  [
    'a built-in by a short prefix',
    ['(doc str/join)'],
    'clojure.string/join\n([coll] [separator coll])\n  The texts of the elements, perhaps with a separator between them.',
  ],
  ['a function of our own', ['(doc sum)'], 'sum\n([coll])\n  The sum of the numbers, without nil.'],
  ['a constant', ['(doc math/E)'], 'clojure.math/E\n  The base of natural logarithms.'],
  ['a form', ['(doc when)'], 'when\n(when test body*)\n  The body if a test is true, else nil.'],
  [
    'a form by its qualified name',
    ['(doc clojure.core/when)'],
    'when\n(when test body*)\n  The body if a test is true, else nil.',
  ],
  ['nothing of a name that means nothing', ['(doc nothing)'], 'No documentation for nothing'],
  [
    'nothing of a name that was looked for and not found',
    ['(defn g [] (h)) (defn h [] 1)', '(doc hh)'],
    'No documentation for hh',
  ],
];

const VALUES: readonly (readonly [rule: string, sources: readonly string[], value: string])[] = [
  [
    'dir names the public definitions, sorted',
    ['(def b 1) (defn a [] 1) (declare c) (defn- hidden [] 1) (def ^:private too 1)', '(dir user)'],
    '["user/a" "user/b" "user/c"]',
  ],
  ['dir knows those of the same text', ['(def b 1) (dir user)'], '["user/b"]'],
  ['dir knows the namespace that the text names', ['(ns app) (def b 1) [(dir app) (dir user)]'], '[["app/b"] []]'],
  ['dir is empty without definitions', ['[(dir user) (dir nope)]'], '[[] []]'],
  ['dir still names libraries', ['(take 2 (dir clojure.set))'], '("clojure.set/difference" "clojure.set/index")'],
  [
    'apropos looks at names, parameters and texts of definitions',
    ['(defn qqf [] 1) (defn f2 [qqx] 1) (defn f3 "A qq." [] 1)', '(apropos "qq")'],
    '["f2" "f3" "qqf"]',
  ],
  ['apropos looks at the parameters of built-ins', ['(apropos "keyseq")'], '["select-keys"]'],
  ['apropos knows forms', ['(apropos "when-")'], '["when-first" "when-let" "when-not" "when-some"]'],
  [
    'apropos takes a regex',
    ['(apropos #"^partition")'],
    '["partition" "partition-all" "partition-by" "partitionv" "partitionv-all"]',
  ],
];

function afterAll(sources: readonly string[]): ReturnType<ReturnType<typeof guestUnderTest>['evaluate']> {
  const guest = guestUnderTest();
  for (const source of sources.slice(0, -1))
    guest.evaluate(source, { commit: { memory_bytes: 1e6, history_bytes: 1e6 } });
  return guest.evaluate(sources.at(-1) ?? '');
}

describe('introspection (functions.md §17)', () => {
  for (const [rule, sources, printed] of PRINTS) {
    it(`doc tells ${rule}`, () => expect(afterAll(sources).prints.join('\n')).to.equal(printed));
  }

  for (const [rule, sources, value] of VALUES) {
    it(rule, () => expect(afterAll(sources)).to.include({ value }));
  }

  it('doc tells the shape of every form', () => {
    const guest = guestUnderTest();
    for (const name of FORMS.trim().split(/\s+/)) {
      const [printed = ''] = guest.evaluate(`(doc ${name})`).prints;
      const [first, ...others] = printed.split('\n');
      expect(first, name).to.equal(name);
      expect(others.slice(0, -1), name).to.satisfy(
        (shapes: readonly string[]) =>
          shapes.length > 0 && shapes.every((shape) => shape === `(${name})` || shape.startsWith(`(${name} `)),
      );
      expect(others.at(-1), name).to.match(/^ {2}[A-Z].*\.$/);
    }
  });
});
