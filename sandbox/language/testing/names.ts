/**
 * The names of functions.md that must be there, each with the numbers of arguments it takes: `2`, `1-3`, `0+`, `3|5`;
 * constants have none. Data of the tests alone.
 */
export const REQUIRED: Readonly<Record<string, string>> = {
  'clojure.core': `
    + 0+, * 0+, +' 0+, *' 0+, - 1+, -' 1+, / 1+, inc 1, inc' 1, dec 1, dec' 1, abs 1, num 1, quot 2, rem 2, mod 2,
    max 1+, min 1+, int 1, long 1, short 1, byte 1, char 1, double 1, float 1, bigint 1, biginteger 1, boolean 1,
    bit-and 2+, bit-or 2+, bit-xor 2+, bit-and-not 2+, bit-not 1, bit-shift-left 2, bit-shift-right 2,
    unsigned-bit-shift-right 2, bit-set 2, bit-clear 2, bit-flip 2, bit-test 2, range 0-3, == 1+, < 1+, <= 1+, >
    1+, >= 1+, zero? 1, pos? 1, neg? 1, NaN? 1, infinite? 1, even? 1, odd? 1, parse-long 1, parse-double 1,
    parse-boolean 1, parse-uuid 1, = 1+, not= 1+, identical? 2, hash 1, compare 2, sort 1-2, sort-by 2-3,
    comparator 1, max-key 2+, min-key 2+, distinct? 1+, type 1, class 1, instance? 2, class? 1, nil? 1, some? 1,
    any? 1, true? 1, false? 1, boolean? 1, not 1, string? 1, char? 1, keyword? 1, symbol? 1, ident? 1,
    simple-keyword? 1, qualified-keyword? 1, simple-symbol? 1, qualified-symbol? 1, simple-ident? 1,
    qualified-ident? 1, map? 1, set? 1, coll? 1, fn? 1, var? 1, delay? 1, volatile? 1, inst? 1, uuid? 1, reduced?
    1, vector? 1, list? 1, seq? 1, sequential? 1, associative? 1, counted? 1, indexed? 1, reversible? 1, sorted?
    1, seqable? 1, map-entry? 1, ifn? 1, number? 1, rational? 1, integer? 1, int? 1, float? 1, double? 1, pos-int?
    1, neg-int? 1, nat-int? 1, ratio? 1, decimal? 1, bytes? 1, uri? 1, tagged-literal? 1, reader-conditional? 1,
    empty? 1, realized? 1, identity 1, constantly 1, complement 1, partial 1+, comp 0+, juxt 1+, apply 2+, fnil
    2-4, every-pred 1+, some-fn 1+, memoize 1, trampoline 1+, completing 1-2, reduced 1, unreduced 1,
    ensure-reduced 1, pmap 2+, pcalls 0+, seq 1, first 1, second 1, last 1, ffirst 1, fnext 1, nfirst 1, nnext 1,
    next 1, rest 1, butlast 1, count 1, nth 2-3, nthrest 2, nthnext 2, cons 2, list 0+, list* 1+, vector 0+, vec
    1, set 1, conj 0+, into 0-3, concat 0+, map 1+, mapv 2+, filterv 2, map-indexed 1-2, keep 1-2, keep-indexed
    1-2, filter 1-2, remove 1-2, mapcat 1+, take 1-2, drop 1-2, take-while 1-2, drop-while 1-2, take-nth 1-2,
    take-last 2, drop-last 1-2, split-at 2, split-with 2, partition 2-4, partition-all 1-3, partition-by 1-2,
    partitionv 2-4, partitionv-all 1-3, splitv-at 2, distinct 0-1, dedupe 0-1, reverse 1, interleave 0+, interpose
    1-2, flatten 1, reduce 2-3, reduce-kv 3, reductions 2-3, some 2, every? 2, not-any? 2, not-every? 2,
    frequencies 1, group-by 2, zipmap 2, replace 1-3, repeat 1-2, repeatedly 1-2, iterate 2, cycle 1, replicate 2,
    tree-seq 3, doall 1-2, dorun 1-2, run! 2, empty 1, not-empty 1, peek 1, pop 1, subvec 2-3, rseq 1, subseq 3|5,
    rsubseq 3|5, transduce 3-4, eduction 2+, sequence 1+, cat 1, halt-when 1-2, bounded-count 2, transient 1,
    persistent! 1, conj! 0-2, assoc! 3+, dissoc! 2+, disj! 1+, pop! 1, hash-map 0+, array-map 0+, hash-set 0+,
    sorted-map 0+, sorted-map-by 1+, sorted-set 0+, sorted-set-by 1+, get 2-3, get-in 2-3, find 2, contains? 2,
    keys 1, vals 1, key 1, val 1, assoc 3+, assoc-in 3, update 3+, update-in 3+, dissoc 1+, select-keys 2, merge
    0+, merge-with 1+, update-keys 2, update-vals 2, disj 1+, str 0+, subs 2-3, format 1+, printf 1+, name 1,
    namespace 1, keyword 1-2, symbol 1-2, gensym 0-1, pr-str 0+, prn-str 0+, print-str 0+, println-str 0+, print
    0+, println 0+, pr 0+, prn 0+, newline 0, flush 0, read-string 1-2, atom 1+, swap! 2+, reset! 2, swap-vals!
    2+, reset-vals! 2, compare-and-set! 3, deref 1, volatile! 1, vreset! 2, force 1, meta 1, with-meta 2,
    vary-meta 2+, ex-info 2-3, ex-data 1, ex-message 1, ex-cause 1, derive 2-3, underive 2-3, isa? 2-3, parents
    1-2, ancestors 1-2, descendants 1-2, make-hierarchy 0, get-method 2, methods 1, remove-method 2,
    remove-all-methods 1, prefer-method 3, prefers 1, inst-ms 1, re-pattern 1, re-find 1-2, re-matches 2, re-seq 2,
    re-matcher 2, re-groups 1, record? 1, satisfies? 2, extends? 2, extenders 1, extend 1+`,
  'clojure.string': `
    join 1-2, split 2-3, split-lines 1, replace 3, replace-first 3, upper-case 1, lower-case 1, capitalize 1, trim
    1, triml 1, trimr 1, trim-newline 1, blank? 1, starts-with? 2, ends-with? 2, includes? 2, index-of 2-3,
    last-index-of 2-3, reverse 1, escape 2, re-quote-replacement 1`,
  'clojure.set': `
    union 0+, intersection 1+, difference 1+, subset? 2, superset? 2, select 2, project 2, join 2-3, rename 2,
    rename-keys 2, map-invert 1, index 2`,
  'clojure.walk': `
    walk 3, prewalk 2, postwalk 2, keywordize-keys 1, stringify-keys 1, prewalk-replace 2, postwalk-replace 2`,
  'clojure.pprint': `
    pprint 1, print-table 1-2`,
  'clojure.edn': `
    read-string 1-2`,
  'clojure.math': `
    E, PI, sin 1, cos 1, tan 1, asin 1, acos 1, atan 1, sinh 1, cosh 1, tanh 1, exp 1, expm1 1, log 1, log10 1,
    log1p 1, sqrt 1, cbrt 1, ceil 1, floor 1, rint 1, signum 1, to-degrees 1, to-radians 1, ulp 1, round 1,
    negate-exact 1, increment-exact 1, decrement-exact 1, get-exponent 1, next-up 1, next-down 1, pow 2, atan2 2,
    hypot 2, IEEE-remainder 2, copy-sign 2, next-after 2, scalb 2, floor-div 2, floor-mod 2, add-exact 2,
    subtract-exact 2, multiply-exact 2`,
  json: `
    parse-string 1-2, read-str 1|3, parse-lines 1-2, generate-string 1+, write-str 1+`,
  'svc.core': `
    floor 1, ceil 1, round 1, trunc 1, sqrt 1, pow 2, parse-int 1, upcase 1, downcase 1, sum 1, avg 1, sum-by 2,
    avg-by 2, max-by 2+, min-by 2+, distinct-by 2, entries 1, combinations 2, zip 2+, regex? 1, re-split 2,
    extract 2-3, extract-int 2-4, describe 1-2`,
};

/** Special forms, macros and directives, which are no values (functions.md §9). */
export const FORMS = `
  def defn defn- defonce declare defmulti defmethod defprotocol defrecord extend-type extend-protocol reify binding
  set! fn let letfn loop if if-not if-let if-some when when-not when-let when-some when-first cond condp case do and
  or -> ->> as-> cond-> cond->> some-> some->> doto .. . new for doseq dotimes while quote var comment lazy-seq
  lazy-cat delay vswap! try throw assert with-out-str require return fail program doc source dir apropos export-meta
  components component`;

/** Names of clojure.core that are to come later: refused by name until then. */
export const LATER = `
  unchecked-add unchecked-subtract unchecked-multiply unchecked-inc unchecked-dec unchecked-negate
  unchecked-add-int unchecked-subtract-int unchecked-multiply-int unchecked-inc-int unchecked-dec-int
  unchecked-negate-int unchecked-divide-int unchecked-remainder-int unchecked-byte unchecked-short
  unchecked-char unchecked-int unchecked-long unchecked-float unchecked-double pvalues iteration xml-seq
  chunked-seq? find-keyword char-escape-string char-name-string add-watch remove-watch set-validator!
  get-validator alter-meta! reset-meta! var-get cast hash-ordered-coll hash-unordered-coll mix-collection-hash
  special-symbol? Throwable->map clojure-version deftype memfn tagged-literal`;

/** Names of clojure.core that stay out (functions.md §11): refused with the reason. */
export const LEFT_OUT = `
  agent agent-error agent-errors await await-for await1 clear-agent-errors error-handler error-mode
  restart-agent release-pending-sends send send-off send-via set-agent-send-executor!
  set-agent-send-off-executor! set-error-handler! set-error-mode! shutdown-agents *agent* ref ref-history-count
  ref-max-history ref-min-history ref-set alter commute ensure dosync sync io! future future-call future-cancel
  future-cancelled? future-done? future? promise deliver locking seque tap> add-tap remove-tap bound-fn
  bound-fn* bound? get-thread-bindings push-thread-bindings pop-thread-bindings thread-bound? with-bindings
  with-bindings* with-local-vars var-set with-redefs with-redefs-fn alter-var-root rand rand-int rand-nth
  random-sample random-uuid shuffle time *in* *out* *err* *flush-on-newline* *command-line-args* read
  read+string read-line with-in-str with-open slurp spit file-seq line-seq resultset-seq PrintWriter-on
  *print-dup* *print-length* *print-level* *print-meta* *print-namespace-maps* *print-readably* print-ctor
  print-dup print-method print-simple eval load load-file load-reader load-string compile defmacro definline
  macroexpand macroexpand-1 destructure unquote unquote-splicing test *e *read-eval* *reader-resolver*
  *suppress-read* *data-readers* *default-data-reader-fn* default-data-readers reader-conditional *assert*
  *clojure-version* *repl* *ns* *file* *source-path* all-ns create-ns find-ns in-ns remove-ns the-ns alias
  import refer refer-clojure use requiring-resolve resolve ns-resolve find-var intern ns-aliases ns-imports
  ns-interns ns-map ns-name ns-publics ns-refers ns-unalias ns-unmap loaded-libs with-loading-context
  *allow-unresolved-vars* *compile-files* *compile-path* *compiler-options* *fn-loader* *math-context*
  *unchecked-math* *use-context-classloader* *verbose-defrecords* *warn-on-reflection* add-classpath gen-class
  gen-interface munge namespace-munge aclone aget alength amap areduce aset aset-boolean aset-byte aset-char
  aset-double aset-float aset-int aset-long aset-short boolean-array booleans byte-array bytes char-array chars
  double-array doubles float-array floats int-array ints into-array long-array longs make-array object-array
  short-array shorts to-array to-array-2d vector-of numerator denominator rationalize bigdec with-precision
  bases supers bean proxy construct-proxy get-proxy-class init-proxy proxy-call-with-super proxy-mappings
  proxy-name proxy-super update-proxy definterface enumeration-seq iterator-seq primitives-classnames
  StackTraceElement->vec stream-into! stream-reduce! stream-seq! stream-transduce! defstruct create-struct
  struct struct-map accessor ->ArrayChunk ->Eduction ->Vec ->VecNode ->VecSeq -cache-protocol-fn -reset-methods
  EMPTY-NODE Inst inst-ms* chunk chunk-append chunk-buffer chunk-cons chunk-first chunk-next chunk-rest
  find-protocol-impl find-protocol-method hash-combine method-sig seq-to-map-for-destructuring`;
