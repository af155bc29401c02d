/** What a task of a worker came to, and what it used of the processor. */
export interface Measured<T> {
  readonly result: T;
  /** Milliseconds of the thread: the time in which it was not scheduled is not counted. */
  readonly processorMs: number;
}

/** Microseconds that a thread has used. */
export type ThreadUsage = () => Pick<NodeJS.CpuUsage, 'user' | 'system'>;

/** For a task that has its thread to itself. */
export async function measureProcessor<T>(
  task: () => Promise<T>,
  usage: ThreadUsage = () => process.threadCpuUsage(),
): Promise<Measured<T>> {
  const before = usage();
  const result = await task();
  const after = usage();
  return { result, processorMs: (after.user - before.user + after.system - before.system) / 1000 };
}
