import type { JsonObject } from '../../../contract/json/value.ts';

/** The longest pause that a workflow may ask for at once, in milliseconds (world.md §1.4). */
const LONGEST_MS = 60_000;

/** `{"ms" 1..60000}` of `runtime-wait`; null for every other argument. */
export function pauseMs(input: JsonObject): number | null {
  const ms = input.get('ms');
  const isWhole = input.size === 1 && typeof ms === 'number' && Number.isInteger(ms);
  return isWhole && ms >= 1 && ms <= LONGEST_MS ? ms : null;
}

/** Settles after so many milliseconds, or as soon as `signal` is aborted. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    if (signal.aborted) done();
    else signal.addEventListener('abort', done);
  });
}
