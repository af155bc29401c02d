import { FILE_NAMES } from './base.ts';
import type { DocumentCase, ExpectedDiagnostic } from './document-case.ts';

/** The diagnostic as it must stand in the envelope (documents.md §13, head). */
export function expectedError({
  code,
  phase,
  message,
  source,
  path,
  span,
  subject,
  retryable,
  cause,
}: ExpectedDiagnostic) {
  return {
    code,
    phase,
    message,
    source,
    path,
    span,
    subject,
    retryable,
    notes: [],
    provider_activity: false,
    ...(cause === null ? {} : { cause }),
  };
}

/**
 * The first line on stderr (cli.md §4), with the file that a person can open in place of the published name
 * (first-day.md §3); a remedy may follow behind `; `.
 */
export function expectedFailureLine(expected: ExpectedDiagnostic, runRef: string, one: DocumentCase): string {
  const { phase, code, message, subject } = expected;
  const location = locationText(expected, one);
  return `error: ${phase}/${code}: ${subjectText(subject)}${message}${location} (run_ref: ${runRef})`;
}

/** The file of a case that stands behind a published name. */
function openedFile(name: string, { files }: DocumentCase): string {
  if (name === 'svc-host.json') return FILE_NAMES.host;
  if (name === 'svc-project.json') return FILE_NAMES.project;
  if (name === 'component-override.json') return FILE_NAMES.override;
  if (name === 'input.json' && 'in.json' in files) return 'in.json';
  // A project that is none is read as an application.
  return name === 'svc.json' && typeof files[FILE_NAMES.project] === 'string' ? FILE_NAMES.project : name;
}

/** What validate says of limits that are right each, and of no use together. */
export const REMARKS = /^(?:remark: evaluation_timeout_ms [^\n]+\n)?$/u;

/** What may follow it, for people: a remedy behind `; `, and below it the place and what is wrong there (cli.md §4). */
export const EXPLANATION =
  /^(?:; [^\n]+)?\n(?: {2}(?:at|called at|perhaps) [^\n:]+:\d+:\d+(?: \([^\n]+\))?\n| {2}(?:problem|data|remedy): [^\n]+\n|also [^\n]+\n)*$/u;

function subjectText(subject: ExpectedDiagnostic['subject']): string {
  if (subject === null) return '';
  const { name, operation, occurrence } = subject;
  const place = occurrence === null ? '' : ` at ${occurrence.destination}[${String(occurrence.index)}]`;
  return `provider/${name}/${operation}${place}: `;
}

/** A document that could not be read is no place, and its published name need not be its own. */
const UNREAD: ReadonlySet<string> = new Set(['application_not_found', 'application_unavailable', 'host_unavailable']);

function locationText({ code, path, source, span }: ExpectedDiagnostic, one: DocumentCase): string {
  const pointer = path === null ? '' : path === '' ? ' at document root' : ` at ${quoted(path)}`;
  if (source === null || UNREAD.has(code) || (code === 'reference_missing' && source.kind === 'external_input'))
    return pointer;
  if (span === null) return `${pointer} in ${quoted(openedFile(source.name, one))}`;
  return `${pointer} at ${quoted(openedFile(source.name, one))} bytes [${String(span.start_byte)},${String(span.end_byte)})`;
}

function quoted(text: string): string {
  return /^[A-Za-z0-9._~/-]+$/u.test(text) ? text : JSON.stringify(text);
}
