import { expect } from 'chai';
import type { EvaluateReply, Resumption } from '../../contract/sandbox-protocol.ts';
import { component, guestUnderTest } from './testing/guest-under-test.ts';

const COMMIT = { memory_bytes: 100_000, history_bytes: 100_000 };

/** Programs one after the other, each over the definitions of those before it; what real Clojure prints of the last. */
const SESSIONS: readonly (readonly [name: string, programs: readonly string[], printed: string])[] = [
  ['names after ns in one text', ['(ns my.app) (defn f [] 1)', '[(f) (my.app/f) ::k]'], '[1 1 :my.app/k]'],
  ['ns in a program of its own', ['(ns my.app)', '(defn f [] 1)', '[(f) (var f) (my.app/f)]'], "[1 #'my.app/f 1]"],
  ['ns within a do', ['(do (ns my.app) (defn f [] 1))', '(f)'], '1'],
  ['another ns, and back', ['(def a 1)', '(ns b) (def a 2)', '(ns user)', '[a b/a]'], '[1 2]'],
  ['the names of user, qualified', ['(def a 1)', '(ns b)', '[user/a (var user/a)]'], "[1 #'user/a]"],
  ['several namespaces in one text', ['(ns a) (def x 1) (ns b) (def x 2) (def y (+ x a/x))', '[x y a/x]'], '[2 3 1]'],
  [
    'a name of another namespace by an alias',
    ['(ns a) (def x 1)', "(ns b) (require '[a :as q :refer [x]]) [q/x x]"],
    '[1 1]',
  ],
  [
    'records and protocols',
    ['(ns a) (defrecord R [x]) (defprotocol P (m [_]))', '(extend-type R P (m [r] (:x r))) (m (->R 5))'],
    '5',
  ],
  [
    'multimethods',
    ['(ns a) (defmulti k :t)', '(defmethod k :a [_] 1) (ns b) (defmethod a/k :b [_] 2)', '(map a/k [{:t :a} {:t :b}])'],
    '(1 2)',
  ],
  [
    'a definition that hides one of the core',
    ['(ns a) (defn inc [x] (* 10 x))', '(inc 2)', '(ns b)', '[(inc 2) (a/inc 2)]'],
    '[3 20]',
  ],
  ['documentation', ['(ns a) (defn f "Says." [x] x)', '(with-out-str (source f))'], '"(defn f \\"Says.\\" [x] x)\\n"'],
];

/** What real Clojure refuses as well. */
const REFUSED: readonly (readonly [name: string, programs: readonly string[], message: string])[] = [
  [
    'names of user in another namespace',
    ['(def a 1)', '(ns b) a'],
    'Unable to resolve symbol: a (did you mean user/a?)',
  ],
  [
    'names of a namespace that was left',
    ['(ns b) (def a 1)', '(ns c)', 'a'],
    'Unable to resolve symbol: a (did you mean b/a?)',
  ],
  ['what is defined before ns, after it', ['(def a 1) (ns b) a'], 'Unable to resolve symbol: a (did you mean user/a?)'],
  [
    'a private definition of another namespace',
    ['(ns a) (defn- f [] 1)', '(ns b) (a/f)'],
    'a/f is private to its namespace',
  ],
  [
    'the namespace of a library',
    ['(ns clojure.string)'],
    'The namespace clojure.string is a library; name yours otherwise',
  ],
];

type Step = (source: string) => EvaluateReply;

/** One isolate for all programs. */
function livingSession(): Step {
  const guest = guestUnderTest();
  return (source) => guest.evaluate(source, { continuation: 'living', commit: COMMIT });
}

/** A fresh isolate for each program, from what the one before wrote down. */
function writtenSession(): Step {
  let continuation: Resumption = null;
  return (source) => {
    const reply = guestUnderTest().evaluate(source, { continuation, commit: COMMIT });
    if (reply.outcome !== 'evaluation_error' && reply.continuation !== undefined) continuation = reply.continuation;
    return reply;
  };
}

describe('the namespace of programs (language.md §14)', () => {
  for (const [kind, open] of [
    ['in one isolate', livingSession],
    ['written down and restored', writtenSession],
  ] as const) {
    for (const [name, programs, printed] of SESSIONS) {
      it(`is kept for the next: ${name}, ${kind}`, () => {
        const step = open();
        expect(programs.map(step).at(-1)).to.include({ outcome: 'continued', value: printed });
      });
    }

    for (const [name, programs, message] of REFUSED) {
      it(`hides, as Clojure does: ${name}, ${kind}`, () => {
        const step = open();
        expect(programs.map(step).at(-1)).to.have.nested.property('fault.message', message);
      });
    }
  }

  it('stays as it was where a program fails', () => {
    const guest = guestUnderTest();
    const step = (source: string): EvaluateReply =>
      guest.evaluate(source, { continuation: 'living', commit: COMMIT, keeps_isolate: true });
    step('(ns a) (def x 1)');
    expect(step('(ns b) (def y 1) (/ 1 0)').outcome).to.equal('evaluation_error');
    expect(step('[x ::k]')).to.include({ value: '[1 :a/k]' });
    expect(step('b/y').outcome).to.equal('evaluation_error');
  });

  it('is told to those who keep a session', () => {
    const required = { aliases: {}, refers: {} };
    expect(guestUnderTest().evaluate('(ns a)', { required })).to.include({ namespace: 'a' });
    expect(guestUnderTest().evaluate('(ns a)')).not.to.have.property('namespace');
  });

  it('is no part of the text of definitions that are all in user', () => {
    const continuation = (source: string): unknown =>
      guestUnderTest().evaluate(source, { continuation: null, commit: COMMIT });
    expect(continuation('(def a 1)'))
      .to.have.nested.property('continuation.definitions')
      .that.does.not.include('user/');
    expect(continuation('1')).to.have.nested.property('continuation.definitions', '');
  });

  it('may be that of a component, whose other names stay', () => {
    const guest = guestUnderTest();
    const compiled = guest.compile([component('c', '(ns c)\n(defn- two [] 2)\n(defn f [] (two))')]);
    if (compiled.status !== 'compiled') throw new Error('it compiles');
    guest.load(compiled.code);
    const step = (source: string): EvaluateReply => guest.evaluate(source, { continuation: 'living', commit: COMMIT });
    step('(ns c) (defn g [] (+ (f) (two)))');
    expect(step('[(g) (f) (c/f) (c/g)]')).to.include({ value: '[4 2 2 4]' });
    step('(ns user)');
    expect(step('[(c/f) (c/g)]')).to.include({ value: '[2 4]' });
  });
});
