import { type Attack, lisp, refused, TIME_OR_MEMORY } from '../attack.ts';

/** Small programs with giant results: what the language bounds it refuses by name, a guard ends the others. */
const ENDED = ['evaluation_error', ...TIME_OR_MEMORY] as const;

function nested(depth: number): string {
  return `(reduce (fn [x _] [x]) [] (range ${depth}))`;
}

/** The atom `a` holds this form of itself. */
function inItself(acquired: string, body: string): string {
  return `(let [a (atom nil)] (reset! a ${acquired}) ${body})`;
}

const compiling: readonly Attack[] = [
  refused(
    'bomb-threading',
    'steps of a threading form, each inside the next',
    'invalid_form',
    `(-> 1 ${'inc '.repeat(10_000)})`,
  ),
  refused(
    'bomb-symbols',
    'a hundred thousand names',
    'symbol_limit_exceeded',
    Array.from({ length: 100_000 }, (_, index) => `s${index}`).join(' '),
  ),
  refused('bomb-depth', 'forms nested once too deep', 'parse_error', `${'['.repeat(201)}${']'.repeat(201)}`),
  refused('bomb-digits', 'an integer of one digit too many', 'parse_error', '9'.repeat(1001)),
  lisp(
    'bomb-digits-most',
    'an integer of as many digits as may be',
    ['continued'],
    `(mod ${'9'.repeat(1000)} 7)`,
    /^3$/,
  ),
  lisp(
    'bomb-vector-literal',
    'a vector of forty thousand items',
    ['continued', 'memory_exceeded'],
    `(count [${'1 '.repeat(40_000)}])`,
    /^40000$/,
  ),
  lisp(
    'bomb-map-literal',
    'a map of nine thousand entries',
    ['continued', 'memory_exceeded'],
    `(count {${Array.from({ length: 9000 }, (_, index) => `:k${index} ${index}`).join(' ')}})`,
    /^9000$/,
  ),
  lisp(
    'bomb-string-literal',
    'a string of a hundred thousand units',
    ['continued'],
    `(count "${'a'.repeat(100_000)}")`,
    /^100000$/,
  ),
  lisp(
    'bomb-arguments',
    'a call of forty thousand arguments',
    ['continued', 'memory_exceeded'],
    `(+ ${'1 '.repeat(40_000)})`,
    /^40000$/,
  ),
  refused('bomb-pattern-literal', 'a pattern that is too long', 'parse_error', `#"${'a'.repeat(10_001)}"`),
];

const matching: readonly Attack[] = [
  refused(
    'bomb-regex-quantifiers',
    'a repetition of repetitions',
    'regex_limit_exceeded',
    '(re-find #"(x+x+)+y" (apply str (repeat 5000 "x")))',
  ),
  refused(
    'bomb-regex-references',
    'references back to what may be anything',
    'regex_limit_exceeded',
    '(re-find #"(.*)(.*)(.*)(.*)\\1\\2\\3\\4z" (apply str (repeat 3000 "x")))',
  ),
  refused(
    'bomb-regex-caught',
    'a limit that a handler wants',
    'regex_limit_exceeded',
    '(try (re-find #"(x+x+)+y" (apply str (repeat 5000 "x"))) (catch Throwable _ 1))',
  ),
  lisp(
    'bomb-regex-counts',
    'counts of counts of counts',
    ['continued'],
    '(re-find (re-pattern "((a{1000}){1000}){1000}") "aaa")',
    /^null$/,
  ),
  refused(
    'bomb-regex-run-time',
    'a pattern made at run time, too long',
    'value_error',
    '(re-pattern (apply str (repeat 10001 "a")))',
  ),
];

const endless: readonly Attack[] = [
  lisp('bomb-print-endless', 'an endless seq, printed', ENDED, '(println (range))'),
  lisp('bomb-text-endless', 'an endless seq as text', ENDED, '(pr-str (iterate inc 0))'),
  lisp('bomb-format-endless', 'an endless seq in a format', ENDED, '(format "%s" (range))'),
  lisp('bomb-hash-endless', 'the hash of an endless seq', ENDED, '(hash (range))'),
  lisp('bomb-equal-endless', 'two endless seqs compared', ENDED, '(= (range) (range))'),
  lisp('bomb-set-endless', 'an endless seq in a set', ENDED, '#{(range)}'),
  lisp('bomb-value-endless', 'an endless seq as the value', ENDED, '(range)'),
  lisp('bomb-fail-endless', 'an endless seq as the reason', ENDED, '(fail (range))'),
  lisp(
    'bomb-error-endless',
    'an endless seq in an exception',
    ['evaluation_error'],
    '(throw (ex-info "x" {:a (range)}))',
    /^x$/,
  ),
  lisp('bomb-tree', 'an endless tree, counted', ENDED, '(count (tree-seq (fn [_] true) (fn [x] [x x]) 1))'),
  lisp('bomb-lazy-self', 'a lazy seq of itself', ENDED, '(let [p (atom nil) s (lazy-seq @p)] (reset! p s) (seq s))'),
  lisp(
    'bomb-lazy-chain',
    'a seq behind a hundred thousand others',
    ENDED,
    '(first (reduce (fn [s _] (map inc s)) (iterate inc 0) (range 100000)))',
  ),
  lisp('bomb-delay-self', 'a delay that waits for itself', ENDED, '(let [p (atom nil) d (delay @@p)] (reset! p d) @d)'),
];

const cyclic: readonly Attack[] = [
  lisp('bomb-atom-self', 'an atom in itself, as the value', ['continued'], inItself('a', 'a'), /\.\.\./),
  lisp('bomb-atom-text', 'an atom in itself, as text', ['continued'], inItself('[a]', '(count (str a))'), /^\d+$/),
  lisp('bomb-atom-doubled', 'an atom that holds itself twice, as text', ENDED, inItself('[a a]', '(count (pr-str a))')),
  lisp(
    'bomb-atom-hash',
    'an atom in itself, compared',
    ['continued'],
    inItself('[a]', '(= (hash @a) (hash @a))'),
    /^true$/,
  ),
  lisp(
    'bomb-atom-described',
    'an atom in itself, described',
    ['continued'],
    inItself('[a]', '(count (describe @a {:paths true :depth 5}))'),
  ),
];

const giant: readonly Attack[] = [
  lisp('bomb-width-most', 'the widest format', ['continued'], '(count (format "%1000000s" "a"))', /^1000000$/),
  refused('bomb-width', 'a format wider than that', 'memory_exceeded', '(format "%1000001s" "a")'),
  refused('bomb-width-digits', 'a width of many digits', 'memory_exceeded', '(format "%99999999999999999999d" 1)'),
  refused('bomb-precision', 'a precision beyond the bound', 'memory_exceeded', '(format "%.1000001f" 1.5)'),
  refused(
    'bomb-widths',
    'a thousand wide formats in one',
    'memory_exceeded',
    '(apply format (apply str (repeat 1000 "%1000000d")) (range 1000))',
  ),
  refused('bomb-repeat', 'more items than a sequence may have', 'memory_exceeded', '(count (vec (repeat 10000001 0)))'),
  refused('bomb-join', 'a text joined of as many', 'memory_exceeded', '(clojure.string/join (repeat 1000000000 "x"))'),
  refused('bomb-string-repeat', 'a string repeated too often', 'memory_exceeded', '(.repeat "ab" 2000000000)'),
  refused(
    'bomb-replace',
    'a replacement that multiplies',
    'memory_exceeded',
    '(let [s (apply str (repeat 10000 "a"))] (clojure.string/replace s "" s))',
  ),
  refused(
    'bomb-combinations',
    'more combinations than may be',
    'memory_exceeded',
    '(count (combinations (range 100) 50))',
  ),
  refused('bomb-integer', 'an integer of more than a million bits', 'memory_exceeded', "(loop [n 2] (recur (*' n n)))"),
  lisp(
    'bomb-collisions',
    'keys of one hash',
    ['continued', ...TIME_OR_MEMORY],
    '(count (into {} (map (fn [n] [(apply str (map (fn [b] (if (bit-test n b) "Aa" "BB")) (range 14))) n]) (range 16384))))',
  ),
];

const deep: readonly Attack[] = [
  refused(
    'bomb-read',
    'text nested beyond the bound of the reader',
    'value_error',
    '(read-string (apply str (repeat 100000 "[")))',
  ),
  refused(
    'bomb-read-digits',
    'an integer of too many digits, read',
    'value_error',
    '(read-string (apply str (repeat 100000 "9")))',
  ),
  refused(
    'bomb-json',
    'JSON nested beyond its bound',
    'value_error',
    '(json/parse-string (apply str (repeat 100000 "[")))',
  ),
  lisp(
    'bomb-json-digits',
    'a JSON integer beyond the bound',
    ENDED,
    '(json/parse-string (apply str (repeat 400000 "9")))',
  ),
  lisp('bomb-deep-equal', 'data nested deeply, compared', ENDED, `(= ${nested(200_000)} ${nested(200_000)})`),
  lisp('bomb-deep-hash', 'data nested deeply, hashed', ENDED, `(hash ${nested(200_000)})`),
  lisp('bomb-deep-print', 'data nested deeply, printed', ENDED, `(count (pr-str ${nested(200_000)}))`),
  lisp('bomb-deep-walk', 'data nested deeply, walked', ENDED, `(clojure.walk/postwalk identity ${nested(200_000)})`),
  lisp(
    'bomb-comp',
    'a hundred thousand functions in one',
    ['continued', ...ENDED],
    '((apply comp (repeat 100000 inc)) 0)',
  ),
  refused(
    'bomb-finally',
    'what finally does after a limit',
    'memory_exceeded',
    '(defn f [] (inc (f))) (try (f) (finally (loop [] (recur))))',
  ),
  refused(
    'bomb-finally-return',
    'a return in the place of a limit',
    'memory_exceeded',
    '(defn f [] (inc (f))) (try (f) (finally (return 1)))',
  ),
  refused(
    'bomb-finally-caught',
    'an exception in the place of a limit',
    'memory_exceeded',
    '(defn f [] (inc (f))) (try (try (f) (finally (throw (ex-info "x" {})))) (catch Throwable _ 1))',
  ),
];

export const lispBombs: readonly Attack[] = [...compiling, ...matching, ...endless, ...cyclic, ...giant, ...deep];
