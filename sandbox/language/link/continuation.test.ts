import { expect } from 'chai';
import type { Continuation, EvaluateReply } from '../../../contract/sandbox-protocol.ts';
import { component, guestUnderTest } from '../testing/guest-under-test.ts';

const COMMIT = { memory_bytes: 2_000_000, history_bytes: 1_000_000 };

type Success = Extract<EvaluateReply, { value: string | null }>;

function storedReply(reply: EvaluateReply): Success & { readonly continuation: Continuation } {
  if (reply.outcome === 'evaluation_error') throw new Error(reply.fault.message);
  const { continuation } = reply;
  if (continuation === undefined) throw new Error(`nothing was kept: ${reply.commit_refusal ?? reply.outcome}`);
  return { ...reply, continuation };
}

const LIBRARY = component(
  'lib',
  '(ns my.lib) (defn adder [n] (fn [x] (+ n x))) (defmulti kind :kind) (defmethod kind :a [_] "an a") (def table {:f inc}) (defprotocol Shape (area [s]) (grown [s n])) (defrecord Square [side] Shape (area [_] (* side side)) (grown [_ n] (->Square (+ side n)))) (extend-type String Shape (area [s] (count s))) (def ^:dynamic *unit* :cm) (defn unit [] *unit*) (defn circle [r] (reify Shape (area [_] (* 3 r r))))',
);

/** Evaluates programs one after the other, each in a guest of its own; the printed value of the last. */
function acrossGuests(programs: readonly string[]): string | null {
  let continuation: Continuation | null = null;
  let value: string | null = null;
  for (const source of programs) {
    const guest = guestUnderTest();
    const compiled = guest.compile([LIBRARY]);
    if (compiled.status === 'compiled') guest.load(compiled.code);
    const reply = storedReply(guest.evaluate(source, { continuation, commit: COMMIT }));
    ({ continuation, value } = reply);
  }
  return value;
}

const STORIES: readonly (readonly [rule: string, programs: readonly string[], last: string])[] = [
  ['definitions see later redefinitions', ['(defn g [] 1) (defn f [] (g))', '(defn g [] 2)', '(f)'], '2'],
  [
    'closures keep what they captured',
    ['(def add (let [n 5 m {:x 1}] (fn [x] [(+ x n) m])))', '(add 2)'],
    '[7 {:x 1}]',
  ],
  [
    'two definitions hold one atom',
    ['(def a (atom 1)) (def b {:held a})', '(swap! a inc) [(identical? a (:held b)) @(:held b)]'],
    '[true 2]',
  ],
  ['definitions and history hold one atom', ['(def a (atom 1)) a', '(swap! *1 inc) @a'], '2'],
  ['an atom that holds itself', ['(def a (atom nil)) (reset! a [a]) nil', '(identical? a (first @a))'], 'true'],
  [
    'validators stay',
    ['(def a (atom 1 :validator pos?))', '(try (reset! a -1) (catch IllegalStateException e (ex-message e)))'],
    '"Invalid reference state"',
  ],
  [
    'mutually recursive closures',
    [
      '(def e (letfn [(ev [n] (if (zero? n) true (od (dec n)))) (od [n] (if (zero? n) false (ev (dec n))))] ev))',
      '(e 11)',
    ],
    'false',
  ],
  [
    'an endless seq goes on where it was',
    ['(def s (map #(* % %) (iterate inc 1))) (take 3 s)', '(take 5 s)'],
    '(1 4 9 16 25)',
  ],
  [
    'elements are computed once',
    [
      '(def n (atom 0)) (def s (map (fn [x] (swap! n inc) x) (iterate inc 0))) (doall (take 3 s))',
      '(doall (take 4 s)) @n',
    ],
    '4',
  ],
  [
    'for over a lazy source',
    ['(def s (for [x (iterate inc 1) y [:a :b] :when (odd? x)] [x y])) (first s)', '(take 3 s)'],
    '([1 :a] [1 :b] [3 :a])',
  ],
  [
    'a lazy-seq of the program',
    ['(defn from [n] (lazy-seq (cons n (from (inc n))))) (def s (from 0)) (second s)', '(nth s 5)'],
    '5',
  ],
  [
    'partition over an endless seq',
    ['(def p (partition 2 3 (iterate inc 0))) (first p)', '(take 3 p)'],
    '((0 1) (3 4) (6 7))',
  ],
  ['a delay that was not forced', ['(def d (delay (println "now") 7))', '[(realized? d) @d @d]'], '[false 7 7]'],
  [
    'a delay that failed',
    [
      '(def d (delay (throw (ex-info "m" {:a 1})))) (try @d (catch Exception e nil))',
      '(try @d (catch Exception e (ex-data e)))',
    ],
    '{:a 1}',
  ],
  ['a volatile and a reduced', ['(def v (volatile! [1])) (def r (reduced 2))', '(vswap! v conj @r) @v'], '[1 2]'],
  [
    'multimethods with their methods and preferences',
    ['(derive ::r ::s) (defmulti m identity) (defmethod m ::s [_] :s)', '(defmethod m :t [_] :t) [(m ::r) (m :t)]'],
    '[:s :t]',
  ],
  [
    'a hierarchy of its own',
    [
      '(def h (atom (derive (make-hierarchy) :c :p))) (defmulti m identity :hierarchy h) (defmethod m :p [_] 1)',
      '(m :c)',
    ],
    '1',
  ],
  [
    'sorted collections with their comparators',
    ['(def s (sorted-map-by (fn [a b] (compare b a)) 1 :a 2 :b))', '(assoc s 3 :c)'],
    '{3 :c, 2 :b, 1 :a}',
  ],
  [
    'functions that built-ins made',
    [
      '(def f (comp inc (partial * 2) (fnil identity 4) (complement nil?) ))  (def t (comp (map inc) (filter odd?) (take 2)))',
      '(into [] t [2 4 6])',
    ],
    '[3 5]',
  ],
  [
    'memoize without its cache',
    ['(def n (atom 0)) (def f (memoize (fn [x] (swap! n inc) x))) (f 1) (f 1)', '(f 1) (f 1) @n'],
    '2',
  ],
  [
    'metadata on values, functions and variables',
    [
      '(def ^{:k 1} v (with-meta [1] {:m 2})) (def f (with-meta (fn [] 3) {:n 4}))',
      '[(meta v) (:k (meta (var v))) (meta f) (f)]',
    ],
    '[{:m 2} 1 {:n 4} 3]',
  ],
  [
    'component functions, closures and multimethods',
    [
      '(def p my.lib/adder) (def q (my.lib/adder 4)) (def k my.lib/kind)',
      '[(= p my.lib/adder) (q 1) (identical? k my.lib/kind) (k {:kind :a})]',
    ],
    '[true 5 true "an a"]',
  ],
  [
    'exceptions',
    [
      '(def e (try (/ 1 0) (catch Exception e (ex-info "outer" {:a 1} e))))',
      '[(ex-message e) (ex-message (ex-cause e)) (class (ex-cause e))]',
    ],
    '["outer" "Divide by zero" java.lang.ArithmeticException]',
  ],
  ['regexes are themselves', ['(def r #"a+") (def q r)', '[(= r q) (re-find r "baa")]'], '[true "aa"]'],
  [
    'dates and times',
    [
      '(def t [#inst "2020-01-02" #uuid "00000000-0000-0000-0000-000000000001" (java.time.LocalDate/parse "2024-02-29") (java.time.Duration/ofSeconds -5) java.time.temporal.ChronoUnit/DAYS])',
      '[(first t) (second t) (str (nth t 2)) (str (nth t 3)) (= (nth t 4) java.time.temporal.ChronoUnit/DAYS)]',
    ],
    '[#inst "2020-01-02T00:00:00.000-00:00" #uuid "00000000-0000-0000-0000-000000000001" "2024-02-29" "PT-5S" true]',
  ],
  [
    'sets of functions keep their order',
    ['(def fs [inc dec str]) (def s (set fs)) (def o (vec s))', '[(= o (vec s)) (contains? s inc) (= (conj s inc) s)]'],
    '[true true true]',
  ],
  [
    'maps whose keys hold lazy seqs',
    [
      '(def m {(take 2 (iterate inc 1)) :a, [(map inc (take 2 (iterate inc 1)))] :b, {:k (take 1 (iterate inc 1))} :c})',
      '[(m [1 2]) (m [[2 3]]) (m {:k [1]})]',
    ],
    '[:a :b :c]',
  ],
  ['gensym goes on', ['(def a (gensym))', '(= a (gensym))'], 'false'],
  ['declared names', ['(declare later) (defn f [] (later))', '(defn later [] 9)', '(f)'], '9'],
  [
    'tools, Java members and control as values',
    ['(def f [Math/abs String/.length return])', '[((first f) -3) ((second f) "abc")]'],
    '[3 3]',
  ],
  ['source and doc of definitions', ['(defn f "Says." [x] x)', '(source f)'], 'nil'],
  [
    'what doc and dir tell',
    ['(defn f "Says." [x] x) (defn- g [] 1)', '[(with-out-str (doc f)) (dir user)]'],
    '["user/f\\n([x])\\n  Says.\\n" ["user/f"]]',
  ],
  [
    'records of their type',
    [
      '(defrecord P [x y]) (def p (with-meta (assoc (->P 1 [2]) :z 3) {:m 1}))',
      '[p (= p (assoc (->P 1 [2]) :z 3)) (instance? P p) (= p {:x 1 :y [2] :z 3}) (meta p) (P. 5 6)]',
    ],
    '[#user.P{:x 1, :y [2], :z 3} true true false {:m 1} #user.P{:x 5, :y 6}]',
  ],
  [
    'records of a type that was defined again',
    [
      '(defrecord P [x]) (def p (->P 1))',
      '(defrecord P [x]) (def q (->P 1))',
      '[(= p q) (instance? P p) (instance? P q) (= (class p) (class (assoc p :x 2))) p]',
    ],
    '[false false true true #user.P{:x 1}]',
  ],
  [
    'records as keys, and their order',
    [
      '(defrecord P [n]) (def s (set (map ->P (range 12))))',
      '[(= (map :n s) (map :n (set (map ->P (range 12))))) (contains? s (->P 3)) (contains? s {:n 3})]',
    ],
    '[true true false]',
  ],
  [
    'methods of records with what they captured',
    [
      '(defprotocol F (f [this n])) (let [k (atom 10)] (defrecord R [x] F (f [this n] (swap! k + n x)))) (def r (->R 1))',
      '(f r 1) (f (->R 2) 2)',
      '(f r 0)',
    ],
    '17',
  ],
  [
    'protocols and what extends them',
    [
      '(defprotocol F (f [this])) (extend-protocol F String (f [s] [:s s]) nil (f [_] :nil) clojure.lang.Sequential (f [xs] (mapv f xs)))',
      '(extend-type Long F (f [n] [:n n]))',
      '[(f ["a" nil 1]) (satisfies? F 1) (satisfies? F :k) (try (f :k) (catch IllegalArgumentException e (ex-message e)))]',
    ],
    `[[[:s "a"] :nil [:n 1]] true false "No implementation of method: :f of protocol: #'user/F found for class: clojure.lang.Keyword"]`,
  ],
  [
    'methods as values, and objects of reify',
    [
      '(defprotocol F (f [this] [this n])) (def g f) (def n (atom 0)) (def o (with-meta (reify F (f [_] (swap! n inc)) (f [this k] [(f this) k]) Object (toString [_] "an o")) {:a 1})) (def all [o o])',
      '[(g o) (f o 5) (str o) (meta o) (= o (first all) (second all)) @n]',
    ],
    '[1 [2 5] "an o" {:a 1} true 2]',
  ],
  [
    'matchers where they are',
    [
      String.raw`(def m (re-matcher #"(?<d>\d)" "1 2 3")) (re-find m)`,
      '[(re-groups m) (re-find m) (.group m "d")]',
      '[(re-groups m) (re-find m) (re-find m)]',
    ],
    '[["2" "2"] ["3" "3"] nil]',
  ],
  [
    'queues',
    [
      '(def q (pop (into clojure.lang.PersistentQueue/EMPTY (range 5)))) (def e clojure.lang.PersistentQueue/EMPTY)',
      '[(peek q) (vec (conj q 9)) (count e) (identical? e clojure.lang.PersistentQueue/EMPTY) (= q [1 2 3 4])]',
    ],
    '[1 [1 2 3 4 9] 0 true true]',
  ],
  [
    'root values under a binding that ended',
    [
      '(def ^:dynamic *x* 1) (defn f [] *x*) (binding [*x* 5] (def g (fn [] [*x* (f)])) (set! *x* 6))',
      '[(g) (binding [*x* 2] (g)) (binding [my.lib/*unit* :m] (my.lib/unit)) (my.lib/unit)]',
    ],
    '[[1 1] [2 2] :m :cm]',
  ],
  [
    'protocols, records and objects of components',
    [
      '(def s (my.lib/->Square 2)) (def c (my.lib/circle 1)) (def P my.lib/Shape) (defrecord Dot [] my.lib/Shape (area [_] 0))',
      '[s (my.lib/area s) (my.lib/grown s 1) (= s (my.lib/->Square 2)) (my.lib/area c) (my.lib/area (->Dot)) (my.lib/area "abc") (satisfies? P s) (identical? P my.lib/Shape) (instance? my.lib/Square s) (instance? my.lib.Square s) (my.lib.Square. 3)]',
    ],
    '[#my.lib.Square{:side 2} 4 #my.lib.Square{:side 3} true 3 0 3 true true true true #my.lib.Square{:side 3}]',
  ],
  [
    'variables of built-ins, and what is said of them',
    ["(def v #'filter)", "[(= v #'filter) (:arglists (meta v))]"],
    '[true ([pred] [pred coll])]',
  ],
];

describe('a continuation', () => {
  for (const [rule, programs, last] of STORIES) {
    it(`keeps: ${rule}`, () => {
      expect(acrossGuests(programs)).to.equal(last);
    });
  }

  it('keeps captured programs', () => {
    expect(acrossGuests(['(def p (program (+ 1 2)))', '(str p)'])).to.equal(acrossGuests(['(str (program (+ 1 2)))']));
  });

  it('is the same text in the guest that lives on and in one that it was restored in', () => {
    for (const [rule, programs] of STORIES) {
      // Guests of one process number what they hash by identity together; isolates do so alone.
      if (rule.startsWith('sets of functions')) continue;
      const living = guestUnderTest();
      const code = living.compile([LIBRARY]);
      if (code.status === 'compiled') living.load(code.code);
      let continuation: Continuation | null = null;
      for (const source of programs) {
        const fresh = guestUnderTest();
        if (code.status === 'compiled') fresh.load(code.code);
        const restored = storedReply(fresh.evaluate(source, { continuation, commit: COMMIT }));
        const onward = storedReply(
          living.evaluate(source, { continuation: continuation === null ? null : 'living', commit: COMMIT }),
        );
        expect(restored).to.deep.equal(onward);
        ({ continuation } = restored);
      }
    }
  });

  it('has three values of ordinary evaluations, newest first, and none of return', () => {
    expect(acrossGuests(['1', '2', '(return 9)', '3', '4', '[*1 *2 *3]'])).to.equal('[4 3 2]');
  });

  it('is empty when nothing was defined', () => {
    const { continuation } = storedReply(
      guestUnderTest().evaluate('(return 1)', { continuation: null, commit: COMMIT }),
    );
    expect(continuation).to.deep.equal({
      definitions: '',
      history: [],
      defined_count: 0,
      history_count: 0,
      memory_bytes: 0,
      history_bytes: 0,
    });
  });

  it('holds only the code of the functions that are kept', () => {
    const large = `(def n (count [${'"constant" '.repeat(200)}])) (defn unused [] (str "${'x'.repeat(500)}")) (defn f [] n)`;
    const { continuation } = storedReply(
      guestUnderTest().evaluate(`${large} (def unused nil)`, { continuation: null, commit: COMMIT }),
    );
    expect(continuation.definitions).not.to.include('x'.repeat(500) + '")\\n');
    expect(continuation.definitions.match(/x{500}/g)).to.equal(null);
  });

  const EDGES = ['memory_bytes', 'history_bytes'] as const;
  for (const edge of EDGES) {
    it(`is refused one byte below its ${edge}, and kept at it`, () => {
      const source = '(def text "täxt that is defined") "äöü and more"';
      const { continuation } = storedReply(guestUnderTest().evaluate(source, { continuation: null, commit: COMMIT }));
      const { [edge]: bytes } = {
        memory_bytes: Buffer.byteLength(continuation.definitions),
        history_bytes: Buffer.byteLength(continuation.history.join('')),
      };
      expect(
        storedReply(guestUnderTest().evaluate(source, { continuation: null, commit: { ...COMMIT, [edge]: bytes } }))
          .continuation,
      ).to.deep.equal(continuation);
      const guest = guestUnderTest();
      const refused = guest.evaluate(source, { continuation: null, commit: { ...COMMIT, [edge]: bytes - 1 } });
      expect(refused).to.include({
        outcome: 'continued',
        commit_refusal: edge === 'memory_bytes' ? 'memory_exceeded' : 'history_exceeded',
      });
      expect(refused).not.to.have.property('continuation');
      const after = guest.evaluate('1', { continuation: 'living', commit: COMMIT });
      expect(after.outcome === 'evaluation_error' && after.fault.reason).to.equal('continuation_invalid');
    });
  }

  it('is not made of what belongs to its evaluation', () => {
    const reply = guestUnderTest().evaluate('(def t (transient []))', { continuation: null, commit: COMMIT });
    expect(reply.outcome === 'evaluation_error' && reply.fault).to.include({
      reason: 'value_error',
      message: 'What was defined or returned cannot be kept: it holds PersistentVector$TransientVector',
    });
  });

  it('is written besides, for a person who types: what cannot be written and what failed leave the isolate as of use', () => {
    const typed = { continuation: 'living', commit: COMMIT, keeps_isolate: true } as const;
    const guest = guestUnderTest();
    expect(guest.evaluate('(def a 1) a', typed)).to.have.nested.property('continuation.history_count', 1);
    const failed = guest.evaluate('(def a 2) (def b (/ 1 0))', typed);
    expect(failed.outcome).to.equal('evaluation_error');
    expect(guest.evaluate('a', typed)).to.include({ value: '1' });
    const alone = guest.evaluate('(transient [])', typed);
    expect(alone).to.have.nested.property('continuation.history_count', 0);
    expect(guest.evaluate('(count *1)', typed)).to.include({ value: '0' });
    expect(guest.evaluate('(def t (transient []))', typed))
      .to.include({ outcome: 'continued' })
      .and.not.to.have.any.keys('continuation', 'commit_refusal');
    expect(guest.evaluate('[a (count t)]', typed)).to.include({ value: '[1 0]' });
    const large = guest.evaluate('(def t nil) (def x "äöü")', {
      ...typed,
      commit: { memory_bytes: 8, history_bytes: 8 },
    });
    expect(large)
      .to.include({ outcome: 'continued', commit_refusal: 'memory_exceeded' })
      .and.not.to.have.property('continuation');
    const { continuation } = storedReply(guest.evaluate('x', typed));
    expect(guestUnderTest().evaluate('[a x *1]', { ...typed, continuation })).to.include({ value: '[1 "äöü" "äöü"]' });
  });

  it('that no guest wrote is refused', () => {
    for (const definitions of [
      'nonsense',
      '0:',
      '0:v4:0,nv0:v0:x',
      '1:1:a3:}{)0',
      '0:v4:0,nv1:nv0:',
      `1:1:a20:throw new Error("x");v0:`,
    ]) {
      const reply = guestUnderTest().evaluate('1', { continuation: { definitions, history: [] }, commit: COMMIT });
      expect(reply.outcome === 'evaluation_error' && reply.fault.reason, definitions).to.equal('continuation_invalid');
    }
    const reply = guestUnderTest().evaluate('1', {
      continuation: { definitions: '', history: ['0:^7,'] },
      commit: COMMIT,
    });
    expect(reply.outcome === 'evaluation_error' && reply.fault.reason).to.equal('continuation_invalid');
  });
});
