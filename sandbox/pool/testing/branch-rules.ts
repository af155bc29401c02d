/** A component of the evaluations below. */
export const LIBRARY =
  '(ns my.lib) (defn twice [x] (* 2 x)) (defn asks [x] (tool/ask {"x" x})) (def ^:dynamic *unit* :cm) (defn unit [] *unit*) (defprotocol Shape (area [s])) (defrecord Square [side] Shape (area [_] (* side side)))';

/**
 * What holds for parallel branches (language.md §16), with isolates of their own and where there is no slot: what an
 * evaluation prints and comes to. `data/given` is `[7]`, `tool/ask` is granted, and `LIBRARY` is loaded.
 */
export const BRANCH_RULES: readonly (readonly [rule: string, source: string, expected: unknown])[] = [
  [
    'give results in input order',
    '(pmap (fn [x y] (+ x y)) [3 1 2] [10 20 30 40])',
    { value: '(13 21 32)', prints: [] },
  ],
  [
    'call what they are given',
    '(pcalls (fn [] 1) (partial + 1 2) #(my.lib/twice 4))',
    { value: '(1 3 8)', prints: [] },
  ],
  [
    'see definitions and data as they stand',
    '(def n 5) (def a (atom {:k n})) (pmap (fn [x] [x n @a (first data/given)]) [1 2])',
    { value: '([1 5 {:k 5} 7] [2 5 {:k 5} 7])', prints: [] },
  ],
  [
    'keep what they return',
    '(def a (atom 1)) (let [rs (pmap (fn [x] {:a a :x (atom x) :f (fn [y] (+ x y))}) [1 2])] [(identical? a (:a (second rs))) @(:x (second rs)) ((:f (first rs)) 10)])',
    { value: '[true 2 11]', prints: [] },
  ],
  [
    'merge prints in input order',
    '(pmap (fn [x] (println "branch" x) (print x)) [1 2]) nil',
    { value: 'nil', prints: ['branch 1', '1branch 2', '2'] },
  ],
  [
    'change no atom of the caller',
    '(def a (atom 1)) (pmap (fn [_] (swap! a inc)) [1 2])',
    {
      reason: 'pmap_error',
      message: 'pmap: branch 0 failed: An atom from outside a parallel branch cannot be changed in it',
      class: 'java.util.concurrent.ExecutionException',
      prints: [],
    },
  ],
  [
    'change no volatile of the caller',
    '(def v (volatile! 1)) (pcalls #(vreset! v 2) #(deref v))',
    {
      reason: 'pcalls_error',
      message: 'pcalls: branch 0 failed: A volatile from outside a parallel branch cannot be changed in it',
      class: 'java.util.concurrent.ExecutionException',
      prints: [],
    },
  ],
  [
    'change no hierarchy',
    '(try (doall (pmap (fn [_] (derive ::a ::b)) [1 2])) (catch Exception e (class (ex-cause e))))',
    { value: 'java.lang.IllegalStateException', prints: [] },
  ],
  [
    'change no multimethod',
    '(defmulti m identity) (try (pmap (fn [_] (remove-all-methods m)) [1 2]) (catch Exception e (class (ex-cause e))))',
    { value: 'java.lang.IllegalStateException', prints: [] },
  ],
  [
    'force no delay of the caller',
    '(def d (delay 1)) (try (pmap (fn [_] @d) [1 2]) (catch Exception e (ex-message (ex-cause e))))',
    { value: '"A delay from outside a parallel branch cannot be changed in it"', prints: [] },
  ],
  [
    'change state of their own',
    '(pmap (fn [x] (let [a (atom x)] (swap! a inc) @a)) [1 2])',
    { value: '(2 3)', prints: [] },
  ],
  ['discard their definitions', '(def n 1) (pmap (fn [x] (def n x) n) [7 8]) n', { value: '1', prints: [] }],
  [
    'let the first failure in input order decide',
    '(pmap (fn [x] (println x) (/ 10 x)) [5 0 "x" 0])',
    {
      reason: 'pmap_error',
      message: 'pmap: branch 1 failed: Divide by zero',
      class: 'java.util.concurrent.ExecutionException',
      prints: ['5', '0'],
    },
  ],
  [
    'keep the exception as the cause',
    '(try (pmap (fn [x] (throw (ex-info "m" {:x x}))) [1 2]) (catch Exception e (ex-data (ex-cause e))))',
    { value: '{:x 1}', prints: [] },
  ],
  [
    'cannot end the evaluation',
    '(pmap (fn [x] (return x)) [1 2])',
    {
      reason: 'pmap_error',
      message: 'pmap: branch 0 failed: the branch ended the evaluation',
      class: 'java.util.concurrent.ExecutionException',
      prints: [],
    },
  ],
  ['nest', '(pmap (fn [x] (vec (pmap (fn [y] (* x y)) [1 2 3]))) [1 2])', { value: '([1 2 3] [2 4 6])', prints: [] }],
  [
    'realise endless seqs for themselves',
    '(def s (iterate inc 1)) (pmap (fn [n] (nth s n)) [3 4])',
    { value: '(4 5)', prints: [] },
  ],
  ['print into with-out-str', '(with-out-str (pmap println [1 2]))', { value: '"1\\n2\\n"', prints: [] }],
  [
    'have the bindings of the caller',
    '(def ^:dynamic *x* 1) (defn x [] *x*) [(binding [*x* 2 my.lib/*unit* :m] (vec (pmap (fn [i] [i (x) (my.lib/unit) (binding [*x* i] (x))]) [7 8]))) (x) (my.lib/unit)]',
    { value: '[[[7 2 :m 7] [8 2 :m 8]] 1 :cm]', prints: [] },
  ],
  [
    'set no binding of the caller',
    '(def ^:dynamic *x* 1) (binding [*x* 2] (try (doall (pmap (fn [_] (set! *x* 3)) [1 2])) (catch Exception e [*x* (ex-message (ex-cause e))])))',
    { value: '[2 "Can\'t set!: *x* from non-binding thread"]', prints: [] },
  ],
  [
    'set bindings of their own',
    '(def ^:dynamic *x* 1) (pmap (fn [i] (binding [*x* i] (set! *x* (* 10 *x*)) *x*)) [1 2])',
    { value: '(10 20)', prints: [] },
  ],
  [
    'take and give records and objects of reify',
    '(defprotocol F (f [this])) (defrecord R [n] F (f [_] (inc n))) (defn o [n] (reify F (f [_] (* 2 n)))) (let [rs (pmap (fn [x] [(f x) (->R (:n x)) (o 3) (my.lib/->Square 2)]) [(->R 1) (->R 2)])] [(map first rs) (= (second (first rs)) (->R 1)) (f (nth (first rs) 2)) (= (my.lib/->Square 2) (last (second rs))) (my.lib/area (last (first rs)))])',
    { value: '[(2 3) true 6 true 4]', prints: [] },
  ],
  [
    'extend no protocol of the caller',
    '(defprotocol F (f [this])) (try (doall (pmap (fn [_] (extend-type Long F (f [n] n))) [1 2])) (catch Exception e [(satisfies? F 1) (class (ex-cause e))]))',
    { value: '[false java.lang.IllegalStateException]', prints: [] },
  ],
  [
    'move no matcher of the caller',
    '(def m (re-matcher #"\\d" "1 2")) (try (doall (pmap (fn [_] (re-find m)) [1 2])) (catch Exception e [(re-find m) (class (ex-cause e))]))',
    { value: '["1" java.lang.IllegalStateException]', prints: [] },
  ],
  [
    'discard their records',
    '(defrecord R [n]) (def a (->R 1)) (doall (pmap (fn [_] (defrecord R [n]) (instance? R a)) [1 2])) (instance? R a)',
    { value: 'true', prints: [] },
  ],
  [
    'take what cannot be written down',
    '(def t (transient [])) (pmap (fn [x] (count t)) [1 2])',
    { value: '(0 0)', prints: [] },
  ],
];
