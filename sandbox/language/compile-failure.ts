/**
 * The one signal by which reader, analyser and emitter give up on a text. It never leaves the compiler: the entry
 * points turn it into a `CompileFault` or an `EvaluationFault`.
 */
export class CompileFailure extends Error {
  readonly reason: string;
  /** UTF-16 offsets into the source at fault; null for faults of no particular place. */
  readonly place: { readonly start: number; readonly end: number } | null;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    reason: string,
    message: string,
    place: { readonly start: number; readonly end: number } | null,
    details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.reason = reason;
    this.place = place === null ? null : { start: place.start, end: place.end };
    this.details = details;
  }
}

/** A reader fault: zero length, at the offending unit (language.md §13). */
export function parseError(
  message: string,
  offset: number,
  details: Readonly<Record<string, unknown>> = {},
): CompileFailure {
  return new CompileFailure('parse_error', message, { start: offset, end: offset }, details);
}

/** A reader fault of a text that ends too early: what is wrong may be mended by more text (cli.md §11). */
export class EndOfSource extends CompileFailure {}

/**
 * A reader fault of a token that begins like a number and is none: NumberFormatException where a program reads text.
 */
export class InvalidNumber extends CompileFailure {}

/** The fault of something that starts at an offset that the text ends inside of. */
export function endOfSource(
  message: string,
  offset: number,
  details: Readonly<Record<string, unknown>> = {},
): EndOfSource {
  return new EndOfSource('parse_error', message, { start: offset, end: offset }, details);
}
