import type { Diagnostic, Subject } from '../../contract/diagnostics/diagnostic.ts';
import { visibleText } from '../../contract/visible-text.ts';
import { quotedName } from './printable.ts';

export interface FailureLine {
  readonly diagnostic: Diagnostic;
  readonly runRef: string;
  /** Remedy from closed vocabulary. */
  readonly hint: string | null;
  /**
   * Name of the source as people know it: of an input that is no file, or of a file as it was given; null or absent:
   * the published one.
   */
  readonly sourceName?: string | null;
}

/**
 * The line that shows people how a command failed (cli.md §4), without line end. It carries what the diagnostic
 * carries; a file of theirs has the name that they gave it (first-day.md §3).
 */
export function failureLine({ diagnostic, runRef, hint, sourceName }: FailureLine): string {
  const { phase, code, message, subject } = diagnostic;
  const parts = [
    `error: ${phase}/${code}: `,
    subject === null ? '' : `${subjectText(subject)}: `,
    visibleText(message),
    locationText(diagnostic, sourceName ?? null),
    ` (run_ref: ${runRef})`,
    hint === null ? '' : `; ${visibleText(hint)}`,
  ];
  return parts.join('');
}

function subjectText({ name, operation, occurrence }: Subject): string {
  const place = occurrence === null ? '' : ` at ${occurrence.destination}[${occurrence.index}]`;
  return `provider/${name}/${operation}${place}`;
}

/** A document that was not read is no place of a fault, and its published name need not be the one that was typed. */
function isUnread({ code, source }: Diagnostic): boolean {
  return (
    code === 'application_not_found' ||
    code === 'application_unavailable' ||
    code === 'host_unavailable' ||
    (code === 'reference_missing' && source?.kind === 'external_input')
  );
}

function locationText(diagnostic: Diagnostic, sourceName: string | null): string {
  const { path, source, span } = diagnostic;
  const pointer = path === null ? '' : path === '' ? ' at document root' : ` at ${quotedName(path)}`;
  if (source === null || isUnread(diagnostic)) return pointer;
  const name = quotedName(sourceName ?? source.name);
  if (span === null) return `${pointer} in ${name}`;
  return `${pointer} at ${name} bytes [${span.start_byte},${span.end_byte})`;
}

/** The second line of a run whose last evaluation failed (cli.md §4). */
export function evaluationLine(error: { readonly kind: string; readonly message: string }): string {
  return `evaluation: ${visibleText(error.kind)}: ${visibleText(error.message)}`;
}

/** cli.md §4, warnings; the alias is the installed provider's. */
export function warningLine(warning: {
  readonly code: string;
  readonly message: string;
  readonly provider: string;
}): string {
  return `warning: ${warning.code}: ${visibleText(warning.message)} (provider ${quotedName(warning.provider)})`;
}

/** Output that a full device or a broken one did not take; nothing is written to a reader that went away. */
export function unwrittenOutputLine(runRef: string): string {
  return `error: output/write_failed: standard output could not be written (run_ref: ${runRef})`;
}

/** A requested envelope that could not be published replaces every other output (cli.md §3). */
export function unpublishedEnvelopeLine(runRef: string): string {
  return `error: envelope/publication_failed: the command envelope could not be published (run_ref: ${runRef})`;
}
