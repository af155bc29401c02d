/** The listed classes of language.md §3 and §10, each with its direct superclass and interfaces. */
const PARENTS: Readonly<Record<string, readonly string[]>> = {
  'java.lang.Object': [],
  'java.lang.Boolean': ['java.lang.Object', 'java.lang.Comparable'],
  'java.lang.Number': ['java.lang.Object'],
  'java.lang.Long': ['java.lang.Number', 'java.lang.Comparable'],
  'java.lang.Integer': ['java.lang.Number', 'java.lang.Comparable'],
  'java.lang.Short': ['java.lang.Number', 'java.lang.Comparable'],
  'java.lang.Byte': ['java.lang.Number', 'java.lang.Comparable'],
  'java.lang.Double': ['java.lang.Number', 'java.lang.Comparable'],
  'java.lang.Float': ['java.lang.Number', 'java.lang.Comparable'],
  'clojure.lang.BigInt': ['java.lang.Number'],
  'java.lang.Character': ['java.lang.Object', 'java.lang.Comparable'],
  'java.lang.String': ['java.lang.Object', 'java.lang.CharSequence', 'java.lang.Comparable'],
  'java.lang.Class': ['java.lang.Object'],
  'java.util.regex.Pattern': ['java.lang.Object'],
  'java.util.regex.Matcher': ['java.lang.Object'],
  'java.util.Date': ['java.lang.Object', 'java.lang.Comparable'],
  'java.util.UUID': ['java.lang.Object', 'java.lang.Comparable'],
  'java.time.LocalDate': ['java.lang.Object'],
  'java.time.LocalTime': ['java.lang.Object', 'java.lang.Comparable'],
  'java.time.LocalDateTime': ['java.lang.Object'],
  'java.time.Instant': ['java.lang.Object', 'java.lang.Comparable'],
  'java.time.Duration': ['java.lang.Object', 'java.lang.Comparable'],
  'java.time.Period': ['java.lang.Object'],
  'java.time.ZoneOffset': ['java.lang.Object', 'java.lang.Comparable'],
  'java.time.format.DateTimeFormatter': ['java.lang.Object'],
  'java.time.temporal.ChronoUnit': ['java.lang.Object', 'java.lang.Comparable'],
  'java.time.DayOfWeek': ['java.lang.Object', 'java.lang.Comparable'],
  'java.lang.CharSequence': [],
  'java.lang.Comparable': [],
  'java.lang.Iterable': [],
  'java.util.Map': [],
  'java.util.Collection': ['java.lang.Iterable'],
  'java.util.List': ['java.util.Collection'],
  'java.util.Set': ['java.util.Collection'],
  'clojure.lang.IFn': [],
  'clojure.lang.Fn': [],
  'clojure.lang.AFn': ['java.lang.Object', 'clojure.lang.IFn'],
  'clojure.lang.AFunction': ['clojure.lang.AFn', 'clojure.lang.Fn', 'clojure.lang.IObj', 'java.util.Comparator'],
  'java.util.Comparator': [],
  'clojure.lang.Seqable': [],
  'clojure.lang.Sequential': [],
  'clojure.lang.Named': [],
  'clojure.lang.IDeref': [],
  'clojure.lang.IMeta': [],
  'clojure.lang.IObj': ['clojure.lang.IMeta'],
  'clojure.lang.Counted': [],
  'clojure.lang.Sorted': [],
  'clojure.lang.Reversible': [],
  'clojure.lang.Indexed': ['clojure.lang.Counted'],
  'clojure.lang.IMapEntry': [],
  'clojure.lang.ILookup': [],
  'clojure.lang.IPersistentCollection': ['clojure.lang.Seqable'],
  'clojure.lang.ISeq': ['clojure.lang.IPersistentCollection'],
  'clojure.lang.IPersistentStack': ['clojure.lang.IPersistentCollection'],
  'clojure.lang.IPersistentList': ['clojure.lang.Sequential', 'clojure.lang.IPersistentStack'],
  'clojure.lang.Associative': ['clojure.lang.IPersistentCollection', 'clojure.lang.ILookup'],
  'clojure.lang.IPersistentMap': ['java.lang.Iterable', 'clojure.lang.Associative', 'clojure.lang.Counted'],
  'clojure.lang.IPersistentSet': ['clojure.lang.IPersistentCollection', 'clojure.lang.Counted'],
  'clojure.lang.IPersistentVector': [
    'clojure.lang.Associative',
    'clojure.lang.Sequential',
    'clojure.lang.IPersistentStack',
    'clojure.lang.Reversible',
    'clojure.lang.Indexed',
  ],
  'clojure.lang.Keyword': ['java.lang.Object', 'clojure.lang.IFn', 'java.lang.Comparable', 'clojure.lang.Named'],
  'clojure.lang.Symbol': ['clojure.lang.AFn', 'clojure.lang.IObj', 'java.lang.Comparable', 'clojure.lang.Named'],
  'clojure.lang.PersistentList': [
    'clojure.lang.IPersistentList',
    'clojure.lang.ISeq',
    'java.util.List',
    'clojure.lang.IObj',
    'clojure.lang.Counted',
    'java.lang.Object',
  ],
  'clojure.lang.PersistentList$EmptyList': [
    'clojure.lang.IPersistentList',
    'clojure.lang.ISeq',
    'java.util.List',
    'clojure.lang.IObj',
    'clojure.lang.Counted',
    'java.lang.Object',
  ],
  'clojure.lang.LazySeq': [
    'clojure.lang.ISeq',
    'clojure.lang.Sequential',
    'java.util.List',
    'clojure.lang.IObj',
    'java.lang.Object',
  ],
  'clojure.core.Eduction': ['clojure.lang.Sequential', 'java.lang.Iterable', 'java.lang.Object'],
  'clojure.lang.PersistentVector': [
    'clojure.lang.AFn',
    'clojure.lang.IPersistentVector',
    'java.util.List',
    'java.lang.Comparable',
    'clojure.lang.IObj',
  ],
  'clojure.lang.MapEntry': [
    'clojure.lang.AFn',
    'clojure.lang.IPersistentVector',
    'clojure.lang.IMapEntry',
    'java.util.List',
    'java.lang.Comparable',
  ],
  'clojure.lang.PersistentArrayMap': [
    'clojure.lang.AFn',
    'clojure.lang.IPersistentMap',
    'java.util.Map',
    'clojure.lang.IObj',
  ],
  'clojure.lang.PersistentHashMap': [
    'clojure.lang.AFn',
    'clojure.lang.IPersistentMap',
    'java.util.Map',
    'clojure.lang.IObj',
  ],
  'clojure.lang.PersistentTreeMap': [
    'clojure.lang.AFn',
    'clojure.lang.IPersistentMap',
    'java.util.Map',
    'clojure.lang.IObj',
    'clojure.lang.Reversible',
    'clojure.lang.Sorted',
  ],
  'clojure.lang.PersistentHashSet': [
    'clojure.lang.AFn',
    'clojure.lang.IPersistentSet',
    'java.util.Set',
    'clojure.lang.IObj',
  ],
  'clojure.lang.PersistentTreeSet': [
    'clojure.lang.AFn',
    'clojure.lang.IPersistentSet',
    'java.util.Set',
    'clojure.lang.IObj',
    'clojure.lang.Reversible',
    'clojure.lang.Sorted',
  ],
  'clojure.lang.IRecord': [],
  'clojure.lang.PersistentQueue': [
    'java.lang.Object',
    'clojure.lang.IPersistentList',
    'java.util.Collection',
    'clojure.lang.Counted',
    'clojure.lang.IObj',
  ],
  'clojure.lang.IRef': ['clojure.lang.IDeref'],
  'clojure.lang.Var': ['java.lang.Object', 'clojure.lang.IFn', 'clojure.lang.IRef', 'clojure.lang.IMeta'],
  'clojure.lang.Atom': ['java.lang.Object', 'clojure.lang.IRef', 'clojure.lang.IMeta'],
  'clojure.lang.Volatile': ['java.lang.Object', 'clojure.lang.IDeref'],
  'clojure.lang.Delay': ['java.lang.Object', 'clojure.lang.IDeref'],
  'clojure.lang.Reduced': ['java.lang.Object', 'clojure.lang.IDeref'],
  'clojure.lang.MultiFn': ['clojure.lang.AFn'],
  'java.lang.Throwable': ['java.lang.Object'],
  'java.lang.Exception': ['java.lang.Throwable'],
  'java.lang.RuntimeException': ['java.lang.Exception'],
  'java.lang.ArithmeticException': ['java.lang.RuntimeException'],
  'java.lang.ClassCastException': ['java.lang.RuntimeException'],
  'java.lang.NullPointerException': ['java.lang.RuntimeException'],
  'java.lang.IllegalArgumentException': ['java.lang.RuntimeException'],
  'java.lang.NumberFormatException': ['java.lang.IllegalArgumentException'],
  'clojure.lang.ArityException': ['java.lang.IllegalArgumentException'],
  'java.util.regex.PatternSyntaxException': ['java.lang.IllegalArgumentException'],
  'java.util.IllegalFormatException': ['java.lang.IllegalArgumentException'],
  'java.lang.IllegalStateException': ['java.lang.RuntimeException'],
  'java.lang.IndexOutOfBoundsException': ['java.lang.RuntimeException'],
  'java.lang.StringIndexOutOfBoundsException': ['java.lang.IndexOutOfBoundsException'],
  'java.lang.UnsupportedOperationException': ['java.lang.RuntimeException'],
  'java.util.NoSuchElementException': ['java.lang.RuntimeException'],
  'java.time.DateTimeException': ['java.lang.RuntimeException'],
  'java.time.format.DateTimeParseException': ['java.time.DateTimeException'],
  'clojure.lang.ExceptionInfo': ['java.lang.RuntimeException'],
  'java.util.concurrent.ExecutionException': ['java.lang.Exception'],
  'java.lang.Error': ['java.lang.Throwable'],
  'java.lang.AssertionError': ['java.lang.Error'],
  'java.lang.IllegalAccessError': ['java.lang.Error'],
  'java.lang.AbstractMethodError': ['java.lang.Error'],
};

const NO_PARENTS: readonly string[] = [];

const INTERFACES: ReadonlySet<string> = new Set([
  'java.lang.CharSequence',
  'java.lang.Comparable',
  'java.lang.Iterable',
  'java.util.Map',
  'java.util.Collection',
  'java.util.List',
  'java.util.Set',
  'java.util.Comparator',
  ...Object.keys(PARENTS).filter((name) =>
    /^clojure\.lang\.(?:I[A-Z]\w*|Fn|Seqable|Sequential|Named|Counted|Sorted|Reversible|Indexed|Associative)$/.test(
      name,
    ),
  ),
]);

/** Whether a listed class is an interface. */
export function isInterface(name: string): boolean {
  return INTERFACES.has(name);
}

/** Direct superclass and interfaces of a class; none for unlisted ones. */
export function classParents(name: string): readonly string[] {
  return PARENTS[name] ?? NO_PARENTS;
}

/** Whether values of class `name` are instances of `target`. */
export function isAssignable(target: string, name: string): boolean {
  if (target === name || target === 'java.lang.Object') return true;
  return classParents(name).some((parent) => isAssignable(target, parent));
}

/** Packages whose classes may be written by their last name alone. */
const SHORT_PACKAGES: ReadonlySet<string> = new Set([
  'java.lang.',
  'java.time.',
  'java.time.format.',
  'java.time.temporal.',
]);

/** Full names by short ones: java.lang and java.time classes, and four more (language.md §3). */
const SHORT_NAMES: ReadonlyMap<string, string> = new Map([
  ...Object.keys(PARENTS)
    .filter((name) => SHORT_PACKAGES.has(name.slice(0, name.lastIndexOf('.') + 1)))
    .map((name): [string, string] => [name.slice(name.lastIndexOf('.') + 1), name]),
  ['Date', 'java.util.Date'],
  ['UUID', 'java.util.UUID'],
  ['ExceptionInfo', 'clojure.lang.ExceptionInfo'],
  ['PersistentQueue', 'clojure.lang.PersistentQueue'],
]);

/** The full name of a listed class written short or full, or null. */
export function resolveClassName(written: string): string | null {
  if (PARENTS[written] !== undefined && written.includes('.')) return written;
  return SHORT_NAMES.get(written) ?? null;
}

/**
 * The listed classes of the package of a class, by their last names; those that can be named short where it has none.
 */
export function classesBeside(name: string): readonly string[] {
  const prefix = name.slice(0, name.lastIndexOf('.') + 1);
  const beside = Object.keys(PARENTS).filter(
    (known) => prefix !== '' && known.startsWith(prefix) && !known.slice(prefix.length).includes('.'),
  );
  return beside.length === 0 ? [...SHORT_NAMES.keys()] : beside.map((known) => known.slice(prefix.length));
}
