/** One black-box case: what lies in the working directory, what is typed, and all that may be seen afterwards. */
export interface Fixture {
  /** The rule that the case checks. */
  readonly name: string;
  /** Files by path: an object is written as JSON, a string as it is, null makes a directory. */
  readonly files?: Readonly<Record<string, unknown>>;
  readonly argv: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly status: number;
  /** All of stdout; default empty. `{"matches": …}`: a pattern. */
  readonly stdout?: string | { readonly matches: string };
  /** Pattern of all of stderr, `<ref>` for a run reference; default: nothing. */
  readonly stderr?: string;
  /** Members that the envelope must have (see match.ts); every envelope is checked whole besides. */
  readonly envelope?: unknown;
  /** Files that the command leaves, with the members or bytes they must have; nothing else may appear. */
  readonly creates?: Readonly<Record<string, unknown>>;
  /** Text of the caller that may be neither in stdout, stderr nor the envelope. */
  readonly neverShown?: string;
}

export interface FixtureGroup {
  /** What the cases have in common. */
  readonly about: string;
  /** Files of every case; a case's own win, and `null` in a case's place removes nothing but makes a directory. */
  readonly files?: Readonly<Record<string, unknown>>;
  readonly cases: readonly Fixture[];
}
