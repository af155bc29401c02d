import { hashSymbol } from './hashing.ts';
import { WideTable } from './wide-table.ts';

/** An interned keyword: equal keywords are the same object. */
export class Keyword {
  declare readonly namespace: string | null;
  declare readonly name: string;
  declare readonly hash: number;

  constructor(namespace: string | null, name: string) {
    this.namespace = namespace;
    this.name = name;
    this.hash = (hashSymbol(namespace, name) + 0x9e3779b9) | 0;
  }

  get javaName(): string {
    return 'clojure.lang.Keyword';
  }

  /** `ns/name` or `name`, without the colon. */
  get text(): string {
    return this.namespace === null ? this.name : `${this.namespace}/${this.name}`;
  }
}

/**
 * What a keyword takes in addition to the units of its name, and a namespace in addition to its own (measured: up to
 * 125 bytes).
 */
const KEYWORD_BYTES = 128;
const NAMESPACE_BYTES = 384;
const BYTES_PER_UNIT = 2;
const interned = { bytes: 0 };

/** Bytes of the keywords that were made so far. They stay as long as their isolate. */
export function keywordBytes(): number {
  return interned.bytes;
}

const unqualified = new WideTable<string, Keyword>();
const qualified = new WideTable<string, WideTable<string, Keyword>>();

/** The keyword of a namespace (or null) and a name. */
export function keyword(namespace: string | null, name: string): Keyword {
  let table = unqualified;
  if (namespace !== null) {
    const known = qualified.get(namespace);
    table = known ?? new WideTable();
    if (known === undefined) {
      qualified.add(namespace, table);
      interned.bytes += NAMESPACE_BYTES + BYTES_PER_UNIT * namespace.length;
    }
  }
  const found = table.get(name);
  if (found !== undefined) return found;
  const made = new Keyword(namespace, name);
  table.add(name, made);
  interned.bytes += KEYWORD_BYTES + BYTES_PER_UNIT * name.length;
  return made;
}

/** Splits text at its first slash: `a/b/c` is namespace `a`, name `b/c`; `/x`, `/` and `a/` keep Clojure's reading. */
export function splitQualified(text: string): readonly [string | null, string] {
  const slash = text.indexOf('/');
  if (slash === -1 || text === '/') return [null, text];
  return [text.slice(0, slash), text.slice(slash + 1)];
}

/** The keyword that `(keyword "a/b")` gives. */
export function keywordFromText(text: string): Keyword {
  const [namespace, name] = splitQualified(text);
  return keyword(namespace, name);
}

/** The keyword whose text is given, if a program ever made one; never adds to the table. */
export function existingKeyword(text: string): Keyword | null {
  const [namespace, name] = splitQualified(text);
  const table = namespace === null ? unqualified : qualified.get(namespace);
  return table?.get(name) ?? null;
}
