/** Processor time of this process and of all it started that has ended, in milliseconds. */
import { readFileSync } from 'node:fs';

/** The kernel counts in hundredths of a second. */
const MS_PER_COUNT = 10;
/** After the name in parentheses and eleven fields: of itself, and of children that were waited for, and theirs. */
const TIMES = /^.*\) \S(?: \S+){10} (\d+) (\d+) (\d+) (\d+) /s;

export function readProcessorMs(read = (): string => readFileSync('/proc/self/stat', 'latin1')): number {
  try {
    const [, ...counts] = TIMES.exec(read()) ?? [];
    return counts.reduce((sum, count) => sum + Number(count) * MS_PER_COUNT, 0);
  } catch {
    // Another system, which tells no more than this.
    const { user, system } = process.cpuUsage();
    return Math.round((user + system) / 1000);
  }
}
