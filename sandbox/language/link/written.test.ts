import { expect } from 'chai';
import fc from 'fast-check';
import type { EvaluateReply } from '../../../contract/sandbox-protocol.ts';
import { evaluate } from '../evaluate.ts';
import { encodeContinuation, restoreContinuation } from './continuation.ts';
import { newSession } from './new-session.ts';
import type { Session } from './session.ts';

const COMMIT = { memory_bytes: 2_000_000, history_bytes: 1_000_000 };

/** Something of every kind that can change. */
const BEGIN = `
  (def a (atom {:n 0})) (def shared [a (atom a)]) (def v (volatile! 1)) (def d (delay (swap! a update :n inc)))
  (def s (map (fn [x] [x a]) (iterate inc 0))) (def s2 (filter odd? (map inc s)))
  (def own (letfn [(f [x] (if (pos? x) (g (dec x)) v)) (g [x] (f x))] f))
  (defmulti m :kind) (defmethod m :a [_] 1) (def h (atom (make-hierarchy)))
  (def nested (atom [(atom 1) (lazy-seq (list 1 2 3))]))
  (defn counter [] (let [c (atom 0)] (fn [] (swap! c inc)))) (def c (counter)) (def inner {:k (volatile! (delay 1))})
  (declare later) (def fns [inc dec])
  (def broken (delay (throw (ex-info "x" {})))) (def memo (memoize (fn [x] x))) (def e (eduction (map inc) [1 2]))`;

/** Some change what is kept, some change nothing, some change it back. */
const PROGRAMS: readonly string[] = [
  '1',
  'nil',
  '"a longer text"',
  'a',
  '[a v]',
  '(+ 1 2)',
  '(swap! a update :n inc) nil',
  '(reset! a {:n 0}) nil',
  '(reset! (second shared) nil) 1',
  '(vreset! v (list 1 a)) 2',
  '(vswap! v vector) nil',
  '@d',
  '(take 3 s2)',
  '(first s)',
  '(dorun (take 2 s)) nil',
  '(c)',
  '(own 3)',
  '(defmethod m :b [_] 2) nil',
  '(remove-method m :a) nil',
  '(prefer-method m ::x ::y) nil',
  '(derive ::x ::y) nil',
  '(underive ::x ::y) nil',
  '(swap! h derive :c :p) nil',
  '(def later 1)',
  '(def x 1)',
  '(def x 1)',
  '(defn f [] x)',
  '(defn f [y] (+ x y))',
  '(defn ^:private f "Says." [] 1)',
  '(gensym) nil',
  '(def z 1) (return 5)',
  '(return a)',
  '(hash inc) nil',
  '(set fns)',
  '#{a v}',
  '(def held #{inc a})',
  '@(:k inner)',
  '@@(:k inner)',
  '(first (second @nested))',
  '(reset! (first @nested) @nested) nil',
  '(alter-meta! a assoc :k 1) nil',
  '(try @broken (catch Exception e nil))',
  '(memo 1)',
  '(into [] e)',
  '(def g (with-meta f {:k 1}))',
  '(ns other) (def o 1)',
  '(def p (program (+ 1 2)))',
  '(swap! a identity) nil',
  '(swap! a assoc :s s :e e) nil',
  '(compare-and-set! a @a [1]) nil',
  '(defonce x 2)',
  '(def s (rest s)) nil',
  '(def a2 a) a2',
  '(defmulti m :other)',
  ':key',
  '(do (defmethod m :b [_] 3) :key)',
  '(count (str (first s2)))',
  '(set-validator! a map?) nil',
  '(def later)',
  '(declare later2)',
  '(vary-meta fns assoc :x 1)',
  '(pmap inc [1 2])',
  '(dissoc {:a 1} :a)',
  '(realized? d)',
  '(def s3 (doall (take 2 (rest s2)))) nil',
];

function evaluated(session: Session, source: string): EvaluateReply {
  return evaluate(session, {
    operation: 'evaluate',
    environment: 'mission',
    source,
    data: {},
    tools: [],
    loop_iterations: null,
    projection: 'preview',
    continuation: 'living',
    commit: COMMIT,
  });
}

/** The texts as they are, and as they are when everything is written again. */
function texts(session: Session): readonly [kept: unknown, rewritten: unknown] {
  const stored = written(session);
  session.written = null;
  return [stored, written(session)];
}

function written(session: Session): unknown {
  const encoded = encodeContinuation(session, COMMIT);
  return 'kind' in encoded ? encoded : { ...encoded, isUnchanged: null };
}

describe('definitions that were written already', () => {
  const startSession = (): Session => {
    const session = newSession();
    const reply = evaluated(session, BEGIN);
    if (reply.outcome === 'evaluation_error') throw new Error(reply.fault.message);
    return session;
  };

  it('are kept as the text that a full rewriting gives, after any programs', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...PROGRAMS), fc.boolean()), { minLength: 1, maxLength: 12 }),
        (steps) => {
          let session = startSession();
          for (const [source, isRestored] of steps) {
            if (isRestored) {
              const from = encodeContinuation(session, COMMIT);
              if ('kind' in from) throw new Error(from.kind);
              session = newSession();
              expect(restoreContinuation(session, from)).to.equal(null);
            }
            evaluated(session, source);
            if (session.spent) return;
            const [stored, rewritten] = texts(session);
            expect(stored).to.deep.equal(rewritten);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  for (const source of PROGRAMS) {
    it(`are as if written again after ${source}`, () => {
      const session = startSession();
      evaluated(session, source);
      if (session.spent) return;
      const [stored, rewritten] = texts(session);
      expect(stored).to.deep.equal(rewritten);
    });
  }

  it('are not written again after a program that changes nothing of them', () => {
    for (const source of ['1', '(+ 1 2)', 'a', '[1 2]', '(realized? d)', ':key', '(swap! a identity) nil']) {
      const session = startSession();
      const before = session.written;
      evaluated(session, source);
      expect(session.written, source).to.equal(before);
    }
  });

  it('are within their limit or refused as when they are written', () => {
    const session = startSession();
    const whole = encodeContinuation(session, COMMIT);
    if ('kind' in whole) throw new Error(whole.kind);
    const { memory_bytes: bytes } = whole;
    expect(encodeContinuation(session, { ...COMMIT, memory_bytes: bytes })).to.deep.equal(whole);
    expect(encodeContinuation(session, { ...COMMIT, memory_bytes: bytes - 1 })).to.deep.equal({
      kind: 'memory_exceeded',
    });
  });
});
