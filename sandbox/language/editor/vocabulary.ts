import { libraryMembers, libraryNamed, LIBRARY_PREFIXES, qualifiedBuiltins } from '../analyser/libraries.ts';
import { formEntries, type Entry } from '../link/form-docs.ts';
import { newSession } from '../link/new-session.ts';
import type { Builtin } from '../../runtime/builtins/table.ts';

/** Something that the language itself has: a form or a function. */
export interface VocabularyEntry extends Entry {
  readonly kind: 'form' | 'function' | 'constant';
  /** Parameter vectors, of a function. */
  readonly parameters: readonly string[];
}

/** What the language has by itself, for people who write it. */
export class Vocabulary {
  readonly #builtins = newSession().builtins;
  readonly #forms: ReadonlyMap<string, Entry> = new Map(formEntries().map((entry) => [entry.name, entry]));
  /** Names that need no prefix, each once. */
  readonly plainNames: readonly string[];

  constructor() {
    const core = this.#builtins.keys().filter((key) => /^(?:clojure|svc)\.core\//.test(key));
    this.plainNames = [...new Set([...this.#forms.keys(), ...core.map((key) => key.slice(key.indexOf('/') + 1))])];
  }

  /** Prefixes that need no `require`. */
  get prefixes(): readonly string[] {
    return LIBRARY_PREFIXES;
  }

  /** Names behind a prefix, or those of a library. */
  membersOf(prefix: string): readonly string[] {
    const library = libraryNamed(prefix);
    if (library === null) return [];
    return this.#builtins.keys().flatMap((key) => {
      const name = key.slice(key.indexOf('/') + 1);
      return libraryMembers(library, name).includes(key) ? [name] : [];
    });
  }

  /** What is said of a name as it is written, with or without a prefix that needs no `require`; null of any other. */
  entry(prefix: string | null, name: string): VocabularyEntry | null {
    const isCore = prefix === null || libraryNamed(prefix) === 'clojure.core';
    const form = isCore ? this.#forms.get(name) : undefined;
    if (form !== undefined) return { ...form, kind: 'form', parameters: [] };
    const library = prefix === null ? null : libraryNamed(prefix);
    if (prefix !== null && library === null) return null;
    const keys = library === null ? qualifiedBuiltins(name) : libraryMembers(library, name);
    const found = keys.map((key) => this.#builtins.get(key)).find((builtin) => builtin !== undefined);
    return found === undefined ? null : described(found, prefix === null ? name : `${prefix}/${name}`);
  }
}

function described({ parameters, doc }: Builtin, name: string): VocabularyEntry {
  if (parameters === null) return { name, kind: 'constant', shapes: [], doc, parameters: [] };
  const vectors = parameters.startsWith('(')
    ? [parameters.slice(1, -1)]
    : parameters.split('|').map((names) => `[${names}]`);
  return { name, kind: 'function', shapes: vectors.map((vector) => callShape(name, vector)), doc, parameters: vectors };
}

/** `[a b]` as a call of a name. */
export function callShape(name: string, vector: string): string {
  const inside = vector.replace(/^\[|\]$/g, '').trim();
  return inside === '' ? `(${name})` : `(${name} ${inside})`;
}
