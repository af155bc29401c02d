import type { Effects } from '../effects.ts';
import { clojurePprint } from './clojure-pprint.ts';
import { clojureMath } from './clojure-math.ts';
import { clojureSet } from './clojure-set.ts';
import { clojureString } from './clojure-string.ts';
import { clojureWalk } from './clojure-walk.ts';
import { comparison } from './comparison.ts';
import { extensions } from './extensions.ts';
import { formatting } from './format.ts';
import { functions } from './functions.ts';
import { hierarchies } from './hierarchies.ts';
import { json } from './json.ts';
import { maps } from './maps.ts';
import { multimethods } from './multimethods.ts';
import { numbers } from './numbers.ts';
import { protocols } from './protocols.ts';
import { producers } from './producers.ts';
import { ednReading, reading } from './reading.ts';
import { regexCore, regexExtensions } from './regex.ts';
import type { Row } from './row.ts';
import { seqAccess } from './seq-access.ts';
import { seqJoin } from './seq-join.ts';
import { seqPartition } from './seq-partition.ts';
import { seqReduce } from './seq-reduce.ts';
import { seqTake } from './seq-take.ts';
import { seqTransform } from './seq-transform.ts';
import { exceptions, metadata, state } from './state.ts';
import { printing, strings } from './strings.ts';
import { transducers } from './transducers.ts';
import { transients } from './transients.ts';

/** A part of the table: what its functions are called, and how its rows are made when one of them is wanted. */
export interface Area {
  /** Namespace of its names. */
  readonly prefix: string;
  readonly area: string;
  /**
   * The names of its rows, each between spaces. A table that had to make its rows to know their names would put all
   * of them into every isolate.
   */
  readonly names: string;
  readonly rows: (effects: Effects) => readonly Row[];
}

const CORE = 'clojure.core';
/** Namespace of our own additions, which programs reach unqualified. */
export const EXTENSIONS = 'svc.core';

/** In the order of functions.md. */
export const AREAS: readonly Area[] = [
  {
    prefix: CORE,
    area: 'numbers',
    rows: numbers,
    names:
      " + * - / inc dec quot rem mod < <= > >= == +' *' -' inc' dec' abs num max min int long short byte char double float bigint biginteger boolean bit-and bit-or bit-xor bit-and-not bit-not bit-shift-left bit-shift-right unsigned-bit-shift-right bit-set bit-clear bit-flip bit-test zero? pos? neg? NaN? infinite? even? odd? parse-long parse-double parse-boolean parse-uuid ",
  },
  {
    prefix: CORE,
    area: 'comparison',
    rows: comparison,
    names:
      ' = not= identical? hash compare sort sort-by comparator max-key min-key distinct? class type instance? nil? some? any? true? false? boolean? not string? char? keyword? symbol? ident? simple-keyword? qualified-keyword? simple-symbol? qualified-symbol? simple-ident? qualified-ident? map? record? set? coll? fn? ifn? var? delay? volatile? inst? uuid? reduced? vector? list? seq? sequential? associative? counted? indexed? reversible? sorted? seqable? map-entry? number? rational? integer? int? float? double? pos-int? neg-int? nat-int? ratio? decimal? bytes? uri? tagged-literal? reader-conditional? empty? realized? class? ',
  },
  {
    prefix: CORE,
    area: 'functions',
    rows: functions,
    names:
      ' identity constantly complement partial comp juxt apply fnil every-pred some-fn memoize trampoline completing reduced unreduced ensure-reduced ',
  },
  {
    prefix: CORE,
    area: 'sequences',
    rows: seqAccess,
    names:
      ' seq first second last ffirst fnext nfirst nnext next rest butlast count nth nthrest nthnext cons list list* vector vec set conj into reverse subvec rseq empty not-empty peek pop doall dorun run! bounded-count ',
  },
  {
    prefix: CORE,
    area: 'sequences',
    rows: seqTransform,
    names: ' map mapv filter remove keep map-indexed keep-indexed filterv mapcat distinct dedupe replace ',
  },
  { prefix: CORE, area: 'sequences', rows: seqJoin, names: ' concat interleave interpose flatten ' },
  {
    prefix: CORE,
    area: 'sequences',
    rows: seqTake,
    names: ' take drop take-while drop-while take-nth take-last drop-last split-at split-with splitv-at ',
  },
  {
    prefix: CORE,
    area: 'sequences',
    rows: seqPartition,
    names: ' partition partitionv partition-all partitionv-all partition-by ',
  },
  {
    prefix: CORE,
    area: 'sequences',
    rows: seqReduce,
    names: ' reduce reduce-kv reductions some every? not-any? not-every? frequencies group-by zipmap ',
  },
  {
    prefix: CORE,
    area: 'sequences',
    rows: producers,
    names: ' range repeat replicate repeatedly iterate cycle tree-seq ',
  },
  { prefix: CORE, area: 'transducers', rows: transducers, names: ' transduce eduction sequence cat halt-when ' },
  {
    prefix: CORE,
    area: 'transients',
    rows: transients,
    names: ' transient persistent! conj! assoc! dissoc! disj! pop! ',
  },
  {
    prefix: CORE,
    area: 'maps',
    rows: maps,
    names:
      ' hash-map array-map hash-set sorted-map sorted-map-by sorted-set sorted-set-by get get-in find contains? keys vals key val assoc assoc-in update update-in dissoc select-keys merge merge-with update-keys update-vals disj subseq rsubseq ',
  },
  {
    prefix: CORE,
    area: 'strings',
    rows: strings,
    names: ' str subs name namespace keyword symbol gensym pr-str prn-str print-str println-str ',
  },
  { prefix: CORE, area: 'strings', rows: formatting, names: ' format printf ' },
  { prefix: CORE, area: 'strings', rows: reading, names: ' read-string ' },
  { prefix: CORE, area: 'printing', rows: printing, names: ' print println pr prn newline flush ' },
  {
    prefix: CORE,
    area: 'state',
    rows: state,
    names: ' atom swap! reset! swap-vals! reset-vals! compare-and-set! deref volatile! vreset! force ',
  },
  { prefix: CORE, area: 'metadata', rows: metadata, names: ' meta with-meta vary-meta inst-ms ' },
  { prefix: CORE, area: 'exceptions', rows: exceptions, names: ' ex-info ex-data ex-message ex-cause ' },
  {
    prefix: CORE,
    area: 'hierarchies',
    rows: hierarchies,
    names: ' derive underive isa? parents ancestors descendants make-hierarchy ',
  },
  {
    prefix: CORE,
    area: 'multimethods',
    rows: multimethods,
    names: ' get-method methods remove-method remove-all-methods prefer-method prefers ',
  },
  { prefix: CORE, area: 'protocols', rows: protocols, names: ' satisfies? extends? extenders extend ' },
  {
    prefix: CORE,
    area: 'regex',
    rows: regexCore,
    names: ' re-pattern re-find re-matches re-matcher re-groups re-seq ',
  },
  {
    prefix: 'clojure.string',
    area: 'clojure.string',
    rows: clojureString,
    names:
      ' join split split-lines replace replace-first upper-case lower-case capitalize trim triml trimr trim-newline blank? starts-with? ends-with? includes? index-of last-index-of reverse escape re-quote-replacement ',
  },
  {
    prefix: 'clojure.set',
    area: 'clojure.set',
    rows: clojureSet,
    names: ' union intersection difference subset? superset? select project join rename rename-keys map-invert index ',
  },
  {
    prefix: 'clojure.walk',
    area: 'clojure.walk',
    rows: clojureWalk,
    names: ' walk prewalk postwalk keywordize-keys stringify-keys prewalk-replace postwalk-replace ',
  },
  { prefix: 'clojure.edn', area: 'clojure.edn', rows: ednReading, names: ' read-string ' },
  {
    prefix: 'clojure.math',
    area: 'clojure.math',
    rows: clojureMath,
    names:
      ' E PI sin cos tan asin acos atan sinh cosh tanh exp expm1 log log10 log1p sqrt cbrt ceil floor rint signum to-degrees to-radians ulp round next-up next-down get-exponent pow atan2 hypot IEEE-remainder copy-sign next-after scalb floor-div floor-mod add-exact subtract-exact multiply-exact negate-exact increment-exact decrement-exact ',
  },
  { prefix: 'clojure.pprint', area: 'clojure.pprint', rows: clojurePprint, names: ' pprint print-table ' },
  { prefix: 'json', area: 'json', rows: json, names: ' parse-string read-str parse-lines generate-string write-str ' },
  { prefix: EXTENSIONS, area: 'regex', rows: regexExtensions, names: ' regex? re-split extract extract-int ' },
  {
    prefix: EXTENSIONS,
    area: 'extensions',
    rows: extensions,
    names:
      ' floor ceil round trunc sqrt pow parse-int upcase downcase sum avg sum-by avg-by max-by min-by distinct-by entries combinations zip ',
  },
];
