import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expanded } from './contents.ts';
import { isDocumentName } from './edits.ts';
import type { DocumentName } from './base.ts';

/** What a diagnostic must say, exactly; members left out are null, and `retryable` false. */
export interface ExpectedDiagnostic {
  readonly code: string;
  readonly phase: string;
  readonly message: string;
  readonly source: { readonly kind: string; readonly name: string } | null;
  readonly path: string | null;
  readonly span: { readonly start_byte: number; readonly end_byte: number } | null;
  readonly subject: ExpectedSubject | null;
  readonly retryable: boolean;
  readonly cause: string | null;
}

export interface ExpectedSubject {
  readonly kind: string;
  readonly name: string;
  readonly operation: string;
  readonly occurrence: { readonly destination: string; readonly index: number } | null;
}

/** One application with one fault, and what the program must say of it. */
export interface DocumentCase {
  readonly name: string;
  /** Default `validate`. */
  readonly command: string;
  /** Documents that take part, beside the manifest; each that an edit names does. */
  readonly uses: readonly DocumentName[];
  /** `document /pointer` to the value that stands there instead; see edits.ts. */
  readonly edits: Readonly<Record<string, unknown>>;
  /** Files by path that stand beside or instead of those of the base; see contents.ts. */
  readonly files: Readonly<Record<string, unknown>>;
  /** Further arguments. */
  readonly argv: readonly string[];
  /** The whole command line instead. */
  readonly line: readonly string[] | null;
  readonly status: number;
  /** Null: the command succeeds. */
  readonly expected: ExpectedDiagnostic | null;
}

export interface CaseGroup {
  readonly file: string;
  readonly about: string;
  readonly cases: readonly DocumentCase[];
}

const FOLDER = join(import.meta.dirname, 'cases');
const MEMBERS: ReadonlySet<string> = new Set(['name', 'command', 'uses', 'edits', 'files', 'argv', 'line', 'expect']);
const EXPECTED: ReadonlySet<string> = new Set([
  'code',
  'phase',
  'status',
  'message',
  'source',
  'path',
  'span',
  'subject',
  'retryable',
  'cause',
]);

export function caseGroups(): readonly CaseGroup[] {
  return readdirSync(FOLDER)
    .toSorted()
    .map((file) => parseGroup(file, readFileSync(join(FOLDER, file), 'utf8')));
}

/** Throws for anything that no case has, so that a typing error hides no expectation. */
function parseGroup(file: string, text: string): CaseGroup {
  const { about, phase, status, cases } = record(JSON.parse(text));
  if (!Array.isArray(cases)) throw new TypeError(`${file} has no cases`);
  const names = new Set<string>();
  return {
    file,
    about: string(about),
    cases: cases.map((value) => {
      const one = parseCase(record(value), { phase, status });
      if (names.has(one.name)) throw new TypeError(`${file}: ${one.name} stands twice`);
      names.add(one.name);
      return one;
    }),
  };
}

function parseCase(
  fields: Readonly<Record<string, unknown>>,
  standard: Readonly<Record<string, unknown>>,
): DocumentCase {
  refuseOthers(fields, MEMBERS);
  const name = string(fields['name']);
  const expected = fields['expect'] === 'ok' ? null : { ...standard, ...record(fields['expect']) };
  return {
    name,
    command: string(fields['command'] ?? 'validate'),
    uses: strings(fields['uses'] ?? []).map((document) => {
      if (!isDocumentName(document)) throw new TypeError(`${name}: no document ${document}`);
      return document;
    }),
    edits: record(fields['edits'] ?? {}),
    files: record(fields['files'] ?? {}),
    argv: strings(fields['argv'] ?? []),
    line: fields['line'] === undefined ? null : strings(fields['line']),
    status: expected === null ? 0 : number(expected.status),
    expected: expected === null ? null : parseExpected(expected),
  };
}

function parseExpected(fields: Readonly<Record<string, unknown>>): ExpectedDiagnostic {
  refuseOthers(fields, EXPECTED);
  const { source = null, path = null, span = null, subject = null, retryable = false, cause = null } = fields;
  return {
    code: string(fields['code']),
    phase: string(fields['phase']),
    message: string(fields['message']),
    source: optional(source, ({ kind, name }) => ({ kind: string(kind), name: string(name) })),
    path: path === null ? null : string(path),
    span: optional(span, ({ start_byte: start, end_byte: end }) => ({
      start_byte: number(start),
      end_byte: number(end),
    })),
    subject: optional(subject, parseSubject),
    retryable: retryable === true,
    cause: cause === null ? null : string(cause),
  };
}

function parseSubject({ kind, name, operation, occurrence }: Readonly<Record<string, unknown>>): ExpectedSubject {
  return {
    kind: string(kind),
    name: string(name),
    operation: string(operation),
    occurrence: optional(occurrence, ({ destination, index }) => ({
      destination: string(destination),
      index: number(index),
    })),
  };
}

function optional<T>(value: unknown, parse: (fields: Readonly<Record<string, unknown>>) => T): T | null {
  return value === null ? null : parse(record(value));
}

function refuseOthers(fields: Readonly<Record<string, unknown>>, known: ReadonlySet<string>): void {
  const unknown = Object.keys(fields).filter((key) => !known.has(key));
  if (unknown.length > 0) throw new TypeError(`unknown members: ${unknown.join(', ')}`);
}

function string(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('a text is expected');
  return value;
}

function number(value: unknown): number {
  if (typeof value !== 'number') throw new TypeError('a number is expected');
  return value;
}

function strings(value: unknown): readonly string[] {
  if (!Array.isArray(value)) throw new TypeError('a list is expected');
  return value.map((item) => string(expanded(item)));
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('an object is expected');
  return { ...value };
}
