/** The Java class name of a value (language.md §3); 'nil' for nil. */
export function javaClassName(value: unknown): string {
  switch (typeof value) {
    case 'number':
      return Number.isInteger(value) ? 'java.lang.Long' : 'java.lang.Double';
    case 'string':
      return 'java.lang.String';
    case 'boolean':
      return 'java.lang.Boolean';
    case 'bigint':
      return BigInt.asIntN(64, value) === value ? 'java.lang.Long' : 'clojure.lang.BigInt';
    case 'function':
      return 'clojure.lang.AFunction';
    case 'object':
      if (value === null) return 'nil';
      return 'javaName' in value && typeof value.javaName === 'string' ? value.javaName : 'java.lang.Object';
    default:
      return 'java.lang.Object';
  }
}

/** The class name without its package. */
export function simpleClassName(value: unknown): string {
  const name = javaClassName(value);
  return name.slice(name.lastIndexOf('.') + 1);
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  'java.lang.Long': 'integer',
  'clojure.lang.BigInt': 'integer',
  'java.lang.Double': 'double',
  'java.lang.Float': 'float32',
  'java.lang.String': 'string',
  'java.lang.Boolean': 'boolean',
  'java.lang.Character': 'char',
  'java.lang.Class': 'class',
  'clojure.lang.AFunction': 'function',
  'clojure.lang.Keyword': 'keyword',
  'clojure.lang.Symbol': 'symbol',
  'clojure.lang.LazySeq': 'seq',
  'clojure.lang.PersistentList': 'list',
  'clojure.lang.PersistentList$EmptyList': 'list',
  'clojure.lang.PersistentVector': 'vector',
  'clojure.lang.MapEntry': 'map entry',
  'clojure.lang.PersistentArrayMap': 'map',
  'clojure.lang.PersistentHashMap': 'map',
  'clojure.lang.PersistentTreeMap': 'sorted map',
  'clojure.lang.PersistentHashSet': 'set',
  'clojure.lang.PersistentTreeSet': 'sorted set',
  'clojure.lang.Atom': 'atom',
  'clojure.lang.Volatile': 'volatile',
  'clojure.lang.Delay': 'delay',
  'clojure.lang.Reduced': 'reduced',
  'clojure.lang.MultiFn': 'multimethod',
  'clojure.lang.Var': 'var',
  'java.util.regex.Pattern': 'regex',
};

/** The word for a value's type that error messages use. */
export function typeName(value: unknown): string {
  const name = javaClassName(value);
  return TYPE_WORDS[name] ?? name.slice(name.lastIndexOf('.') + 1);
}
