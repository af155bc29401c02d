import { CATALOGUE } from './catalogue.ts';
import type { DiagnosticCode } from './codes.ts';
import type { CatalogueEntry, ExitStatus, SourceRule, SubjectRule } from './entry.ts';
import { LOGICAL, NAME, POINTER, wholeMatch } from './grammar.ts';
import { MESSAGE_LENGTH_MAX } from './messages/admitted.ts';
import {
  FIXED_SOURCE_NAMES,
  OCCURRENCE_INDEX_MAX,
  PATH_LENGTH_MAX,
  type Cause,
  type Destination,
  isFixedSourceKind,
  type FixedSourceKind,
  type LogicalSourceKind,
  type Operation,
  type Phase,
} from './vocabulary.ts';

export type { DiagnosticCode } from './codes.ts';
export type { ExitStatus } from './entry.ts';
export type { Cause, Destination, Operation, Phase } from './vocabulary.ts';

/**
 * Where a failure lies: a document, whose name is fixed by its kind, or a file by its logical name (interface.md
 * §1.2.4, §1.7).
 */
export type Source =
  | {
      readonly [Kind in FixedSourceKind]: { readonly kind: Kind; readonly name: (typeof FIXED_SOURCE_NAMES)[Kind] };
    }[FixedSourceKind]
  | { readonly kind: LogicalSourceKind; readonly name: string };

/** Half-open byte range of the source: 0 <= start_byte <= end_byte. */
export interface Span {
  readonly start_byte: number;
  readonly end_byte: number;
}

/** One selection of a provider: by whom, and its place in the list of the manifest, from 0. */
export interface Occurrence {
  readonly destination: Destination;
  readonly index: number;
}

/**
 * The provider that a failure is about, what was being done with it, and where it is selected; null: nowhere, or not
 * said.
 */
export interface Subject {
  readonly kind: 'provider';
  readonly name: string;
  readonly operation: Operation;
  readonly occurrence: Occurrence | null;
}

/** One failure, as envelopes and documents show it (interface.md §1.2.3). */
export interface Diagnostic {
  readonly phase: Phase;
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly source: Source | null;
  /** RFC 6901 pointer. */
  readonly path: string | null;
  readonly span: Span | null;
  readonly subject: Subject | null;
  readonly notes: readonly never[];
  readonly retryable: boolean;
  readonly provider_activity: boolean;
  readonly cause?: Cause;
}

/**
 * What is known beyond the code. Left out: `phase` the first of the catalogue; `message` the generic text; `source`
 * none, or the document that the code always names; `path`, `span`, `subject` none; `providerActivity` what the
 * catalogue fixes, else false. A `cause` is left out of diagnostics that are printed without one.
 */
export interface DiagnosticFacts {
  readonly phase?: Phase;
  readonly message?: string;
  readonly source?: Source | null;
  readonly path?: string | null;
  readonly span?: Span | null;
  readonly subject?: Subject | null;
  readonly providerActivity?: boolean;
  readonly cause?: Cause;
}

const LOGICAL_NAME = wholeMatch(LOGICAL);
const PROVIDER_NAME = wholeMatch(NAME);
const POINTER_TEXT = wholeMatch(POINTER);
const LOGICAL_LENGTH_MAX = 1024;

const FORMS = new Map<
  DiagnosticCode,
  readonly { readonly expression: RegExp; readonly source: 'null' | 'runtime' | undefined }[]
>();

function formsOf(code: DiagnosticCode, entry: CatalogueEntry) {
  const known = FORMS.get(code);
  if (known !== undefined) return known;
  const forms = entry.message.forms.map((form) => ({ expression: wholeMatch(form.pattern), source: form.source }));
  FORMS.set(code, forms);
  return forms;
}

/** Whether a text is a logical path or library id, which alone may name a source. */
export function isLogicalName(text: string): boolean {
  return text.length <= LOGICAL_LENGTH_MAX && LOGICAL_NAME.test(text);
}

/** The source of a fixed role, under its published name. */
export function fixedSource<Kind extends FixedSourceKind>(kind: Kind): Source & { readonly kind: Kind };
export function fixedSource(kind: FixedSourceKind): { readonly kind: FixedSourceKind; readonly name: string } {
  return { kind, name: FIXED_SOURCE_NAMES[kind] };
}

/** A source named by its logical path or library id. Throws on any other name: callers have parsed it. */
export function logicalSource(kind: LogicalSourceKind, name: string): Source {
  if (!isLogicalName(name)) throw new TypeError(`source name of ${kind} is not a logical path`);
  return { kind, name };
}

/** P(operation, occurrence) of the specification. */
export function providerSubject(name: string, operation: Operation, occurrence: Occurrence | null): Subject {
  return { kind: 'provider', name, operation, occurrence };
}

function refuse(code: DiagnosticCode, member: string): never {
  throw new TypeError(`the catalogue does not allow this ${member} for ${code}`);
}

function admitsSubject(rule: SubjectRule, subject: Subject | null): boolean {
  if (rule === null || subject === null) return rule === subject;
  if (rule.operation !== subject.operation || !PROVIDER_NAME.test(subject.name)) return false;
  if (subject.occurrence === null) return rule.occurrence !== 'object';
  const { index } = subject.occurrence;
  return rule.occurrence !== 'null' && Number.isInteger(index) && index >= 0 && index <= OCCURRENCE_INDEX_MAX;
}

function admitsSource(rule: SourceRule, source: Source | null): boolean {
  if (rule === null || source === null) return rule === source;
  if (rule !== source.kind) return false;
  return isFixedSourceKind(source.kind) ? source.name === FIXED_SOURCE_NAMES[source.kind] : isLogicalName(source.name);
}

/** The source that a code always has, where it names a document of fixed name. */
function impliedSource(entry: CatalogueEntry): Source | null {
  const [only, ...others] = entry.sources;
  return only !== null && others.length === 0 && isFixedSourceKind(only) ? fixedSource(only) : null;
}

function admitsMessage(code: DiagnosticCode, entry: CatalogueEntry, message: string, source: Source | null): boolean {
  if (message === entry.message.generic) return true;
  if (message.length > MESSAGE_LENGTH_MAX) return false;
  return formsOf(code, entry).some(
    (form) =>
      (form.source === undefined || (form.source === 'null') === (source === null)) && form.expression.test(message),
  );
}

function admitsSpan(entry: CatalogueEntry, source: Source | null, span: Span | null): boolean {
  if (span === null) return true;
  const { start_byte: start, end_byte: end } = span;
  const ordered = Number.isSafeInteger(start) && Number.isSafeInteger(end) && 0 <= start && start <= end;
  return ordered && entry.span === 'with_source' && source !== null;
}

function admitsPath(entry: CatalogueEntry, path: string | null): boolean {
  return path === null || (entry.path === 'allowed' && path.length <= PATH_LENGTH_MAX && POINTER_TEXT.test(path));
}

/**
 * Builds a diagnostic that its catalogue row allows (runtime.md §13).
 * Throws TypeError for any other: that is a bug of the caller, never a fault of a document or a run.
 */
export function diagnostic(code: DiagnosticCode, facts: DiagnosticFacts = {}): Diagnostic {
  const entry = CATALOGUE[code];
  const {
    phase = entry.phases[0],
    message = entry.message.generic,
    source = impliedSource(entry),
    path = null,
    span = null,
    subject = null,
    providerActivity = entry.providerActivity === true,
  } = facts;
  if (!entry.phases.includes(phase)) refuse(code, 'phase');
  if (entry.providerActivity !== 'any' && entry.providerActivity !== providerActivity)
    refuse(code, 'provider activity');
  if (!entry.sources.some((rule) => admitsSource(rule, source))) refuse(code, 'source');
  if (!entry.subjects.some((rule) => admitsSubject(rule, subject))) refuse(code, 'subject');
  if (!admitsMessage(code, entry, message, source)) refuse(code, 'message');
  if (!admitsSpan(entry, source, span)) refuse(code, 'span');
  if (!admitsPath(entry, path)) refuse(code, 'path');
  return {
    phase,
    code,
    message,
    source,
    path,
    span,
    subject,
    notes: [],
    retryable: entry.retryable,
    provider_activity: providerActivity,
    ...(facts.cause === undefined || entry.cause === 'never' ? {} : { cause: facts.cause }),
  };
}

/** The same failure after provider activity is known; refused, as by `diagnostic`, where the catalogue fixes it. */
export function withProviderActivity(known: Diagnostic, providerActivity: boolean): Diagnostic {
  const { providerActivity: rule } = CATALOGUE[known.code];
  if (rule !== 'any' && rule !== providerActivity) refuse(known.code, 'provider activity');
  return { ...known, provider_activity: providerActivity };
}

/** The same failure without facts in its message, as private runs show it (runtime.md §7). */
export function withGenericMessage(known: Diagnostic): Diagnostic {
  return { ...known, message: CATALOGUE[known.code].message.generic };
}

/** The process exit status that this diagnostic decides as primary one (runtime.md §1, cli.md §5). */
export function exitStatus(known: Diagnostic): ExitStatus {
  return CATALOGUE[known.code].exit;
}
