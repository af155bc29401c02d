import { readFileSync } from 'node:fs';
import { descendantsOf } from './descendants.ts';
import type { Ended, Started } from './program.ts';

const EVERY_MS = 10;

/**
 * How a program ended, and the most that was resident of it and of all that it started, each process by its own peak.
 */
export async function endedWithPeak({
  child,
  ended,
}: Started): Promise<{ readonly ended: Ended; readonly megabytes: number }> {
  const pid = child.pid ?? 0;
  const peaks = new Map<number, number>();
  const timer = setInterval(() => {
    for (const one of [pid, ...descendantsOf(pid)]) peaks.set(one, Math.max(peaks.get(one) ?? 0, peakOf(one)));
  }, EVERY_MS);
  try {
    return { ended: await ended, megabytes: [...peaks.values()].reduce((sum, kilobytes) => sum + kilobytes, 0) / 1024 };
  } finally {
    clearInterval(timer);
  }
}

/** Kilobytes; 0 for a process that has ended meanwhile. */
function peakOf(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
