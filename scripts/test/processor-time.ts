/** Processor time of this process and of all it started, in milliseconds. */
import { readFileSync } from 'node:fs';

/** The kernel counts in hundredths of a second. */
const MS_PER_COUNT = 10;
/** After the name in parentheses and eleven fields: of itself, and of children that were waited for, and theirs. */
const TIMES = /^.*\) \S(?: \S+){10} (\d+) (\d+) (\d+) (\d+) /s;
const GROUP_TIME = /^usage_usec (\d+)$/m;

/**
 * Where this process is in a group of its own (processor-group.ts), the time of the whole group; otherwise that of
 * itself and of children that were waited for.
 */
export function readProcessorMs(
  groupStat = process.env['SVC_TEST_PROCESSOR_STAT'] || null,
  read = (path: string): string => readFileSync(path, 'latin1'),
): number {
  try {
    return groupStat === null ? readOwn(read('/proc/self/stat')) : readGroup(read(groupStat));
  } catch {
    // Another system, which tells no more than this.
    const { user, system } = process.cpuUsage();
    return Math.round((user + system) / 1000);
  }
}

function readOwn(stat: string): number {
  const [, ...counts] = TIMES.exec(stat) ?? [];
  return counts.reduce((sum, count) => sum + Number(count) * MS_PER_COUNT, 0);
}

function readGroup(stat: string): number {
  const [, microseconds] = GROUP_TIME.exec(stat) ?? [];
  return Math.round(Number(microseconds) / 1000);
}
