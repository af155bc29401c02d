/** A call for a parallel branch. */
export interface BranchCall {
  readonly f: unknown;
  readonly args: readonly unknown[];
}

/** What became of it: a value, or what it ended with as `throw` would throw it. */
export type BranchOutcome = { readonly value: unknown } | { readonly thrown: unknown };

/** What built-ins with an effect act on; one per isolate, emptied by its owner between evaluations. */
export interface Effects {
  /** Takes printed text (language.md §18). */
  write(text: string): void;
  /** The next number for `gensym`. */
  nextNumber(): number;
  /** The global hierarchy of `derive`: a map, replaced as a whole. */
  readonly hierarchy: unknown;
  /** Replaces the global hierarchy; refuses where it may only be read (language.md §11). */
  changeHierarchy(hierarchy: unknown): void;
  /**
   * Calls functions in isolates of their own, all at once; the outcomes in order, up to and with the first that failed.
   * Null where there are none available: they are then called here, one after the other.
   */
  branches(shared: unknown, calls: readonly BranchCall[]): readonly BranchOutcome[] | null;
  /** Reads the first form of a text as data; options is a map or null. */
  readForm(text: string, dialect: 'lisp' | 'edn', options: unknown): unknown;
}
