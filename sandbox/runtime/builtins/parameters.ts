/**
 * What the parameters of built-ins are called, as in the reference (its `:arglists`). Nothing but `doc` and the
 * metadata of variables asks for it, so that it stands apart from the rows, which many programs need.
 */

/**
 * By namespace, lines of `PARAMETERS : NAMES`: the parameter vectors of all names of the line, parted by `|`, or their
 * list as it prints where there is a pattern among them.
 */
const PARAMETERS: Readonly<Record<string, string>> = {
  'clojure.core': `
    |x|x y|x y & more : + * +' *'
    x|x y|x y & more : - / < <= > >= == -' max min = not= distinct?
    x : inc dec inc' dec' num int long short byte char double float bigint biginteger boolean bit-not hash class type nil? some? any? true? false? boolean?
    x : not string? char? keyword? symbol? ident? simple-keyword? qualified-keyword? simple-symbol? qualified-symbol? simple-ident? qualified-ident? map? record?
    x : set? coll? fn? ifn? delay? volatile? inst? uuid? reduced? vector? list? seq? seqable? map-entry? number? int? double? pos-int? neg-int? nat-int?
    x : bytes? uri? realized? class? identity constantly reduced unreduced ensure-reduced second ffirst fnext nfirst nnext flatten name namespace force
    num div : quot rem mod
    a : abs
    x y|x y & more : bit-and bit-or bit-xor bit-and-not
    x n : bit-shift-left bit-shift-right unsigned-bit-shift-right bit-set bit-clear bit-flip bit-test
    num : zero? pos? neg? NaN? infinite?
    n : even? odd? rational? integer? float? ratio? decimal?
    s : parse-long parse-double parse-boolean parse-uuid re-pattern
    x y : identical? compare
    coll|comp coll : sort
    keyfn coll|keyfn comp coll : sort-by
    pred : comparator
    k x|k x y|k x y & more : max-key min-key
    c x : instance?
    v : var?
    coll : sequential? associative? counted? indexed? reversible? sorted? empty? seq first last next rest butlast count vec set reverse empty not-empty
    coll : peek pop frequencies cycle transient persistent! pop!
    value : tagged-literal? reader-conditional?
    f : complement memoize
    f|f arg1|f arg1 arg2|f arg1 arg2 arg3|f arg1 arg2 arg3 & more : partial
    |f|f g|f g & fs : comp
    f|f g|f g h|f g h & fs : juxt
    f args|f x args|f x y args|f x y z args|f a b c d & args : apply
    f x|f x y|f x y z : fnil
    p|p1 p2|p1 p2 p3|p1 p2 p3 & ps : every-pred some-fn
    f|f & args : trampoline
    f|f cf : completing
    coll index|coll index not-found : nth
    coll n : nthrest nthnext
    x seq : cons
    & items : list
    args|a args|a b args|a b c args|a b c d & more : list*
    |a|a b|a b c|a b c d|a b c d e|a b c d e f|a b c d e f & args : vector
    |coll|coll x|coll x & xs : conj
    |to|to from|to xform from : into
    v start|v start end : subvec
    rev : rseq
    coll|n coll : doall dorun drop-last
    proc coll : run!
    n coll : bounded-count take-last split-at splitv-at
    f|f coll|f c1 c2|f c1 c2 c3|f c1 c2 c3 & colls : map
    f coll|f c1 c2|f c1 c2 c3|f c1 c2 c3 & colls : mapv
    pred|pred coll : filter remove take-while drop-while
    f|f coll : keep map-indexed keep-indexed partition-by
    pred coll : filterv split-with some every? not-any? not-every?
    f|f & colls : mapcat
    |coll : distinct dedupe
    smap|smap coll|s match replacement : replace
    |x|x y|x y & zs : concat
    |c1|c1 c2|c1 c2 & colls : interleave
    sep|sep coll : interpose
    n|n coll : take drop take-nth
    n coll|n step coll|n step pad coll : partition partitionv
    n|n coll|n step coll : partition-all partitionv-all
    f coll|f val coll : reduce
    f init coll : reduce-kv
    f coll|f init coll : reductions
    f coll : group-by
    keys vals : zipmap
    |end|start end|start end step : range
    x|n x : repeat
    n x : replicate
    f|n f : repeatedly
    f x : iterate
    branch? children root : tree-seq
    xform f coll|xform f init coll : transduce
    xform* coll : eduction
    coll|xform coll|xform coll & colls : sequence
    rf : cat
    pred|pred retf : halt-when
    |coll|coll x : conj!
    coll key val|coll key val & kvs : assoc!
    map key|map key & ks : dissoc!
    set|set key|set key & ks : disj! disj
    |& keyvals : hash-map array-map
    |& keys : hash-set
    & keyvals : sorted-map
    comparator & keyvals : sorted-map-by
    & keys : sorted-set
    comparator & keys : sorted-set-by
    map key|map key not-found : get
    m ks|m ks not-found : get-in
    map key : find
    coll key : contains?
    map : keys vals
    e : key val
    map key val|map key val & kvs : assoc
    ([m [k & ks] v]) : assoc-in
    m k f|m k f x|m k f x y|m k f x y z|m k f x y z & more : update
    m ks f & args : update-in
    map|map key|map key & ks : dissoc
    map keyseq : select-keys
    & maps : merge
    f & maps : merge-with
    m f : update-keys update-vals
    sc test key|sc start-test start-key end-test end-key : subseq rsubseq
    |x|x & ys : str
    s start|s start end : subs
    name|ns name : keyword symbol
    |prefix-string : gensym
    & xs : pr-str prn-str print-str println-str
    fmt & args : format printf
    s|opts s : read-string
    & more : print println prn
    |x|x & more : pr
     : newline flush make-hierarchy
    x|x & options : atom
    atom f|atom f x|atom f x y|atom f x y & args : swap! swap-vals!
    atom newval : reset! reset-vals!
    atom oldval newval : compare-and-set!
    ref : deref
    val : volatile!
    vol newval : vreset!
    obj : meta
    obj m : with-meta
    obj f & args : vary-meta
    inst : inst-ms
    msg map|msg map cause : ex-info
    ex : ex-data ex-message ex-cause
    tag parent|h tag parent : derive underive
    child parent|h child parent : isa?
    tag|h tag : parents ancestors descendants
    multifn dispatch-val : get-method remove-method
    multifn : methods remove-all-methods prefers
    multifn dispatch-val-x dispatch-val-y : prefer-method
    m|re s : re-find
    re s : re-matches re-seq re-matcher
    m : re-groups
    protocol x : satisfies?
    protocol atype : extends?
    protocol : extenders
    atype & proto+mmaps : extend
    f coll|f coll & colls : pmap
    & fns : pcalls
  `,
  'clojure.string': `
    coll|separator coll : join
    s re|s re limit : split
    s : split-lines upper-case lower-case capitalize trim triml trimr trim-newline blank? reverse
    s match replacement : replace replace-first
    s substr : starts-with? ends-with? includes?
    s value|s value from-index : index-of last-index-of
    s cmap : escape
    replacement : re-quote-replacement
  `,
  'clojure.set': `
    |s1|s1 s2|s1 s2 & sets : union
    s1|s1 s2|s1 s2 & sets : intersection difference
    set1 set2 : subset? superset?
    pred xset : select
    xrel ks : project index
    xrel yrel|xrel yrel km : join
    xrel kmap : rename
    map kmap : rename-keys
    m : map-invert
  `,
  'clojure.walk': `
    inner outer form : walk
    f form : prewalk postwalk
    m : keywordize-keys stringify-keys
    smap form : prewalk-replace postwalk-replace
  `,
  'clojure.pprint': `
    object : pprint
    rows|ks rows : print-table
  `,
  'clojure.edn': `
    s|opts s : read-string
  `,
  'clojure.math': `
    a : sin cos tan asin acos atan exp log log10 sqrt cbrt ceil floor rint round negate-exact increment-exact decrement-exact
    x : sinh cosh tanh expm1 log1p
    d : signum ulp next-up next-down get-exponent
    r : to-degrees
    deg : to-radians
    a b : pow
    y x : atan2
    x y : hypot floor-div floor-mod add-exact subtract-exact multiply-exact
    dividend divisor : IEEE-remainder
    magnitude sign : copy-sign
    start direction : next-after
    d scaleFactor : scalb
  `,
  json: `
    s|s key-fn : parse-string parse-lines
    s|s option key-fn : read-str
    x & options : generate-string write-str
  `,
  'svc.core': `
    x : regex? floor ceil round trunc sqrt
    re s : re-split
    pattern s|pattern s group : extract
    pattern s|pattern s group|pattern s group default : extract-int
    x y : pow
    s : parse-int upcase downcase
    coll : sum avg
    key coll : sum-by avg-by distinct-by
    key coll & colls : max-by min-by
    map : entries
    coll n : combinations
    coll1 coll2 & colls : zip
    x|x options : describe
  `,
};

/** The parameter vectors of a built-in as text, `x y|x & more` or a printed list; null for a constant. */
export function builtinParameters(namespace: string, name: string): string | null {
  for (const line of (PARAMETERS[namespace] ?? '').split('\n')) {
    const colon = line.indexOf(' : ');
    if (colon >= 0 && `${line.slice(colon + 2)} `.includes(` ${name} `)) return line.slice(0, colon).trim();
  }
  return null;
}
