/** The place of a caller in its own trace, as W3C Trace Context writes it. */
export interface CallerSpan {
  /** 32 lower-case hex digits. */
  readonly traceId: string;
  /** 16 lower-case hex digits. */
  readonly spanId: string;
  readonly flags: number;
}

const FORM = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Null for what is not one of version 00. */
export function readTraceparent(text: unknown): CallerSpan | null {
  const [, traceId, spanId, flags] = typeof text === 'string' ? (FORM.exec(text) ?? []) : [];
  return traceId === undefined || spanId === undefined || flags === undefined
    ? null
    : { traceId, spanId, flags: Number.parseInt(flags, 16) };
}
