const THREADS = 'no threads or shared references; use atoms, pmap or pcalls';
const THREAD_BINDINGS =
  'variables are bound by binding alone; use (binding [*name* value] …) or pass the value as an argument';
const CHANCE = 'not deterministic; take random or time data from a tool';
const STREAMS = 'no files, streams or processes; use a granted tool';
const PRINT_HOOKS = 'printing cannot be changed';
const RUN_TIME_CODE = 'no macros and no evaluation at run time; write functions';
const NAMESPACES = 'namespaces are no objects; use components or (require …)';
const COMPILER = 'no compiler settings';
const ARRAYS = 'no arrays; use vectors';
const RATIOS = 'no ratios or decimals; use integers and doubles';
const HOST_OBJECTS = 'no host objects';
const STRUCTS = 'obsolete; use maps';
const DETAILS = 'an implementation detail of Clojure';

/** functions.md §11: names of clojure.core that are left out, by reason. */
const REASONS: readonly (readonly [string, string])[] = [
  [
    THREADS,
    'agent agent-error agent-errors await await-for await1 clear-agent-errors error-handler error-mode restart-agent release-pending-sends send send-off send-via set-agent-send-executor! set-agent-send-off-executor! set-error-handler! set-error-mode! shutdown-agents *agent* ref ref-history-count ref-max-history ref-min-history ref-set alter commute ensure dosync sync io! future future-call future-cancel future-cancelled? future-done? future? promise deliver locking seque tap> add-tap remove-tap monitor-enter monitor-exit',
  ],
  [
    THREAD_BINDINGS,
    'bound-fn bound-fn* bound? get-thread-bindings push-thread-bindings pop-thread-bindings thread-bound? with-bindings with-bindings* with-local-vars var-set with-redefs with-redefs-fn alter-var-root',
  ],
  [CHANCE, 'rand rand-int rand-nth random-sample random-uuid shuffle time'],
  [
    STREAMS,
    '*in* *out* *err* *flush-on-newline* *command-line-args* read read+string read-line with-in-str with-open slurp spit file-seq line-seq resultset-seq PrintWriter-on sh http/get',
  ],
  [
    PRINT_HOOKS,
    '*print-dup* *print-length* *print-level* *print-meta* *print-namespace-maps* *print-readably* print-ctor print-dup print-method print-simple',
  ],
  [
    RUN_TIME_CODE,
    'eval load load-file load-reader load-string compile defmacro definline macroexpand macroexpand-1 destructure unquote unquote-splicing test *e *read-eval* *reader-resolver* *suppress-read* *data-readers* *default-data-reader-fn* default-data-readers reader-conditional *assert* *clojure-version* *repl*',
  ],
  [
    NAMESPACES,
    '*ns* *file* *source-path* all-ns create-ns find-ns in-ns remove-ns the-ns alias refer refer-clojure use requiring-resolve resolve ns-resolve find-var intern ns-aliases ns-imports ns-interns ns-map ns-name ns-publics ns-refers ns-unalias ns-unmap loaded-libs with-loading-context',
  ],
  [
    COMPILER,
    '*allow-unresolved-vars* *compile-files* *compile-path* *compiler-options* *fn-loader* *math-context* *unchecked-math* *use-context-classloader* *verbose-defrecords* *warn-on-reflection* add-classpath gen-class gen-interface munge namespace-munge',
  ],
  [
    ARRAYS,
    'aclone aget alength amap areduce aset aset-boolean aset-byte aset-char aset-double aset-float aset-int aset-long aset-short boolean-array booleans byte-array bytes char-array chars double-array doubles float-array floats int-array ints into-array long-array longs make-array object-array short-array shorts to-array to-array-2d vector-of',
  ],
  [RATIOS, 'numerator denominator rationalize bigdec with-precision'],
  [
    HOST_OBJECTS,
    'bases supers bean proxy construct-proxy get-proxy-class init-proxy proxy-call-with-super proxy-mappings proxy-name proxy-super update-proxy definterface enumeration-seq iterator-seq primitives-classnames StackTraceElement->vec stream-into! stream-reduce! stream-seq! stream-transduce!',
  ],
  [STRUCTS, 'defstruct create-struct struct struct-map accessor'],
  [
    DETAILS,
    '->ArrayChunk ->Eduction ->Vec ->VecNode ->VecSeq -cache-protocol-fn -reset-methods EMPTY-NODE Inst inst-ms* chunk chunk-append chunk-buffer chunk-cons chunk-first chunk-next chunk-rest find-protocol-impl find-protocol-method hash-combine method-sig seq-to-map-for-destructuring',
  ],
  ['not in clojure.core; write (clojure.pprint/pprint x)', 'pprint pp'],
  ['not in clojure.core; write (clojure.pprint/print-table rows)', 'print-table'],
];

const LATER = 'not supported yet';

/** Names of the L tag, by what to write until they are here (functions.md §1 to §9, §20). */
const LATER_NAMES: readonly (readonly [instead: string, names: string])[] = [
  [
    'integers have any size here: use + - * inc dec, quot, rem',
    'unchecked-add unchecked-subtract unchecked-multiply unchecked-inc unchecked-dec unchecked-negate unchecked-add-int unchecked-subtract-int unchecked-multiply-int unchecked-inc-int unchecked-dec-int unchecked-negate-int unchecked-divide-int unchecked-remainder-int',
  ],
  [
    'use byte, short, char, int, long, float or double, and bit-and to cut off bits',
    'unchecked-byte unchecked-short unchecked-char unchecked-int unchecked-long unchecked-float unchecked-double',
  ],
  ['use defrecord, and atoms for what changes', 'deftype'],
  ['use pcalls', 'pvalues'],
  ['use loop, or lazy-seq', 'iteration'],
  ['use tree-seq', 'xml-seq'],
  ['no seq is chunked here', 'chunked-seq?'],
  ['use keyword', 'find-keyword'],
  ['use pr-str, or a map of your own', 'char-escape-string char-name-string'],
  ['call the function where the atom is changed', 'add-watch remove-watch'],
  ['write (atom x :validator f)', 'set-validator! get-validator'],
  ['use with-meta or vary-meta on the value, or metadata in the definition', 'alter-meta! reset-meta!'],
  ['use deref', 'var-get'],
  ['use instance?', 'cast'],
  ['use hash', 'hash-ordered-coll hash-unordered-coll mix-collection-hash'],
  ['compare with a set of symbols', 'special-symbol?'],
  ['use ex-message, ex-data and ex-cause', 'Throwable->map'],
  ['the language is that of Clojure 1.12', 'clojure-version'],
  ['write #(.method %)', 'memfn'],
  ['use a map or a vector', 'tagged-literal'],
];

function byName(rows: readonly (readonly [string, string])[]): [string, string][] {
  return rows.flatMap(([reason, names]) => names.split(' ').map((name): [string, string] => [name, reason]));
}

const BY_NAME: ReadonlyMap<string, string> = new Map([
  ...byName(REASONS),
  ...byName(LATER_NAMES).map(([name, instead]) => [name, `${LATER}; ${instead}`] as const),
]);

/** Of these, the forms whose parts are no expressions: what is in them is not looked at. */
const UNREADABLE: ReadonlySet<string> = new Set(
  'defmacro definline deftype definterface proxy with-local-vars with-bindings with-redefs with-open with-precision amap areduce gen-class gen-interface defstruct refer use memfn'.split(
    ' ',
  ),
);

/** Whether the parts of a form that is not here would only be misunderstood. */
export function hasOwnSyntax(name: string): boolean {
  return UNREADABLE.has(name);
}

/** What to use instead of classes and methods that models ask for. */
const JAVA_REASONS: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:java\.lang\.)?(?:StringBuilder|StringBuffer)$|^\.(?:append|insert|setLength|deleteCharAt)$/,
    'build strings with str and clojure.string/join',
  ],
  [/^\.lines$/, 'use clojure.string/split-lines'],
  [/^\.(?:exec|test|match|matcher)$/, 'use (re-find #"…" s), re-matches or re-seq'],
  [/^\.(?:push|add|concat|addAll)$/, 'use (conj coll x) or into, which give a new collection'],
  [/^\.(?:put|set)$/, 'use (assoc m k v), which gives a new map'],
  [
    /^\.(?:map|filter|reduce|forEach|some|every|find|sort|slice|reverse)$/,
    'use the function of that name, (map f xs), or doseq for effects',
  ],
  [/^\.(?:keySet|values|entrySet|entries)$/, 'use keys, vals or seq'],
  [/^\.(?:toJSON|stringify)$/, 'use (json/generate-string x)'],
  [
    /^(?:java\.util\.)?(?:ArrayList|LinkedList|HashMap|TreeMap|HashSet|Arrays|Collections|Optional)$/,
    'use vectors, maps and sets',
  ],
  [/^(?:java\.lang\.)?(?:Thread|Runtime)$|^java\.util\.concurrent\./, THREADS],
  [/^(?:java\.util\.)?(?:Random|SplittableRandom|ThreadLocalRandom)$/, CHANCE],
  [/^java\.(?:io|net|nio)\b|^(?:File|URL|URI|Files|Paths|Scanner|ProcessBuilder)$/, STREAMS],
  [/^(?:java\.math\.)?(?:BigDecimal|BigInteger)$/, 'integers have any size; use doubles for fractions'],
];

/** What to use instead of a class, or of a method written `.name`; null where there is no advice. */
export function javaReason(name: string): string | null {
  return JAVA_REASONS.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

/** Why a name of Clojure is not here and what to use instead (functions.md §11, §20); null for other names. */
export function outOfScopeReason(name: string): string | null {
  const known = BY_NAME.get(name);
  if (known !== undefined) return known;
  const slash = name.indexOf('/');
  const prefix = slash > 0 ? name.slice(0, slash) : '';
  if (['Thread', 'Runtime', 'Random', 'ThreadLocalRandom'].includes(prefix)) return CHANCE;
  if (prefix === 'js') return 'this is JVM Clojure: write Math/abs, count, (catch Throwable e)';
  if (prefix === 'http' || prefix.startsWith('clojure.java')) return STREAMS;
  if (prefix === 'pprint' || prefix === 'pp') return "write clojure.pprint/, or (require '[clojure.pprint :as pprint])";
  if (prefix === 'clojure.data') return `${LATER}; compare with = , or with clojure.set/difference of the keys`;
  if (prefix === 'clojure.zip') return `${LATER}; use clojure.walk, or get-in and update-in with a path`;
  if (prefix === 'clojure.test' || prefix.startsWith('clojure.spec'))
    return 'not supported; use assert, or :pre and :post conditions';
  if (prefix.startsWith('clojure.core.async') || prefix === 'async') return THREADS;
  if (/^Math\.[a-z]/.test(name)) return `write Math/${name.slice('Math.'.length)}`;
  if (/^[a-z][A-Za-z0-9-]*\.length$/.test(name)) return `write (count ${name.slice(0, -'.length'.length)})`;
  return null;
}
