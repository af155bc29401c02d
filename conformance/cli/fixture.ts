/** One black-box case: what lies in the working directory, what is typed, and all that may be seen afterwards. */
export interface Fixture {
  /** The rule that the case checks. */
  readonly name: string;
  /** Files by path: an object is written as JSON, a string as it is, null makes a directory. */
  readonly files: Readonly<Record<string, unknown>>;
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly status: number;
  /** All of stdout; default empty. `{"matches": …}`: a pattern. */
  readonly stdout: string | { readonly matches: string };
  /** Pattern of all of stderr, `<ref>` for a run reference; default: nothing. */
  readonly stderr: string;
  /**
   * Members that the envelope must have (see match.ts); every envelope is checked whole besides. Default: not asked
   * for.
   */
  readonly envelope: unknown;
  /** Files that the command leaves, with the members or bytes they must have; nothing else may appear. */
  readonly creates: Readonly<Record<string, unknown>>;
  /** Text of the caller that may be neither in stdout, stderr nor the envelope. */
  readonly neverShown: string | null;
}

export interface FixtureGroup {
  /** What the cases have in common. */
  readonly about: string;
  /** Files of every case; a case's own win. */
  readonly files: Readonly<Record<string, unknown>>;
  readonly cases: readonly Fixture[];
}

const MEMBERS: ReadonlySet<string> = new Set([
  'name',
  'files',
  'argv',
  'environment',
  'status',
  'stdout',
  'stderr',
  'envelope',
  'creates',
  'neverShown',
]);

/** Reads one fixture file; throws for a member that no case has, so that a typing error hides no expectation. */
export function parseGroup(text: string): FixtureGroup {
  const { about, files, cases } = record(JSON.parse(text));
  if (!Array.isArray(cases)) throw new TypeError('a fixture file has cases');
  return { about: string(about), files: record(files ?? {}), cases: cases.map(parseFixture) };
}

function parseFixture(value: unknown): Fixture {
  const fields = record(value);
  const unknown = Object.keys(fields).filter((key) => !MEMBERS.has(key));
  if (unknown.length > 0) throw new TypeError(`unknown members: ${unknown.join(', ')}`);
  const { name, files, argv, environment, status, stdout, stderr, envelope, creates, neverShown } = fields;
  if (!Array.isArray(argv) || typeof status !== 'number')
    throw new TypeError(`${String(name)}: argv or status is missing`);
  return {
    name: string(name),
    files: record(files ?? {}),
    argv: argv.map(string),
    environment: Object.fromEntries(
      Object.entries(record(environment ?? {})).map(([key, text]) => [key, string(text)]),
    ),
    status,
    stdout:
      typeof stdout === 'object' && stdout !== null
        ? { matches: string(record(stdout)['matches']) }
        : string(stdout ?? ''),
    stderr: string(stderr ?? ''),
    envelope,
    creates: record(creates ?? {}),
    neverShown: neverShown === undefined ? null : string(neverShown),
  };
}

function string(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('a text is expected');
  return value;
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('an object is expected');
  return { ...value };
}
