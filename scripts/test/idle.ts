/** How much of the processors nobody used, by which a run of tests starts more beside what waits. */
import { availableParallelism, cpus, totalmem } from 'node:os';

/** Sums over all processors since the machine started, milliseconds. */
export interface ProcessorTimes {
  readonly idle: number;
  readonly all: number;
}

/** The share of the processors that was idle between two readings, from 0 to 1. Two at once say nothing: 0. */
export function idleShare(before: ProcessorTimes, after: ProcessorTimes): number {
  const all = after.all - before.all;
  return all <= 0 ? 0 : Math.max(0, after.idle - before.idle) / all;
}

function readProcessorTimes(): ProcessorTimes {
  const times = cpus().map((processor) => processor.times);
  const idle = times.reduce((sum, one) => sum + one.idle, 0);
  const all = times.reduce((sum, one) => sum + one.user + one.nice + one.sys + one.irq + one.idle, 0);
  return { idle, all };
}

/** Over less, a process that just ended looks like a machine with nothing to do; of all processors, milliseconds. */
const LEAST_MS = 1000;

/** A function that says how much was idle since it last did, from 0 to 1; 0 where that was a moment ago. */
export function watchIdle(read: () => ProcessorTimes = readProcessorTimes): () => number {
  let last = read();
  return () => {
    const now = read();
    if (now.all - last.all < LEAST_MS) return 0;
    const share = idleShare(last, now);
    last = now;
    return share;
  };
}

/** How many processes of tests run beside each other. */
export interface Workers {
  /** However busy the machine is. */
  readonly least: number;
  /** However idle it is. */
  readonly most: number;
}

/** For each processor, where all of them wait for clocks and for each other. */
const MOST_PER_PROCESSOR = 3;
/** A process of tests, with the programs that it starts. */
const BYTES_PER_WORKER = 1e9;

/** One more than processors, as each waits now and then for a program that it started; more where they are idle. */
export function defaultWorkers(processors = availableParallelism(), memory = totalmem()): Workers {
  const least = processors + 1;
  return {
    least,
    most: Math.max(least, Math.min(processors * MOST_PER_PROCESSOR, Math.floor(memory / BYTES_PER_WORKER))),
  };
}

/** Of two processors two fifths of one: a process that is started then does not slow those that run. */
const IDLE_ENOUGH = 0.2;

/** Whether one more may start beside those that run. */
export function mayStart(running: number, { least, most }: Workers, idle: number): boolean {
  return running < least || (running < most && idle >= IDLE_ENOUGH);
}
