import { expect } from 'chai';
import { guestUnderTest, outcomeOf } from './testing/guest-under-test.ts';

interface Vector {
  readonly program: string;
  /** `pr-str` of the value on the reference. */
  readonly result: string;
  readonly printed?: string;
}

/** functions.md §23: whole programs with their exact results on the reference. */
const VECTORS: readonly Vector[] = [
  { program: '(str [1 "a" \\b nil :k \'x 1.5])', result: '"[1 \\"a\\" \\\\b nil :k x 1.5]"' },
  { program: '(pr-str "a\\"b\\\\\\n\\té\\b")', result: '"\\"a\\\\\\"b\\\\\\\\\\\\n\\\\té\\\\b\\""' },
  { program: '{:a/b 1 :a/c {:x nil}}', result: '{:a/b 1, :a/c {:x nil}}' },
  { program: '[1e7 123456.789 1e-4 100.0 -0.0 ##Inf]', result: '[1.0E7 123456.789 1.0E-4 100.0 -0.0 ##Inf]' },
  { program: '[(str 1e21) (str ##-Inf) (str (float 0.1))]', result: '["1.0E21" "-Infinity" "0.1"]' },
  { program: '#{3 1 2 :c :a "b" nil 2.0}', result: '#{nil 2.0 1 :c 3 2 "b" :a}' },
  { program: '(zipmap [:c :a :b] [1 2 3])', result: '{:c 1, :a 2, :b 3}' },
  {
    program: '(assoc {:a 1 :b 2 :c 3 :d 4 :e 5 :f 6 :g 7 :h 8} :i 9)',
    result: '{:e 5, :g 7, :c 3, :h 8, :b 2, :d 4, :f 6, :i 9, :a 1}',
  },
  { program: '(hash-map :c 1 :a 2 :b 3)', result: '{:c 1, :b 3, :a 2}' },
  { program: '(persistent! (dissoc! (transient {:a 1 :b 2 :c 3}) :a))', result: '{:c 3, :b 2}' },
  { program: '(frequencies "hello world")', result: '{\\h 1, \\e 1, \\l 3, \\o 2, \\space 1, \\w 1, \\r 1, \\d 1}' },
  { program: '(into #{} (range 12))', result: '#{0 7 1 4 6 3 2 11 9 5 10 8}' },
  { program: '(merge {} (hash-map :c 1 :a 2 :b 3))', result: '{:c 1, :b 3, :a 2}' },
  { program: '(set ["BB" "Aa" "C"])', result: '#{"C" "BB" "Aa"}' },
  {
    program: '[(hash "abc") (hash :a/b) (hash [1 2 3]) (hash {:a 1}) (hash 1.5)]',
    result: '[74834163 1482224565 736442005 1772842048 1073217536]',
  },
  { program: "(conj '(1) 2)", result: '(2 1)' },
  { program: '(conj nil 1 2)', result: '(2 1)' },
  { program: '(into () [1 2 3])', result: '(3 2 1)' },
  {
    program: "[(list? (rest '(1 2))) (list? (rest [1 2])) (seq? (rest [1 2])) (list? (cons 1 [2]))]",
    result: '[true false true false]',
  },
  { program: '(first {:a 1})', result: '[:a 1]' },
  { program: '[(nthrest [1 2 3] 2) (nthnext [1] 5) (rest nil) (next [1])]', result: '[(3) nil () nil]' },
  { program: '(let [[a b & c :as d] "xy"] [a b c d])', result: '[\\x \\y nil "xy"]' },
  { program: '(let [{:keys [a b/c] :or {a 5} :as m} {:b/c 2}] [a c m])', result: '[5 2 {:b/c 2}]' },
  { program: '((fn [& {:keys [a b]}] [a b]) :a 1 {:b 2})', result: '[1 2]' },
  { program: '(let [{:keys [a] :or {a 1}} {:a nil}] a)', result: 'nil' },
  {
    program: "[(case '(1 2) ((1 2)) :list :none) (case 'b (a b) 1 2) (case 1.0 1 :int :none)]",
    result: '[:list 1 :none]',
  },
  { program: '(condp some [1 2] #{2} :>> inc :none)', result: '3' },
  {
    program: '(for [x [1 2 3] :let [y (* x x)] :when (odd? y) z [:a y]] [x z])',
    result: '([1 :a] [1 1] [3 :a] [3 9])',
  },
  { program: '(loop [[x & xs] [1 2 3] acc ()] (if x (recur xs (conj acc x)) acc))', result: '(3 2 1)' },
  {
    program: '(try (/ 1 0) (catch ArithmeticException e (ex-message e)) (finally (println "f")))',
    result: '"Divide by zero"',
    printed: 'f\n',
  },
  {
    program:
      '(try (throw (ex-info "m" {:a 1} (Exception. "c"))) (catch Exception e [(ex-data e) (ex-message (ex-cause e)) (str e)]))',
    result: '[{:a 1} "c" "clojure.lang.ExceptionInfo: m {:a 1}"]',
  },
  {
    program: '(try (case 5 1 :a) (catch IllegalArgumentException e (ex-message e)))',
    result: '"No matching clause: 5"',
  },
  { program: '(try (nth [1] 5) (catch IndexOutOfBoundsException _ :io))', result: ':io' },
  { program: '(try (+ nil 1) (catch NullPointerException _ :npe) (catch Exception _ :other))', result: ':npe' },
  { program: '(try ("a" 1) (catch ClassCastException _ :cce))', result: ':cce' },
  { program: '[(quot -7 2) (rem -7 2) (mod -7 2) (quot 7.9 2) (mod -0.5 2)]', result: '[-3 -1 1 3.0 1.5]' },
  { program: '[(/ 10 2) (/ 1 4.0) (max 2.0 2) (min 1 1.0) (abs -5.5)]', result: '[5 0.25 2 1.0 5.5]' },
  {
    program: '[(= 1 1.0) (== 1 1.0) (= [1] \'(1)) (= "a" \\a) (= 0.0 -0.0) (= ##NaN ##NaN)]',
    result: '[false true true false true false]',
  },
  { program: '[(compare "a" "c") (compare :b :a/b) (compare [2] [1 1]) (compare nil 1)]', result: '[-2 -1 -1 -1]' },
  { program: '(sort-by (juxt :a :b) [{:a 1 :b 2} {:a 1 :b 1}])', result: '({:a 1, :b 1} {:a 1, :b 2})' },
  { program: '(sort-by val > {:a 1 :b 3 :c 2})', result: '([:b 3] [:c 2] [:a 1])' },
  { program: '(range 0 1 0.25)', result: '(0 0.25 0.5 0.75)' },
  {
    program: '[(bit-shift-left 1 63) (bit-shift-left 1 64) (unsigned-bit-shift-right -1 60) (bit-not 5)]',
    result: '[-9223372036854775808 1 15 -6]',
  },
  { program: '[0x1F 010 2r101 36rZZ +5 1e3 (int \\a) (char 97)]', result: '[31 8 5 1295 5 1000.0 97 \\a]' },
  {
    program:
      '[(clojure.string/split "a,b,," #",") (clojure.string/split "a,b,," #"," -1) (clojure.string/split "" #",")]',
    result: '[["a" "b"] ["a" "b" "" ""] [""]]',
  },
  { program: '(clojure.string/replace "ab" #"(a)(b)" "$21")', result: '"b1"' },
  { program: '(clojure.string/replace "a1b2" #"\\d" #(str (inc (parse-long %))))', result: '"a2b3"' },
  {
    program: '[(re-find #"(\\d)(x)?" "a1") (re-seq #"x" "a") (re-matches #"a|ab" "ab")]',
    result: '[["1" "1" nil] nil "ab"]',
  },
  {
    program: '[(re-find #"(?:(a)|b)*" "ab") (re-find #"\\w+" "héllo") (re-find #"a$" "a\\n") (re-find #"(a*)*" "b")]',
    result: '[["ab" "a"] "h" "a" ["" ""]]',
  },
  {
    program:
      '[(format "%.2f" 1.005) (format "%,d|%+d|%05d|%x" 1234567 5 -42 -255) (format "%.3s|%-4s|%b" "abcdef" "a" nil)]',
    result: '["1.01" "1,234,567|+5|-0042|ffffffffffffff01" "abc|a   |false"]',
  },
  {
    program:
      '[(transduce (comp (filter odd?) (map inc)) + [1 2 3]) (into [] (partition-by odd?) [1 3 2]) (sequence (map +) [1 2] [3 4])]',
    result: '[6 [[1 3] [2]] (4 6)]',
  },
  { program: '(reductions + [])', result: '(0)' },
  {
    program: '[(flatten 5) (interleave [1 2] [3]) (partition 2 2 [:p] [1 2 3]) (split-at 1 [1 2])]',
    result: '[() (1 3) ((1 2) (3 :p)) [(1) (2)]]',
  },
  { program: '(take 3 (mapcat (fn [x] (iterate inc x)) [1 2]))', result: '(1 2 3)' },
  {
    program: '[(subvec [1 2 3] 1) (peek \'(1 2)) (pop [1 2]) (get "abc" 1) (contains? [5] 0) (get #{nil} nil :d)]',
    result: '[[2 3] 1 [1] \\b true nil]',
  },
  {
    program:
      '[(update-in {:a {:b 1}} [:a :c] (fnil conj []) 1) (update {:a 1} :b identity) (select-keys {:a nil} [:a :b])]',
    result: '[{:a {:b 1, :c [1]}} {:a 1, :b nil} {:a nil}]',
  },
  {
    program:
      '(do (defmulti area :shape) (defmethod area :default [_] :none) (defmethod area :sq [{:keys [s]}] (* s s)) [(area {:shape :sq :s 2}) (area {})])',
    result: '[4 :none]',
  },
  {
    program: '(do (derive ::cat ::animal) [(isa? ::cat ::animal) (isa? [::cat 1] [::animal 1]) ::cat])',
    result: '[true true :user/cat]',
  },
  {
    program: '(let [a (atom {:n 1})] [(swap! a update :n inc) (swap-vals! a assoc :k 2) @a])',
    result: '[{:n 2} [{:n 2} {:n 2, :k 2}] {:n 2, :k 2}]',
  },
  {
    program: '(let [v ^{:doc "d"} [1]] [(meta v) (meta (conj v 2)) (meta (map inc v))])',
    result: '[{:doc "d"} {:doc "d"} nil]',
  },
  { program: '(clojure.walk/keywordize-keys {"a" [{"b" 1}] "c" \'({"d" 2})})', result: '{:a [{:b 1}], :c ({:d 2})}' },
  {
    program: '(do (println "a" nil [1 "b" \\c] {:k "v"}) (prn "x" \\y) (print 1.0 :z))',
    result: 'nil',
    printed: 'a nil [1 b c] {:k v}\n"x" \\y\n1.0 :z',
  },
  {
    program: '[(keyword "a/b") (namespace :a/b) (symbol "x" "y") (name \'p/q) (str :a/b) (keyword 5)]',
    result: '[:a/b "a" x/y "q" ":a/b" nil]',
  },
  { program: '\'(a #_b "c" [d/e :f] \'g @h)', result: '(a "c" [d/e :f] (quote g) (clojure.core/deref h))' },
  {
    program: '[#inst "2020-01-02T03:04:05+02:00" #uuid "00000000-0000-0000-0000-00000000000A"]',
    result: '[#inst "2020-01-02T01:04:05.000-00:00" #uuid "00000000-0000-0000-0000-00000000000a"]',
  },
  { program: '(def x 1)', result: "#'user/x" },
  {
    program: '[(clojure.edn/read-string "{:a #{1} :b (x \\\\y nil)}") (read-string "\'a")]',
    result: '[{:a #{1}, :b (x \\y nil)} (quote a)]',
  },
  {
    program: '[(every? identity []) ((some-fn :a :b) {:b 2}) ((juxt inc dec) 1) ((comp) 1) (apply str "abc")]',
    result: '[true 2 [2 0] 1 "abc"]',
  },
  {
    program: '[(count "a😀") (first "ab") (subs "a😀b" 3) (clojure.string/reverse "a😀")]',
    result: '[3 \\a "b" "😀a"]',
  },
  { program: '(sorted-map-by > 1 :a 3 :c 2 :b)', result: '{3 :c, 2 :b, 1 :a}' },
  {
    program:
      '[(clojure.set/union #{1} nil) (clojure.set/rename-keys {:a 1 :b 2} {:a :b :b :a}) (clojure.set/join #{{:a 1 :b 2}} #{{:a 1 :c 3}})]',
    result: '[#{1} {:b 1, :a 2} #{{:a 1, :b 2, :c 3}}]',
  },
  {
    program:
      "[(map-entry? (first {:a 1})) (map-entry? [1 2]) (vector? (first {:a 1})) (realized? (delay 1)) (ifn? 'a) (fn? :a)]",
    result: '[true false true false true false]',
  },
];

/** functions.md §23, accepted differences: what this dialect answers. */
const ACCEPTED_DIFFERENCES: readonly (readonly [string, string])[] = [
  ['(:n {"n" 1})', '1'],
  ['(get {:a-b 1} "a-b" :none)', '1'],
  ['[(:a-b {"a_b" 1}) (get {:a_b 1} "a-b")]', '[1 nil]'],
  ['(update {"n" 1} :n inc)', '{"n" 2}'],
  ['(assoc {"a" 1} :a 2)', '{"a" 1, :a 2}'],
  ['[(/ 1 3) (/ 6 4) (/ 6 3)]', '[0.3333333333333333 1.5 2]'],
  ['1/2', 'parse_error'],
  ['(inc 9223372036854775807)', '9223372036854775808'],
  ['[(* 1N 2) (bigint 3.7)]', '[2 3]'],
  ['(str (map inc [1 2]))', '"(2 3)"'],
  ['(try (map #(/ 1 %) [0]) (catch ArithmeticException _ :c))', ':c'],
  ['(let [n (atom 0)] (take 2 (iterate #(do (swap! n inc) (inc %)) 0)) @n)', '0'],
  ['(rand)', 'unbound_var'],
  ['(future 1)', 'unbound_var'],
  ['(eval 1)', 'unbound_var'],
  ['(pr-str inc)', '"#object[clojure.core/inc]"'],
];

/** functions.md §22: reason and exception class of each call. */
const ERRORS: readonly (readonly [string, string])[] = [
  ['((identity +) 1 nil)', 'type_error/NullPointerException'],
  ['(+ 1 nil)', 'type_error/NullPointerException'],
  ['(inc nil)', 'type_error/NullPointerException'],
  ['(subs nil 0)', 'type_error/NullPointerException'],
  ['(name nil)', 'type_error/NullPointerException'],
  ['(re-find #"a" nil)', 'type_error/NullPointerException'],
  ['(+ 1 "a")', 'type_error/ClassCastException'],
  ['(name 5)', 'type_error/ClassCastException'],
  ['(key [1 2])', 'type_error/ClassCastException'],
  ['(keys [1])', 'type_error/ClassCastException'],
  ["(assoc '(1) 0 1)", 'type_error/ClassCastException'],
  ['(conj "a" 1)', 'type_error/ClassCastException'],
  ['(dissoc [1] 0)', 'type_error/ClassCastException'],
  ['(sort [1 "a"])', 'type_error/ClassCastException'],
  ['(str/split "a" ",")', 'type_error/ClassCastException'],
  ['(first 5)', 'type_error/IllegalArgumentException'],
  ['(map inc 5)', 'type_error/IllegalArgumentException'],
  ['(even? nil)', 'type_error/IllegalArgumentException'],
  ["(contains? '(1) 0)", 'type_error/IllegalArgumentException'],
  ['(get-in {} :a)', 'type_error/IllegalArgumentException'],
  ['(bit-and 1.0 1)', 'type_error/IllegalArgumentException'],
  ['(parse-long nil)', 'type_error/IllegalArgumentException'],
  ['(count 5)', 'type_error/UnsupportedOperationException'],
  ['(nth {} 0)', 'type_error/UnsupportedOperationException'],
  ['(nth #{1} 0)', 'type_error/UnsupportedOperationException'],
  ['(/ 1 0)', 'arithmetic_error/ArithmeticException'],
  ['(mod 5 0.0)', 'arithmetic_error/ArithmeticException'],
  ['(int 3000000000)', 'arithmetic_error/ArithmeticException'],
  ['(nth [1] 5)', 'index_error/IndexOutOfBoundsException'],
  ['([1] 5)', 'index_error/IndexOutOfBoundsException'],
  ['(assoc [1] 3 0)', 'index_error/IndexOutOfBoundsException'],
  ['(subvec [1] 0 2)', 'index_error/IndexOutOfBoundsException'],
  ['(subs "abc" 5)', 'index_error/StringIndexOutOfBoundsException'],
  ['(case 5 1 2)', 'value_error/IllegalArgumentException'],
  ['(condp = 5 1 2)', 'value_error/IllegalArgumentException'],
  ['(hash-map :a)', 'value_error/IllegalArgumentException'],
  ['(conj {} [1])', 'value_error/IllegalArgumentException'],
  ['(assoc [1] :a 1)', 'value_error/IllegalArgumentException'],
  ['([1] :a)', 'value_error/IllegalArgumentException'],
  ['(long 1e30)', 'value_error/IllegalArgumentException'],
  ['(defmulti m identity) (m 1)', 'value_error/IllegalArgumentException'],
  ['(pop [])', 'value_error/IllegalStateException'],
  ['(atom 0 :validator pos?)', 'value_error/IllegalStateException'],
  ['(1 2)', 'not_callable/ClassCastException'],
  ['("a" 1)', 'not_callable/ClassCastException'],
  ['((identity nil) 1)', 'not_callable/NullPointerException'],
  ['((fn [a] a))', 'arity_error/ArityException'],
  ['(apply max [])', 'arity_error/ArityException'],
  ['([1] 0 1)', 'arity_error/ArityException'],
  ['(throw "a")', 'type_error/ClassCastException'],
  ['(throw nil)', 'type_error/NullPointerException'],
  ['(assert false)', 'assertion_error/AssertionError'],
  ['((fn [x] {:pre [(pos? x)]} x) -1)', 'assertion_error/AssertionError'],
  ['((fn [x] {:post [(pos? %)]} x) -1)', 'assertion_error/AssertionError'],
  ['(when false (tool/nope {}))', 'unknown_tool'],
];

describe('svc-lisp', () => {
  for (const { program, result, printed } of VECTORS) {
    it(`${program} => ${result}`, () => {
      const reply = guestUnderTest().evaluate(program);
      expect(reply).to.have.property('value', result);
      expect(reply.prints.join('\n')).to.equal((printed ?? '').replace(/\n$/, ''));
    });
  }

  for (const [program, result] of ACCEPTED_DIFFERENCES) {
    it(`${program} => ${result}, an accepted difference`, () => {
      expect(outcomeOf(program)).to.equal(result);
    });
  }

  it('runs eager stages to the end, whoever looks at them (A4)', () => {
    expect(guestUnderTest().evaluate('(do (map println [1 2]) nil)').prints).to.deep.equal(['1', '2']);
  });

  for (const [program, result] of ERRORS) {
    it(`${program} raises ${result}`, () => {
      expect(outcomeOf(program)).to.equal(result);
    });
  }
});
