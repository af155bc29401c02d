/** Time as the supervisor sees it; injected, so that no test waits. */
export interface Clock {
  /** Milliseconds on a clock that never jumps; only differences mean anything. */
  monotonic(): number;
  /** Milliseconds since 1970, with fractions. Read once per run: later times are this plus monotonic differences. */
  wall(): number;
}

export const systemClock: Clock = {
  monotonic: () => performance.now(),
  wall: () => performance.timeOrigin + performance.now(),
};

/** Whole milliseconds of the monotonic clock until `at`, never negative (runtime.md §10). */
export function remainingMs({ at }: { readonly at: number }, now: number): number {
  return Math.max(0, Math.ceil(at - now));
}

/** UTC time to the microsecond, `2030-01-02T03:04:05.000006Z` (evidence.md §2). */
export function timestampOf(wallMs: number): string {
  const micros = Math.max(0, Math.floor(wallMs * 1000));
  const seconds = new Date(Math.floor(micros / 1000)).toISOString().slice(0, 19);
  return `${seconds}.${String(micros % 1_000_000).padStart(6, '0')}Z`;
}
