import type { ExpectedDiagnostic } from './document-case.ts';

/** The diagnostic as it must stand in the envelope (documents.md §13, head). */
export function expectedError({ code, phase, message, source, path, span, subject, retryable, cause }: ExpectedDiagnostic) {
  return { code, phase, message, source, path, span, subject, retryable, notes: [], provider_activity: false, ...(cause === null ? {} : { cause }) };
}

/** The one line on stderr, as far as the envelope decides it (cli.md §4); a remedy may follow behind `; `. */
export function expectedFailureLine(expected: ExpectedDiagnostic, runRef: string): string {
  const { phase, code, message } = expected;
  return `error: ${phase}/${code}: ${subjectText(expected.subject)}${message}${locationText(expected)} (run_ref: ${runRef})`;
}

function subjectText(subject: ExpectedDiagnostic['subject']): string {
  if (subject === null) return '';
  const { name, operation, occurrence } = subject;
  const place = occurrence === null ? '' : ` at ${occurrence.destination}[${String(occurrence.index)}]`;
  return `provider/${name}/${operation}${place}: `;
}

function locationText({ path, source, span }: ExpectedDiagnostic): string {
  const pointer = path === null ? '' : path === '' ? ' at document root' : ` at ${quoted(path)}`;
  if (source === null) return pointer;
  if (span === null) return `${pointer} in ${quoted(source.name)}`;
  return `${pointer} at ${quoted(source.name)} bytes [${String(span.start_byte)},${String(span.end_byte)})`;
}

function quoted(text: string): string {
  return /^[A-Za-z0-9._~/-]+$/u.test(text) ? text : JSON.stringify(text);
}
