/** A component shipped with the program: same form as a local one, selected by its reserved id (documents.md §3). */
export interface Library {
  readonly id: string;
  readonly source: Uint8Array;
  /** Ids of libraries, sorted by bytes and unique. */
  readonly dependencies: readonly string[];
  /** What the build compiled of it, for the compiler; null or absent: it has not. */
  readonly ready?: string | null;
}

/** The shipped libraries by id. Every dependency of a library is a library of the same registry. */
export type LibraryRegistry = ReadonlyMap<string, Library>;
