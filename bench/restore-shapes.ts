/** What a mission may keep a megabyte of: each shape as sources that define more of it. */
export interface Shape {
  readonly name: string;
  /** Sources that define `count` of it. Some define as many in each of several programs. */
  readonly sources: (count: number) => readonly string[];
}

const FEW = 200;

/** `(mapv make (range count))`. */
function each(name: string, make: string): Shape {
  return whole(name, (count) => `(mapv ${make} (range ${count}))`);
}

function whole(name: string, value: (count: number) => string): Shape {
  return { name, sources: (count) => [`(def kept ${value(count)}) nil`] };
}

/** Many definitions, a few in each program. */
function definitions(name: string, form: (index: number) => string): Shape {
  return {
    name,
    sources: (count) =>
      Array.from(
        { length: Math.ceil(count / FEW) },
        (_, part) =>
          `${Array.from({ length: Math.min(FEW, count - part * FEW) }, (__, i) => form(part * FEW + i)).join(' ')} nil`,
      ),
  };
}

export const FLOOR = 'one text';

export const SHAPES: readonly Shape[] = [
  whole(FLOOR, (count) => `(clojure.string/join (repeat ${count} "y"))`),
  whole('one text beyond ASCII', (count) => `(clojure.string/join (repeat ${count} "é"))`),
  each('records', '(fn [i] {:id i :name (str "row " i) :state (if (even? i) :open :closed)})'),
  each('integers', '(fn [i] (* 1234 i))'),
  each('small integers', '(fn [i] (mod i 10))'),
  each('nils', '(fn [i] nil)'),
  each('doubles', '(fn [i] (/ i 7.0))'),
  each('big integers', '(fn [i] (* 1000000000000000000000N (inc i)))'),
  each('characters', '(fn [i] (char (+ 32 (mod i 90))))'),
  each('texts of three', '(fn [i] (subs (str (+ 1000 i)) 1 4))'),
  each('texts', '(fn [i] (str "text " i))'),
  each('keywords', '(fn [i] (keyword (str "k" i)))'),
  each('qualified keywords', '(fn [i] (keyword "name.space" (str "k" i)))'),
  each('symbols', '(fn [i] (symbol (str "s" i)))'),
  whole('one value again and again', (count) => `(vec (repeat ${count} {:a 1}))`),
  each('pairs', '(fn [i] [i i])'),
  each('vectors of one', '(fn [i] [(mod i 10)])'),
  each('lists', '(fn [i] (list i i))'),
  whole('one list', (count) => `(apply list (range ${count}))`),
  each('sets of two', '(fn [i] #{i (inc i)})'),
  each('maps of one text', '(fn [i] {"k" i})'),
  each('with metadata', '(fn [i] (with-meta [i] {:at i}))'),
  whole('hash map of integers', (count) => `(into {} (map (fn [i] [i i])) (range ${count}))`),
  whole('hash map of texts', (count) => `(into {} (map (fn [i] [(str "key " i) i])) (range ${count}))`),
  whole('hash map of keywords', (count) => `(into {} (map (fn [i] [(keyword (str "k" i)) i])) (range ${count}))`),
  whole('hash map of vectors', (count) => `(into {} (map (fn [i] [[i i] i])) (range ${count}))`),
  whole('hash set of integers', (count) => `(set (range ${count}))`),
  whole('hash set of texts', (count) => `(into #{} (map (fn [i] (str "key " i))) (range ${count}))`),
  whole('sorted map', (count) => `(into (sorted-map) (map (fn [i] [i i])) (range ${count}))`),
  whole('sorted set', (count) => `(into (sorted-set) (range ${count}))`),
  whole('nested vectors', (count) => `(reduce (fn [inner i] [inner i]) nil (range ${count}))`),
  whole('nested maps', (count) => `(reduce (fn [inner i] {:in inner}) nil (range ${count}))`),
  whole('lazy seq, realised', (count) => `(doall (map inc (range ${count})))`),
  whole(
    'lazy seq of the program, realised',
    (count) => `(letfn [(up [i] (lazy-seq (when (< i ${count}) (cons i (up (inc i))))))] (doall (up 0)))`,
  ),
  each('lazy seqs, not realised', '(fn [i] (map inc [i]))'),
  each('atoms', '(fn [i] (atom i))'),
  each('atoms of maps', '(fn [i] (atom {:id i}))'),
  each('empty atoms', '(fn [i] (atom nil))'),
  each('volatiles', '(fn [i] (volatile! i))'),
  each('delays', '(fn [i] (let [d (delay i)] @d d))'),
  each('closures', '(fn [i] (fn [] i))'),
  each('closures of three', '(fn [i] (let [a (str "a" i) b (inc i)] (fn [x] [x i a b])))'),
  each('functions of built-ins', '(fn [i] (partial + i))'),
  each('exceptions', '(fn [i] (ex-info "no" {:i i}))'),
  each('dates', '(fn [i] (java.time.Instant/ofEpochMilli (* 1000 i)))'),
  each('UUIDs', '(fn [i] (parse-uuid (format "00000000-0000-0000-0000-%012d" i)))'),
  {
    name: 'methods',
    sources: (count) => [`(defmulti kept identity) (doseq [i (range ${count})] (defmethod kept i [x] [i x])) nil`],
  },
  definitions('constants', (i) => `(def constant-${i} ${i})`),
  definitions('functions', (i) => `(defn function-${i} "Adds." [x] (+ x ${i}))`),
];
