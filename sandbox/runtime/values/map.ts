import { Collection } from './collection.ts';
import { MapEntry } from './vector.ts';

/** What `get` gives for an absent key where nil could be a value. */
export const ABSENT: unique symbol = Symbol('absent');

/** The three kinds of maps of language.md §5. */
export abstract class LispMap extends Collection {
  abstract readonly count: number;
  /** The value under exactly this key, or `ABSENT`. */
  abstract lookup(key: unknown): unknown;
  /** The stored key equal to this one, or `ABSENT`. */
  abstract storedKey(key: unknown): unknown;
  abstract assoc(key: unknown, value: unknown): LispMap;
  abstract dissoc(key: unknown): LispMap;
  /** Visits entries in iteration order until the visitor returns true; answers whether it did. */
  abstract visit(visitor: (key: unknown, value: unknown) => unknown): boolean;
  /** The empty map of the same kind, with this one's metadata. */
  abstract empty(): LispMap;
  abstract override withMeta(meta: unknown): LispMap;
  abstract get javaName(): string;

  /** As `visit`, with each entry as a vector of two. */
  visitEntries(visitor: (entry: unknown) => unknown): boolean {
    return this.visit((key, value) => visitor(new MapEntry(key, value)));
  }

  /** Entries in iteration order. */
  toArray(): readonly unknown[] {
    const entries: unknown[] = [];
    this.visit((key, value) => {
      entries.push(new MapEntry(key, value));
    });
    return entries;
  }
}
