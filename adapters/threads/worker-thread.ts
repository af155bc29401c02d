import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ResourceLimits } from 'node:worker_threads';
import type { TaskAnswer } from './task-worker.ts';

/** Why a worker came to its end: its memory, or anything else. */
export type WorkerEnd = 'heap_exceeded' | 'lost';

/** A worker that does one task at a time, by one channel for all of them. */
export interface WorkerThread<Task, Answer> {
  /** Settles with the task, or with the end of the worker. Only asked when the last one has settled. */
  perform(task: Task, transfer: readonly ArrayBuffer[]): Promise<TaskAnswer<Answer> | WorkerEnd>;
  /** When it came to its end. */
  readonly ended: Promise<WorkerEnd>;
  terminate(): Promise<void>;
}

/** Beside this file, in the form that this file has: source or built. */
const FORM = extname(import.meta.filename);
const ENTRY = join(import.meta.dirname, `task-worker${FORM}`);

/** `file`: its default export is called with each task. */
export function workerThread<Task, Answer>(file: string, resourceLimits: ResourceLimits): WorkerThread<Task, Answer> {
  // No variable of the caller reaches foreign code: libraries of vendors look for keys there.
  const thread = new Worker(ENTRY, { workerData: file, env: {}, resourceLimits });
  let settle: ((answer: TaskAnswer<Answer> | WorkerEnd) => void) | null = null;
  let reason: WorkerEnd = 'lost';
  let isEnding = false;
  const end = (answer: TaskAnswer<Answer> | WorkerEnd): void => {
    const settled = settle;
    settle = null;
    // Without a task it keeps nobody from ending.
    thread.unref();
    settled?.(answer);
  };
  thread.on('message', (answer: TaskAnswer<Answer>) => {
    // Of one that is being ended nothing counts any more but its end.
    if (!isEnding) end(answer);
  });
  thread.on('messageerror', () => end({ error: new Error('an answer that cannot be read') }));
  thread.on('error', (error) => {
    if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') reason = 'heap_exceeded';
  });
  thread.unref();
  const ended = new Promise<WorkerEnd>((resolve) => {
    thread.once('exit', () => {
      end(reason);
      resolve(reason);
    });
  });
  return {
    ended,
    perform: (task, transfer) => new Promise((resolve) => {
      settle = resolve;
      thread.ref();
      thread.postMessage(task, [...transfer]);
    }),
    terminate: async () => {
      isEnding = true;
      await thread.terminate();
    },
  };
}
