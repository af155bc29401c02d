/** The definitions of a session as they were written last (written.ts). */
export interface WrittenDefinitions {
  readonly text: string;
  /** UTF-8 bytes of the text. */
  readonly bytes: number;
  /** What its numbers mean. */
  readonly known: readonly unknown[];
  readonly holders: readonly object[];
  /** What their state was when they were written. */
  readonly state: readonly unknown[];
}
