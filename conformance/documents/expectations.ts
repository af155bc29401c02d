import type { ExpectedDiagnostic } from './document-case.ts';

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

/** The one line on stderr, as far as the envelope decides it (cli.md §4); a remedy may follow behind `; `. */
export function expectedFailureLine(expected: ExpectedDiagnostic, runRef: string): string {
  const { phase, code, message } = expected;
  return `error: ${phase}/${code}: ${subjectText(expected.subject)}${message}${locationText(expected)} (run_ref: ${runRef})`;
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

function locationText({ code, path, source, span }: ExpectedDiagnostic): string {
  const pointer = path === null ? '' : path === '' ? ' at document root' : ` at ${quoted(path)}`;
  if (source === null || UNREAD.has(code) || (code === 'reference_missing' && source.kind === 'external_input'))
    return pointer;
  if (span === null) return `${pointer} in ${quoted(source.name)}`;
  return `${pointer} at ${quoted(source.name)} bytes [${String(span.start_byte)},${String(span.end_byte)})`;
}

function quoted(text: string): string {
  return /^[A-Za-z0-9._~/-]+$/u.test(text) ? text : JSON.stringify(text);
}
