/** Prefixes that resolve without `require` (functions.md §0), and other names of the same libraries. */
const LIBRARIES: ReadonlyMap<string, string> = new Map([
  ['clojure.core', 'clojure.core'],
  ['core', 'clojure.core'],
  ['clojure.string', 'clojure.string'],
  ['str', 'clojure.string'],
  ['string', 'clojure.string'],
  ['clojure.set', 'clojure.set'],
  ['set', 'clojure.set'],
  ['clojure.walk', 'clojure.walk'],
  ['walk', 'clojure.walk'],
  ['clojure.edn', 'clojure.edn'],
  ['edn', 'clojure.edn'],
  ['clojure.math', 'clojure.math'],
  ['math', 'clojure.math'],
  ['clojure.pprint', 'clojure.pprint'],
  ['json', 'json'],
  ['cheshire.core', 'json'],
  ['clojure.data.json', 'json'],
  ['regex', 'regex'],
]);

/** The library that a prefix or a required name means, null if it is none. */
export function libraryNamed(name: string): string | null {
  return LIBRARIES.get(name) ?? null;
}

/** Every prefix that resolves without `require`, short ones first where several mean one library. */
export const LIBRARY_PREFIXES: readonly string[] = [...LIBRARIES.keys()].toSorted(
  (one, other) => one.length - other.length,
);

/** Names that can be required, for the list of what is available. */
export const LIBRARY_NAMES: readonly string[] = [...new Set(LIBRARIES.values())].toSorted();

/** Prefix of tools whose failures are raised (code-mode.md §5). */
export const RAISING_TOOL = 'tool!';

export function isToolPrefix(prefix: string): boolean {
  return prefix === 'tool' || prefix === RAISING_TOOL;
}

/** Namespaces that no component may declare (language.md §13). */
export function isReservedNamespace(name: string): boolean {
  return isToolPrefix(name) || ['data', 'user', 'svc.core'].includes(name) || LIBRARIES.has(name);
}

/** Names of clojure.string, clojure.set and clojure.walk that are reachable without a prefix (functions.md §0). */
const UNQUALIFIED: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'clojure.string',
    [
      'split',
      'join',
      'trim',
      'upper-case',
      'lower-case',
      'capitalize',
      'starts-with?',
      'ends-with?',
      'includes?',
      'index-of',
      'last-index-of',
      'split-lines',
      'blank?',
      'triml',
      'trimr',
      'trim-newline',
    ],
  ],
  ['clojure.set', ['union', 'intersection', 'difference', 'subset?', 'superset?']],
  ['clojure.walk', ['walk', 'prewalk', 'postwalk', 'keywordize-keys', 'stringify-keys']],
]);

const UNQUALIFIED_NAMES: ReadonlyMap<string, string> = new Map(
  [...UNQUALIFIED].flatMap(([library, names]) => names.map((name) => [name, `${library}/${name}`] as const)),
);

/** Qualified names that a built-in written without prefix may have: Clojure's, our own, one of a library. */
export function qualifiedBuiltins(name: string): readonly string[] {
  const library = UNQUALIFIED_NAMES.get(name);
  const core = [`clojure.core/${name}`, `svc.core/${name}`];
  return library === undefined ? core : [...core, library];
}

/** Names of functions.md §15, which the prefix `regex/` reaches. */
const REGEX_NAMES: ReadonlySet<string> = new Set([
  're-pattern',
  're-find',
  're-matches',
  're-seq',
  'regex?',
  're-split',
  'extract',
  'extract-int',
]);

/** Qualified names that a member of a library may have. */
export function libraryMembers(library: string, name: string): readonly string[] {
  if (library === 'clojure.core') return [`clojure.core/${name}`, `svc.core/${name}`];
  if (library === 'regex') return REGEX_NAMES.has(name) ? [`clojure.core/${name}`, `svc.core/${name}`] : [];
  return [`${library}/${name}`];
}
