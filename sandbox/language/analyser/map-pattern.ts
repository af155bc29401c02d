import type { LispMap } from '../../runtime/values/map.ts';
import { mapFromEntries } from '../../runtime/values/map-builder.ts';
import { syntaxValue, type KeywordNamespace } from '../reader/data.ts';
import { isData, isKeywordNamed, type KeywordNode, type MapNode, type Syntax } from '../syntax.ts';
import { unsupportedPattern } from './faults.ts';

/** What an entry of a map pattern binds: a pattern to the value under a key, or a name in a directive like `:keys`. */
export type PatternEntry =
  | { readonly kind: 'keyed'; readonly target: Syntax; readonly key: Syntax }
  | { readonly kind: 'listed'; readonly target: Syntax; readonly directive: KeywordNode };

export interface MapPattern {
  /** What `:as` and `:or` are given; null without them. */
  readonly whole: Syntax | null;
  readonly defaults: Syntax | null;
  /** In the order in which they are bound. */
  readonly entries: readonly PatternEntry[];
}

const DIRECTIVES: ReadonlySet<string> = new Set(['keys', 'strs', 'syms']);

/**
 * The parts of a map pattern. As in the reference the order of the entries is that of a map from targets, which loses
 * its directives and gains their names at its end: a target that is written twice is bound once, and more than eight
 * have the order of a hash map.
 */
export function mapPattern(pattern: MapNode, namespaceOf: KeywordNamespace): MapPattern {
  const entries: PatternEntry[] = [];
  const keyOf = (target: Syntax): unknown =>
    isData(target) ? syntaxValue(target, namespaceOf, { metadata: false }) : entries.length;
  let [whole, defaults]: [Syntax | null, Syntax | null] = [null, null];
  const flat: unknown[] = [];
  for (let index = 0; index + 1 < pattern.items.length; index += 2) {
    const target = pattern.items[index];
    const key = pattern.items[index + 1];
    if (target === undefined || key === undefined) continue;
    if (isKeywordNamed(target, 'as')) whole = key;
    if (isKeywordNamed(target, 'or')) defaults = key;
    flat.push(keyOf(target), entries.length);
    entries.push({ kind: 'keyed', target, key });
  }
  const written = mapFromEntries(flat);
  let places: LispMap = written;
  written.visit((value, place) => {
    const entry = typeof place === 'number' ? entries[place] : undefined;
    if (entry?.kind !== 'keyed' || entry.target.kind !== 'keyword') return;
    const { target: directive, key: list } = entry;
    places = places.dissoc(value);
    if (entry.key === whole || entry.key === defaults) return;
    if (!DIRECTIVES.has(directive.name))
      throw unsupportedPattern(directive, `Unsupported key in a map pattern: :${directive.name}; write {name :key}`);
    if (list.kind !== 'vector') throw unsupportedPattern(list, `:${directive.name} takes a vector of names`);
    for (const target of list.items) {
      places = places.assoc(keyOf(target), entries.length);
      entries.push({ kind: 'listed', target, directive });
    }
  });
  const ordered: PatternEntry[] = [];
  places.visit((_target, place) => {
    const entry = typeof place === 'number' ? entries[place] : undefined;
    if (entry !== undefined) ordered.push(entry);
  });
  return { whole, defaults, entries: ordered };
}
