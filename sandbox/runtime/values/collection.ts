/** What all persistent collections and seqs share. */
export abstract class Collection {
  /** Null or a map. */
  declare readonly meta: unknown;
  /** Hash of language.md §5 once computed; 0 before. */
  declare hashCache: number;

  constructor(meta: unknown) {
    this.meta = meta;
    this.hashCache = 0;
  }

  /** The same elements under other metadata. */
  abstract withMeta(meta: unknown): Collection;
}

/** Elements a realised result may hold (language.md §20). */
export const SEQUENCE_LIMIT = 10_000_000;
