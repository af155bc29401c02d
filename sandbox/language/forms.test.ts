import { expect } from 'chai';
import fc from 'fast-check';
import { guestUnderTest, outcomeOf } from './testing/guest-under-test.ts';

/** Program and its printed value, or the reason it ends with (language.md §8 to §11). */
const PROGRAMS: readonly (readonly [string, string])[] = [
  ['', 'nil'],
  ['1 2 3', '3'],
  // Names and calls (§8).
  ['(let [str 1] str)', '1'],
  ['(let [when (fn [x] [:mine x])] (when 1))', '[:mine 1]'],
  ['(let [if 5] (if true if 2))', '5'],
  ['(defn fail [x] [:mine x]) (fail 1)', '[:mine 1]'],
  ['(defn f [] (g)) (defn g [] 1) (f)', '1'],
  ['(defn f [] (g)) (f) (defn g [] 1)', 'unbound_var/IllegalStateException'],
  ['(def x) x', 'unbound_var/IllegalStateException'],
  ['(declare a b) (defn f [] [a b]) (def a 1) (def b 2) (f)', '[1 2]'],
  ['(if false (def q 1) 0) (defn f [] q) 1', '1'],
  ['(defn f [] 1) (defn g [] (f)) (defn f [] 2) (g)', '2'],
  ['(def other/x 1)', 'invalid_form'],
  ['(when false (nope1) (nope2))', 'unbound_var'],
  ['(or nope 1)', 'unbound_var'],
  ["[(:a {:a 1}) (:b {} 2) ('a {'a 3}) ({:a 4} :a) ({} :a 5) (#{6} 6) ([7] 0)]", '[1 2 3 4 5 6 7]'],
  ["(#'inc 1)", '2'],
  ['((identity :a) {:a 1})', '1'],
  ['(map :a [{:a 1}])', '(1)'],
  // What is called is looked at before its arguments, nil alone when they are there.
  ['(let [seen (atom []) f 5] (try (f (let [x (swap! seen conj 1)] x)) (catch ClassCastException e @seen)))', '[]'],
  ['(let [seen (atom []) f 5] (try (f (swap! seen conj 1)) (catch ClassCastException e @seen)))', '[]'],
  ['(let [f 5] (f (loop [i 0] (if (< i 3) (recur (inc i)) (/ 1 0)))))', 'not_callable/ClassCastException'],
  ['(let [seen (atom []) f nil] (try (f (swap! seen conj 1)) (catch NullPointerException e @seen)))', '[1]'],
  ['(defn f [x] [:old x]) (f (do (def f inc) (loop [i 0] (if (< i 3) (recur (inc i)) i))))', '[:old 3]'],
  ['[((transient [7]) 0) (ifn? (transient {}))]', '[7 true]'],
  ['when', 'invalid_form'],
  ['(map when [1])', 'invalid_form'],
  // Functions.
  ['((fn ([] 0) ([a] 1) ([a b & c] c)) 1 2 3 4)', '(3 4)'],
  ['((fn [& r] r))', 'nil'],
  ['((fn f [n acc] (if (= n 0) acc (recur (dec n) (+ acc n)))) 100000 0)', '5000050000'],
  ['((fn [x & r] (if r (recur (+ x (first r)) (next r)) x)) 1 2 3)', '6'],
  ['(fn ([x] 1) ([y] 2))', 'invalid_form'],
  ['(fn ([x & r] 1) ([& r] 2))', 'invalid_form'],
  ['(#(+ %1 %3) 1 2 3)', '4'],
  ['(#(vector % %&) 1 2)', '[1 (2)]'],
  ['(map (fn [f] (f)) (for [i [1 2 3]] (fn [] i)))', '(1 2 3)'],
  ['(loop [i 0 fs []] (if (< i 3) (recur (inc i) (conj fs (fn [] i))) (map (fn [f] (f)) fs)))', '(0 1 2)'],
  [
    '(letfn [(e? [n] (if (= n 0) true (o? (dec n)))) (o? [n] (if (= n 0) false (e? (dec n))))] [(e? 10) (o? 10)])',
    '[true false]',
  ],
  // apply (§6): an endless last argument is read as far as the parameters go; a long one needs no room on the stack.
  ['(apply (fn [a b & c] [a b (take 2 c)]) (range))', '[0 1 (2 3)]'],
  ['(apply (fn ([a] 1) ([a & c] (take 1 c))) :x (range))', '(0)'],
  ['(apply (fn [& c] (take 3 c)) 1 2 (range))', '(1 2 0)'],
  ['(apply (fn [& c] c) nil)', 'nil'],
  ['(apply (fn [a & c] c) (take 1 (range)))', 'nil'],
  ['(let [n (atom 0)] [(apply (fn [a b & c] b) (map (fn [x] (swap! n inc) x) (range))) (<= @n 4)])', '[1 true]'],
  ['(apply (fn [a] a) (range))', 'arity_error/ArityException'],
  ['(apply :k (range))', 'arity_error/ArityException'],
  [
    '[(count (apply str (repeat 300000 "a"))) (apply + (vec (repeat 300000 1))) (count (apply (fn [& c] c) (vec (repeat 300000 1))))]',
    '[300000 300000 300000]',
  ],
  ['(apply (with-meta (fn [& c] (first c)) {:a 1}) (range))', '0'],
  ["(apply #'+ 1 [2])", '3'],
  // Loops and conditionals.
  ['(loop [x 1] (+ 1 (recur 2)))', 'invalid_form'],
  ['(loop [x 1] (recur))', 'invalid_form'],
  ['(loop [x 1] (try (recur 2) (catch Throwable e 1)))', 'invalid_form'],
  ['(loop [[a & b] [1 2 3] s 0] (if a (recur b (+ s a)) s))', '6'],
  ['(loop [i 0] (and (< i 5) (recur (inc i))))', 'false'],
  ['(loop [i 0] (or (> i 5) (recur (inc i))))', 'true'],
  ['(loop [i 0] (cond (< i 5) (recur (inc i)) :else i))', '5'],
  ['(loop [i 0] (case i 3 :three (recur (inc i))))', ':three'],
  ['(loop [i 0] (when-let [x (and (< i 3) i)] (recur (inc x))))', 'nil'],
  ['[(if nil 1) (if false 1 2) (if 0 1) (if-not nil 1 2) (when nil 1) (when-not nil 1 2)]', '[nil 2 1 1 nil 2]'],
  ['[(and) (or) (and 1 nil 2) (or nil false 3) (and 1 2) (or nil false)]', '[true nil nil 3 2 false]'],
  ['(if)', 'invalid_arity'],
  ['(cond 1)', 'invalid_cond_form'],
  [
    '[(if-let [{:keys [a]} {:a 1}] a 2) (if-let [x nil] x 2) (if-some [x false] x 2) (when-some [x nil] 1) (when-first [x [nil 1]] [x])]',
    '[1 2 false nil [nil]]',
  ],
  ['(let [x (if-let [x nil] 1 :else)] x)', ':else'],
  [
    '[(case 2 (1 2) :a :b) (case :x :x 1 2) (case "s" "s" 1) (case nil nil 1) (case [1] [1] 1) (case 1.0 1 :i 1.0 :d) (case \\a \\a 1)]',
    '[:a 1 1 1 1 :d 1]',
  ],
  ['(case 1 1 2 1 3)', 'invalid_form'],
  ['(let [n (atom 0)] (while (< @n 3) (swap! n inc)) @n)', '3'],
  // Threading.
  [
    '[(-> 1 (+ 2) str) (->> [1] (map inc)) (as-> 1 x (inc x) [x]) (cond-> 1 true inc nil inc) (cond->> [1] true (map inc)) (some-> nil inc) (some->> 1 (- 3))]',
    '["3" (2) [2] 2 (2) nil 2]',
  ],
  ['(cond->> 1 true (some-> 5 (+ 1)))', 'not_callable/ClassCastException'],
  ['(-> 1 #(inc %))', 'invalid_thread_form'],
  ['(->)', 'invalid_thread_form'],
  // What is handed on has neither a name nor a form of data.
  ['(cond-> 1 true (quote))', 'invalid_thread_form'],
  ['(some-> 1 (program))', 'invalid_thread_form'],
  ["(some->> 1 (case 'y y))", '1'],
  ['(cond-> 1 true (case (2 3) :two :other))', ':other'],
  ['(cond-> 1 true (def))', 'invalid_form'],
  ['(cond-> 1 true (let [x 2] x))', 'invalid_form'],
  ['[(cond-> 1 true (fn [y] y)) (some->> 1 (fn []))]', '[#object[fn] #object[fn]]'],
  ['(try (doto (= 1 2) (assert)) (catch AssertionError e (ex-message e)))', '"Assert failed: (= 1 2)"'],
  ['(try (some-> 5 (< 3) (assert)) (catch AssertionError e (ex-message e)))', '"Assert failed: (< 3)"'],
  ['(try (cond-> 5 true (-> (< 3) assert)) (catch AssertionError e (ex-message e)))', '"Assert failed: (< 3)"'],
  ['(as-> 1 [x] x)', 'invalid_placeholder'],
  ['(.. "abc" (substring 1) toUpperCase)', '"BC"'],
  ['(doto (volatile! 1) (vreset! 2) (vswap! + 3))', '#object[clojure.lang.Volatile {:status :ready, :val 5}]'],
  // Destructuring.
  ['(let [[a [b] & r :as all] [1 [2] 3 4]] [a b r all])', '[1 2 (3 4) [1 [2] 3 4]]'],
  ['(let [[a b] [1]] [a b])', '[1 nil]'],
  ['(let [[a & r] [1]] r)', 'nil'],
  ['(let [[a] {:a 1}] a)', 'type_error/UnsupportedOperationException'],
  ['(let [[a] 5] a)', 'type_error/UnsupportedOperationException'],
  ['(let [[] 5] 1)', '1'],
  // With a rest the source is taken as a seq.
  ['[(let [[& r] {}] r) (let [[a & r] {:a 1}] a)]', '[nil [:a 1]]'],
  ['(let [[& r] 5] r)', 'type_error/IllegalArgumentException'],
  ['(let [n (atom 0) {:keys [a] :or {a (swap! n inc)}} {:a 2}] [a @n])', '[2 1]'],
  [
    '(let [{:keys [a :b n/c :n/d] :n/keys [e] :strs [s] :syms [y] :or {a 9}} {:b 2 :n/c 3 :n/d 4 :n/e 5 "s" 6 (quote y) 7}] [a b c d e s y])',
    '[9 2 3 4 5 6 7]',
  ],
  ['(let [{x 0 [y] 1} [1 [2]]] [x y])', '[1 2]'],
  ['(let [{:keys [a] :as m} (list :a 1)] [a m])', '[1 {:a 1}]'],
  ['(let [{:keys [a]} (list :a)] a)', 'nil'],
  ['(let [{:keys [a]} (list :a 1 :b)] a)', 'value_error/IllegalArgumentException'],
  ['(let [{a :a :or {a (do (println "no") 1)}} {:a 2}] a)', '2'],
  ['(let [{:keys [a b] :or {b a}} {:a 1}] b)', '1'],
  ['(let [:a 1] 1)', 'unsupported_pattern'],
  ['(let [a/b 1] 1)', 'unsupported_pattern'],
  ['((fn [{:keys [a]} [b]] [a b]) {:a 1} [2])', '[1 2]'],
  ['((fn [a & {:keys [b] :as m}] [a b m]) 1 :b 2 :c 3)', '[1 2 {:b 2, :c 3}]'],
  // Sequences.
  ['(for [x [1 2 3 4] :when (even? x) y [x] :let [z (* y y)]] z)', '(4 16)'],
  ['(for [x [1 2] y [3 4] :while (< y 4)] [x y])', '([1 3] [2 3])'],
  ['(take 2 (for [x (range)] (* x x)))', '(0 1)'],
  ['(take 3 (for [x [1 2] y (iterate inc x)] y))', '(1 2 3)'],
  ['(for [x [1]] 1 2)', 'invalid_arity'],
  ['(for [:when true] 1)', 'invalid_form'],
  ['(let [a (atom [])] (doseq [x [1 2] y [3 4] :when (odd? (+ x y))] (swap! a conj [x y])) @a)', '[[1 4] [2 3]]'],
  ['(let [a (atom 0)] (dotimes [i 4] (swap! a + i)) @a)', '6'],
  ['(let [fibs (fn fibs [a b] (lazy-seq (cons a (fibs b (+ a b)))))] (take 5 (fibs 0 1)))', '(0 1 1 2 3)'],
  ['(take 3 (lazy-cat [1] (throw (Exception. "no"))))', 'uncaught_exception/Exception'],
  ['(first (lazy-cat [1] (throw (Exception. "no"))))', '1'],
  ['(let [n (atom 0) d (delay (swap! n inc))] [@d @d @n])', '[1 1 1]'],
  // Exceptions.
  ['(try 1 2)', '2'],
  ['(try (throw (ex-info "m" {:a 1})) (catch ExceptionInfo e (ex-data e)))', '{:a 1}'],
  [
    '(try (throw (IllegalStateException. "m")) (catch IllegalArgumentException e 1) (catch RuntimeException e (.getMessage e)))',
    '"m"',
  ],
  [
    '(try (assert (= 1 2) "why") (catch Exception e 1) (catch AssertionError e (ex-message e)))',
    '"Assert failed: why\\n(= 1 2)"',
  ],
  [
    '(let [a (atom [])] (try (try (throw (Exception. "x")) (finally (swap! a conj 1))) (catch Exception e (swap! a conj 2))) @a)',
    '[1 2]',
  ],
  ['(try (try 1 (finally (throw (Exception. "second")))) (catch Exception e (ex-message e)))', '"second"'],
  ['(try 1 (catch :default e 2))', 'invalid_form'],
  ['(try 1 (catch Foo e 2))', 'invalid_form'],
  ['(try 1 (finally 2) 3)', 'invalid_form'],
  ['(catch Exception e 1)', 'invalid_form'],
  ['(try (return 1) (catch Throwable e 2))', 'returned 1'],
  ['(map (fn [x] (fail {:x x})) [1 2])', 'failed {:x 1}'],
  ['(try ((fn f [] (inc (f)))) (catch Throwable e 1))', 'memory_exceeded'],
  ['(map return [1])', 'returned 1'],
  ['(return)', 'arity_error'],
  [
    '(try (pmap (fn [x] (/ 1 x)) [1 0]) (catch java.util.concurrent.ExecutionException e (ex-message (ex-cause e))))',
    '"Divide by zero"',
  ],
  ['(pcalls (fn [] 1) (fn [] (fail 2)))', 'pcalls_error/ExecutionException'],
  // State, multimethods, metadata.
  ['(defonce x 1) (defonce x 2) x', '1'],
  [
    '(defmulti m class) (defmethod m String [s] :s) (defmethod m Long [_] :l) [(m "a") (m 1) (defmulti m identity)]',
    '[:s :l nil]',
  ],
  ['(meta (with-meta (fn [] 1) {:a 1}))', '{:a 1}'],
  ['(meta ^{:a (+ 1 1)} [])', '{:a 2}'],
  ['(meta ^:a ^{:b 1} {})', '{:b 1, :a true}'],
  ["[(meta '^:a x) '^:a x]", '[{:a true} x]'],
  ['(with-out-str (print "a") (println [1 "b"]))', '"a[1 b]\\n"'],
  // Namespaces.
  ['(require \'[clojure.string :as s :refer [join]]) [(s/upper-case "a") (join [1 2])]', '["A" "12"]'],
  ["(require '[nope.nope :as n])", 'unknown_namespace'],
  ["(require '[clojure.set :as data])", 'reserved_namespace'],
  ["(when true (require '[clojure.set :as s]))", 'invalid_form'],
  [
    '(ns my.app (:require [clojure.set :as s])) [::a (s/union #{1} #{2}) (def x 1) my.app/x]',
    "[:my.app/a #{1 2} #'my.app/x 1]",
  ],
  ['(nope/f 1)', 'invalid_form'],
  ['(clojure.string/nope 1)', 'invalid_form'],
  [
    '[(clojure.core/when true 1) (core/inc 1) (str/trim " a ") (upper-case "b") (re-split #"," "a,b")]',
    '[1 2 "a" "B" ["a" "b"]]',
  ],
  // Java.
  [
    '[(Math/abs -1) (. Math abs -2) (Math/sqrt 4) Math/PI (Long/parseLong "12") Long/MAX_VALUE (Integer/toBinaryString 5)]',
    '[1 2 2.0 3.141592653589793 12 9223372036854775807 "101"]',
  ],
  [
    '[(.length "abc") (. "abc" substring 1 2) (.indexOf "abc" "c") (map String/.length ["ab"]) (String/valueOf \\a) (Character/isDigit \\1)]',
    '[3 "b" 2 (2) "a" true]',
  ],
  ['(.length nil)', 'java_type_error/NullPointerException'],
  ['(.substring "abc" 5)', 'java_domain_error/StringIndexOutOfBoundsException'],
  ['(.getTime "x")', 'unsupported_java_member/IllegalArgumentException'],
  ['(.nope "x")', 'unsupported_method'],
  ['(.-length "x")', 'invalid_form'],
  ['(Math/sqrt 1 2)', 'java_arity_error'],
  ['(Thread. 1)', 'unsupported_java_class'],
  ['(java.io.File. "a")', 'unsupported_java_class'],
  // Size and depth.
  ['(-> 1 ' + '(inc) '.repeat(400) + ')', '401'],
  [`(+ ${'1 '.repeat(2000)})`, '2000'],
  [`(let [${Array.from({ length: 2000 }, (_, i) => `x${i} ${i}`).join(' ')}] x1999)`, '1999'],
  [`(-> 1 ${'(inc) '.repeat(20_000)})`, 'invalid_form'],
];

/** Arithmetic at the borders of the number classes: the places where generated code must leave its fast path. */
const BORDERS: readonly (readonly [string, string])[] = [
  ['(+ 0.5 0.5)', '1.0'],
  ['(let [x 0.5] [(+ x x) (- x x) (* x 2) (inc -1.0) (dec 1.0)])', '[1.0 0.0 1.0 0.0 0.0]'],
  [
    '(let [x 2147483647] [(inc x) (+ x x) (* x x) (- (- x) 2)])',
    '[2147483648 4294967294 4611686014132420609 -2147483649]',
  ],
  [
    '(let [x 9007199254740991] [(inc x) (+ x x) (* x x) (- (- x) 1)])',
    '[9007199254740992 18014398509481982 81129638414606663681390495662081 -9007199254740992]',
  ],
  ['(let [x -5] [(* 0 x) (- 0) (- x x)])', '[0 0 0]'],
  ['(loop [i 0 x 9007199254740990] (if (< i 5) (recur (inc i) (inc x)) x))', '9007199254740995'],
  ['(loop [i 0 x 1] (if (< i 70) (recur (+ i 1) (* x 2)) x))', '1180591620717411303424'],
  ['(loop [i 0 x 0.5] (if (< i 3) (recur (inc i) (+ x 0.5)) x))', '2.0'],
  ['(loop [i 5 x 0] (if (> i -5) (recur (dec i) (* x i)) x))', '0'],
  ['(loop [i 0 a 0 b 1] (if (= i 90) a (recur (inc i) b (+ a b))))', '2880067194370816120'],
  ['(loop [i 0 s 0] (if (< i 10) (recur (inc i) (+ s (mod (- i) 3) (rem (- i) 3))) s))', '0'],
  ['(loop [i 0] (if (< i 10) (recur (+ i (mod i 0))) i))', 'arithmetic_error/ArithmeticException'],
  ['(loop [i nil] (if (< i 10) (recur (inc i)) i))', 'type_error/NullPointerException'],
  ['(let [n 10.0] (loop [i 0] (if (< i n) (recur (inc i)) i)))', '10'],
  ['(loop [i 0 j 10] (if (< i j) (recur j i) [i j]))', '[10 0]'],
  [
    '[(= 1 1.0) (== 1 1.0) (< 1 1.5 2) (zero? 0.0) (pos? 1e-5) (neg? -1N) (= "a" "a") (= [1] (list 1)) (not= nil 1)]',
    '[false true true true true true true true true]',
  ],
  ['(let [x ##NaN] [(= x x) (< x 1) (let [v [x]] (= v v))])', '[false false true]'],
];

describe('forms', () => {
  for (const [program, outcome] of [...PROGRAMS, ...BORDERS]) {
    it(`${program.length > 160 ? `${program.slice(0, 60)} … (${program.length})` : program} => ${outcome}`, () => {
      expect(outcomeOf(program)).to.equal(outcome);
    });
  }

  it('counts recur jumps: n pass, the next fails, and nothing catches it', () => {
    const options = { loop_iterations: 10 };
    const programs = [
      '(loop [i 0] (if (< i N) (recur (inc i)) i))',
      '((fn [i] (if (< i N) (recur (inc i)) i)) 0)',
      '(let [a (atom 0)] (while (< @a N) (swap! a inc)) @a)',
      '(loop [i 0 x nil] (if (< i N) (recur (inc i) (str i)) i))',
    ];
    for (const program of programs) {
      expect(outcomeOf(program.replace('N', '10'), options)).to.equal('10');
      expect(outcomeOf(`(try ${program.replace('N', '11')} (catch Throwable e 1))`, options)).to.equal(
        'loop_limit_exceeded',
      );
    }
    expect(outcomeOf('(count (for [x (range 100)] x))', options)).to.equal('100');
  });

  it('stops before the first form when a later one does not compile', () => {
    const reply = guestUnderTest().evaluate('(println "ran") (nope)');
    expect(reply).to.deep.include({ outcome: 'evaluation_error', prints: [] });
  });

  it('lists every unbound name, with near ones and reasons', () => {
    const reply = guestUnderTest().evaluate('(defn total [] 1) (totl) (lenght [1]) (slurp "x") (rand)');
    expect(reply)
      .to.have.nested.property('fault.details.unbound_names')
      .deep.equal(['totl', 'lenght', 'slurp', 'rand']);
    expect(reply)
      .to.have.nested.property('fault.message')
      .that.includes('did you mean total')
      .and.includes('use a granted tool')
      .and.includes('not deterministic');
  });

  it('names the largest definitions where they are too many, and what cannot be kept', () => {
    const commit = { memory_bytes: 20_000, history_bytes: 1000 };
    const source =
      '(def small 1) (def large (vec (range 3000))) (def huge (vec (range 9000))) (def text (apply str (repeat 99 "x"))) 1';
    const reply = guestUnderTest().evaluate(source, { commit, keeps_isolate: true });
    expect(reply).to.include({ outcome: 'continued', commit_refusal: 'memory_exceeded' });
    expect(reply)
      .to.have.property('largest')
      .that.satisfies((sizes: readonly { readonly name: string; readonly bytes: number }[]) => {
        expect(sizes.map(({ name }) => name)).to.deep.equal(['huge', 'large', 'text']);
        expect(sizes[0]?.bytes).to.equal(20_000);
        expect(sizes[1]?.bytes).to.be.within(9000, 19_999);
        return true;
      });
    expect(guestUnderTest().evaluate(source, { commit })).to.not.have.property('largest');
  });

  it('names unknown tools together, before anything runs', () => {
    const reply = guestUnderTest().evaluate('(println 1) (tool/a {}) (when false tool/b) (tool/ok)', { tools: ['ok'] });
    expect(reply).to.have.nested.property('fault.details.unknown_tools').deep.equal(['tool/a', 'tool/b']);
    expect(reply.prints).to.deep.equal([]);
  });

  it('keeps definitions of an evaluation for the next, but none of one that failed to compile', () => {
    const guest = guestUnderTest();
    guest.evaluate('(defn f [x] (inc x)) (def n 1)');
    expect(guest.evaluate('(f n)')).to.have.property('value', '2');
    guest.evaluate('(def n 5) (nope)');
    expect(guest.evaluate('n')).to.have.property('value', '1');
  });

  it('finds data by the flexible rule, nil in a workflow, an error with the granted names in a mission', () => {
    const data = { a_b: '{"x": [1, 2.0, 12345678901234567890, null]}' };
    expect(outcomeOf('data/a-b', { data })).to.equal('{"x" [1 2.0 12345678901234567890 nil]}');
    expect(outcomeOf('data/none', { data, environment: 'workflow' })).to.equal('nil');
    expect(guestUnderTest().evaluate('data/none', { data }))
      .to.have.nested.property('fault.message')
      .that.includes('data/a_b');
    expect(outcomeOf('(data/a-b)', { data: { a_b: '1' } })).to.equal('not_callable/ClassCastException');
  });

  it('projects results, and says why it cannot', () => {
    const project = (program: string): string => outcomeOf(program, { projection: 'json' });
    expect(project('{:b [1 2.0 1e21 \\c :a/k nil true] "a" #{1} 3 (map inc [1])}')).to.equal(
      '{"3":[2],"a":[1],"b":[1,2.0,1.0E21,"c","a/k",null,true]}',
    );
    expect(project('{:a 1 "a" 2}')).to.equal('continued public_projection_collision');
    expect(project('[##Inf]')).to.equal('continued projection_error');
    expect(project('"\\ud800"')).to.equal('continued invalid_java_string');
    expect(project('{nil 1}')).to.equal('continued projection_error');
    expect(project("(program (+ 1 2) ; c\n 'x)")).to.match(
      /^\{"byte_size":10,"digest":"[0-9a-f]{64}","program\?":true\}$/,
    );
  });
});

describe('generated code', () => {
  const HOSTILE = [
    '`${globalThis.x=1}`',
    '*/alert()/*',
    '</script>',
    '\\u0022',
    '$&',
    'constructor',
    '__proto__',
    'support',
    'arguments',
    'eval',
    'this',
    'await',
    'a"b',
    "a'b",
    '\u2028',
    '\u0000',
    '日本',
    'return',
    'let_1',
    'again$1',
  ];

  it('takes texts of a program only as literals', () => {
    for (const text of HOSTILE) {
      const literal = JSON.stringify(text).replaceAll('\\u0000', '\\u0000');
      const reply = guestUnderTest().evaluate(
        `(let [m {${literal} 1 (keyword ${literal}) 2}] (case ${literal} ${literal} (get m ${literal}) :no))`,
      );
      expect(reply).to.have.property('value', '1');
    }
  });

  it('makes its own identifiers, whatever names a program has', () => {
    const names = HOSTILE.filter((name) => /^[^\s"'`\\@^~;,()[\]{}\u0000\u2028#]+$/.test(name) && !name.includes('/'));
    expect(names).to.include.members(['constructor', '__proto__', 'arguments', 'this']);
    for (const name of [...names, 'var', 'class', 'NaN', 'undefined', 'a.b', 'é', '-', '+x', '->', 'x$1', 'v_1']) {
      if (name === 'var' || name === 'return') continue;
      expect(
        outcomeOf(`(defn ${name} [${name}] (let [f (fn [] ${name}) ${name} (f)] [${name}])) (${name} 7)`),
        name,
      ).to.equal('[7]');
    }
  });

  it('gives strings back as they were', () => {
    const guest = guestUnderTest();
    const texts = fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
      .map((units) => String.fromCharCode(...units));
    fc.assert(
      fc.property(texts, (text) => {
        const escaped = Array.from(
          { length: text.length },
          (_, index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`,
        ).join('');
        expect(guest.evaluate(`(= (count "${escaped}") ${text.length})`)).to.have.property('value', 'true');
        const reply = guest.evaluate(`"${escaped}"`, { projection: 'json' });
        expect(reply).to.have.property('value', text.isWellFormed() ? JSON.stringify(text) : null);
      }),
      { numRuns: 200 },
    );
  });

  it('is never the cause of an internal fault, whatever the forms', () => {
    const atom = fc.constantFrom(
      'x',
      '1',
      '"s"',
      ':k',
      'nil',
      '[x 1]',
      '[]',
      '{:a x}',
      "'x",
      '#(f %)',
      '(inc 1)',
      'f',
      '2.5',
      '&',
      '[[a & b] x]',
      'Exception',
      '(catch Exception e e)',
      '(finally 1)',
      '.length',
      'Math/abs',
      'String',
    );
    const heads = [
      'def',
      'if',
      'do',
      'quote',
      'var',
      'recur',
      'try',
      'throw',
      'new',
      '.',
      'defn',
      'fn',
      'let',
      'letfn',
      'loop',
      'if-let',
      'when-first',
      'cond',
      'condp',
      'case',
      'and',
      'or',
      '->',
      '->>',
      'as->',
      'cond->',
      'some->',
      'doto',
      '..',
      'for',
      'doseq',
      'dotimes',
      'lazy-seq',
      'delay',
      'vswap!',
      'assert',
      'with-out-str',
      'ns',
      'require',
      'program',
      'doc',
      'defmulti',
      'defmethod',
      'declare',
      'map',
      'Math/abs',
      '.length',
      'pmap',
    ];
    const form = fc.letrec<{ form: string }>((tie) => ({
      form: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        atom,
        fc
          .tuple(fc.constantFrom(...heads), fc.array(tie('form'), { maxLength: 4 }))
          .map(([head, rest]) => `(${[head, ...rest].join(' ')})`),
      ),
    })).form;
    const guest = guestUnderTest();
    fc.assert(
      fc.property(form, (source) => {
        const reply: unknown = guest.evaluate(`(def x [1 2]) (defn f [& _] 1) ${source}`, { loop_iterations: 1000 });
        expect(reply, source).to.not.have.property('status');
      }),
      { numRuns: 1500 },
    );
  });
});
