/** What built-ins with an effect act upon; one per isolate, emptied by its owner between evaluations. */
export interface Environment {
  /** Takes printed text (language.md §18). */
  write(text: string): void;
  /** The next number for `gensym`. */
  nextNumber(): number;
  /** The global hierarchy of `derive`: a map, replaced as a whole. */
  readonly hierarchy: unknown;
  /** Replaces the global hierarchy; refuses where it may only be read (language.md §11). */
  changeHierarchy(hierarchy: unknown): void;
  /** Reads the first form of a text as data; options is a map or null. */
  readForm(text: string, dialect: 'lisp' | 'edn', options: unknown): unknown;
}
