/** By the rows of each area, their names between spaces. Written by scripts/builtin-names.ts. */
export const NAMES = {
  numbers:
    " + * - / inc dec quot rem mod < <= > >= == +' *' -' inc' dec' abs num max min int long short byte char " +
    'double float bigint biginteger boolean bit-and bit-or bit-xor bit-and-not bit-not bit-shift-left ' +
    'bit-shift-right unsigned-bit-shift-right bit-set bit-clear bit-flip bit-test zero? pos? neg? NaN? infinite? ' +
    'even? odd? parse-long parse-double parse-boolean parse-uuid ',
  comparison:
    ' = not= identical? hash compare sort sort-by comparator max-key min-key distinct? class type instance? nil? ' +
    'some? any? true? false? boolean? not string? char? keyword? symbol? ident? simple-keyword? ' +
    'qualified-keyword? simple-symbol? qualified-symbol? simple-ident? qualified-ident? map? record? set? coll? ' +
    'fn? ifn? var? delay? volatile? inst? uuid? reduced? vector? list? seq? sequential? associative? counted? ' +
    'indexed? reversible? sorted? seqable? map-entry? number? rational? integer? int? float? double? pos-int? ' +
    'neg-int? nat-int? ratio? decimal? bytes? uri? tagged-literal? reader-conditional? empty? realized? class? ',
  functions:
    ' identity constantly complement partial comp juxt apply fnil every-pred some-fn memoize trampoline ' +
    'completing reduced unreduced ensure-reduced ',
  seqAccess:
    ' seq first second last ffirst fnext nfirst nnext next rest butlast count nth nthrest nthnext cons list ' +
    'list* vector vec set conj into reverse subvec rseq empty not-empty peek pop doall dorun run! bounded-count ',
  seqTransform: ' map mapv filter remove keep map-indexed keep-indexed filterv mapcat distinct dedupe replace ',
  seqJoin: ' concat interleave interpose flatten ',
  seqTake: ' take drop take-while drop-while take-nth take-last drop-last split-at split-with splitv-at ',
  seqPartition: ' partition partitionv partition-all partitionv-all partition-by ',
  seqReduce: ' reduce reduce-kv reductions some every? not-any? not-every? frequencies group-by zipmap ',
  producers: ' range repeat replicate repeatedly iterate cycle tree-seq ',
  transducers: ' transduce eduction sequence cat halt-when ',
  transients: ' transient persistent! conj! assoc! dissoc! disj! pop! ',
  maps:
    ' hash-map array-map hash-set sorted-map sorted-map-by sorted-set sorted-set-by get get-in find contains? ' +
    'keys vals key val assoc assoc-in update update-in dissoc select-keys merge merge-with update-keys ' +
    'update-vals disj subseq rsubseq ',
  strings: ' str subs name namespace keyword symbol gensym pr-str prn-str print-str println-str ',
  formatting: ' format printf ',
  reading: ' read-string ',
  printing: ' print println pr prn newline flush ',
  state: ' atom swap! reset! swap-vals! reset-vals! compare-and-set! deref volatile! vreset! force ',
  metadata: ' meta with-meta vary-meta inst-ms ',
  exceptions: ' ex-info ex-data ex-message ex-cause ',
  hierarchies: ' derive underive isa? parents ancestors descendants make-hierarchy ',
  multimethods: ' get-method methods remove-method remove-all-methods prefer-method prefers ',
  protocols: ' satisfies? extends? extenders extend ',
  regexCore: ' re-pattern re-find re-matches re-matcher re-groups re-seq ',
  clojureString:
    ' join split split-lines replace replace-first upper-case lower-case capitalize trim triml trimr ' +
    'trim-newline blank? starts-with? ends-with? includes? index-of last-index-of reverse escape ' +
    're-quote-replacement ',
  clojureSet:
    ' union intersection difference subset? superset? select project join rename rename-keys map-invert index ',
  clojureWalk: ' walk prewalk postwalk keywordize-keys stringify-keys prewalk-replace postwalk-replace ',
  ednReading: ' read-string ',
  clojureMath:
    ' E PI sin cos tan asin acos atan sinh cosh tanh exp expm1 log log10 log1p sqrt cbrt ceil floor rint signum ' +
    'to-degrees to-radians ulp round next-up next-down get-exponent pow atan2 hypot IEEE-remainder copy-sign ' +
    'next-after scalb floor-div floor-mod add-exact subtract-exact multiply-exact negate-exact increment-exact ' +
    'decrement-exact ',
  clojurePprint: ' pprint print-table ',
  json: ' parse-string read-str parse-lines generate-string write-str ',
  regexExtensions: ' regex? re-split extract extract-int ',
  extensions:
    ' floor ceil round trunc sqrt pow parse-int upcase downcase sum avg sum-by avg-by max-by min-by distinct-by ' +
    'entries combinations zip ',
  parallel: ' pmap pcalls ',
  describing: ' describe ',
} as const;
