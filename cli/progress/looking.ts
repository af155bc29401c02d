import { writeOver, type OpenProgressStream, type ProgressStream } from './stream.ts';

/** A terminal that says nothing for longer looks as if the command hung (first-day.md §1). */
const QUIET_MS = 1000;
const BETWEEN_MS = 500;

/**
 * A line at a terminal while runs are looked through, from one second on; the last one is cleared. Nothing is written
 * where stderr is no terminal. `now`: milliseconds.
 */
export function reportLooking(open: OpenProgressStream, now: () => number): (looked: number, runs: number) => void {
  const startedAt = now();
  let written = startedAt + QUIET_MS - BETWEEN_MS;
  let stream: ProgressStream | null = null;
  return (looked, runs) => {
    if (looked === runs) {
      if (stream?.isTerminal === true) writeOver(stream, '');
      return;
    }
    if (now() - written < BETWEEN_MS) return;
    written = now();
    stream ??= open();
    if (stream.isTerminal) writeOver(stream, `looking at runs: ${String(looked)} of ${String(runs)}`);
  };
}
