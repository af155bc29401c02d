/**
 * One mistake that people make, and the exact text that they get for it in each of three forms. Data, so that it can
 * be reviewed row by row: every text names the problem, the place and the remedy.
 */
export interface Mistake {
  /** What was done wrong, in a few words; unique in its file. */
  readonly name: string;
  /** Files by path, over those of the group: lines, a text, a JSON object, or null for a directory. */
  readonly files: Readonly<Record<string, FileContent>>;
  /** Changes of the group's files; each `replace` occurs there exactly once. */
  readonly edits: readonly Edit[];
  readonly argv: readonly string[];
  /** Typed or piped in; absent: nothing, and the stream is closed. */
  readonly stdin: string | null;
  readonly environment: Readonly<Record<string, string>>;
  readonly status: number;
  /** Lines on a terminal of 100 columns, without their colours. `<ref>`: the run reference. */
  readonly terminal: readonly string[];
  /** Lines of stderr in a pipe. */
  readonly pipe: readonly string[];
  /** What the envelope says; null for a command without one. */
  readonly envelope: EnvelopeFacts | null;
  /** Texts of the caller that neither the pipe nor the envelope may show. */
  readonly never: readonly string[];
}

export type FileContent = readonly string[] | string | Readonly<Record<string, unknown>> | null;

export interface Edit {
  readonly file: string;
  readonly replace: string;
  readonly with: string;
}

/** Members that are null, empty or false are left out. */
export interface EnvelopeFacts {
  readonly error: Readonly<Record<string, unknown>>;
  readonly last_evaluation_error?: Readonly<Record<string, unknown>>;
}

export interface MistakeGroup {
  /** What the mistakes have in common. */
  readonly about: string;
  /** Files of every mistake. */
  readonly files: Readonly<Record<string, FileContent>>;
  readonly mistakes: readonly Mistake[];
}

const GROUP_MEMBERS = ['about', 'files', 'mistakes'];
const MEMBERS = [
  'name',
  'files',
  'edits',
  'argv',
  'stdin',
  'environment',
  'status',
  'terminal',
  'pipe',
  'envelope',
  'never',
];
const EDIT_MEMBERS = ['file', 'replace', 'with'];

/** Reads one file of mistakes; throws for a member that none has, so that a typing error hides no expectation. */
export function parseMistakes(text: string): MistakeGroup {
  const { about, files, mistakes } = record(JSON.parse(text), GROUP_MEMBERS);
  const parsed = list(mistakes).map(parseMistake);
  const names = parsed.map(({ name }) => name);
  if (new Set(names).size < names.length) throw new TypeError('two mistakes have the same name');
  return { about: string(about), files: filesOf(files), mistakes: parsed };
}

function parseMistake(value: unknown): Mistake {
  const { name, files, edits, argv, stdin, environment, status, terminal, pipe, envelope, never } = record(
    value,
    MEMBERS,
  );
  return {
    name: string(name),
    files: filesOf(files),
    edits: list(edits ?? []).map(parseEdit),
    argv: list(argv).map(string),
    stdin: stdin === undefined ? null : string(stdin),
    environment: Object.fromEntries(Object.entries(record(environment ?? {})).map(([key, one]) => [key, string(one)])),
    status: Number(status ?? Number.NaN),
    terminal: list(terminal ?? []).map(string),
    pipe: list(pipe ?? []).map(string),
    envelope: envelope === null || envelope === undefined ? null : { error: {}, ...record(envelope) },
    never: list(never ?? []).map(string),
  };
}

function parseEdit(value: unknown): Edit {
  const { file, replace, with: replacement } = record(value, EDIT_MEMBERS);
  return { file: string(file), replace: string(replace), with: string(replacement) };
}

function filesOf(value: unknown): Readonly<Record<string, FileContent>> {
  return Object.fromEntries(Object.entries(record(value ?? {})).map(([path, content]) => [path, contentOf(content)]));
}

function contentOf(content: unknown): FileContent {
  if (content === null || typeof content === 'string') return content;
  return Array.isArray(content) ? content.map(string) : record(content);
}

function string(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('a text is expected');
  return value;
}

function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError('a list is expected');
  return value;
}

function record(value: unknown, members?: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('an object is expected');
  const unknown = Object.keys(value).filter((key) => members?.includes(key) === false);
  if (unknown.length > 0) throw new TypeError(`unknown members: ${unknown.join(', ')}`);
  return { ...value };
}
