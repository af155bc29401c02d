import { availableParallelism } from 'node:os';
import { Tinypool } from 'tinypool';
import { FifoTurns } from '../../system/fifo-turns.ts';
import { processWorkers, type BudgetedPool, type WorkerBudget } from './worker-budget.ts';

/** How one task ended. */
export type TaskEnd<T> =
  | { readonly kind: 'done'; readonly value: T }
  /**
   * Its caller gave it up. A worker that still holds it gives nobody its answer, and is gone if it does not come soon.
   */
  | { readonly kind: 'cancelled' }
  /** It needed more memory than a worker has. */
  | { readonly kind: 'heap_exceeded' }
  /** The worker came to its end over it. */
  | { readonly kind: 'lost' }
  /** Its code threw. */
  | { readonly kind: 'threw'; readonly error: unknown };

/** Workers of one kind, one task each at a time (providers.md §14). */
export interface TaskPool<Task, Answer> {
  /** Never rejects. */
  run(task: Task, signal: AbortSignal, transfer?: readonly ArrayBuffer[]): Promise<TaskEnd<Answer>>;
  close(): Promise<void>;
}

export interface TaskPoolOptions {
  /** File of the worker; its default export is called with each task. */
  readonly file: string;
  /** Heap of a worker, words of 8 bytes (`provider_heap_words`). */
  readonly heapWords: number;
  /** Absent: one for each processor. */
  readonly threads?: number;
  /** Absent: that of the process. */
  readonly budget?: WorkerBudget;
}

const BYTES_PER_WORD = 8;
const MEGABYTE = 1024 * 1024;
/** What code and libraries of a worker take before its first task. */
const BASELINE_MB = 48;
const YOUNG_MB = 16;
const STACK_MB = 4;
/** A worker that was asked nothing for so long is ended. */
const IDLE_MS = 10_000;
/**
 * Time that a worker has to finish what was given up: one that is ended takes its loaded libraries with it, and those
 * who wait for it wait for another.
 */
const DRAIN_MS = 1000;

/** `Answer` is what the default export of the file gives: our own code in another thread. */
export function taskPool<Task, Answer>({
  file,
  heapWords,
  threads = availableParallelism(),
  budget = processWorkers,
}: TaskPoolOptions): TaskPool<Task, Answer> {
  let pool: Tinypool | null = null;
  const open = (): Tinypool => {
    const opened = new Tinypool({
      filename: file,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: IDLE_MS,
      // No variable of the caller reaches foreign code: libraries of vendors look for keys there.
      env: {},
      resourceLimits: {
        maxOldGenerationSizeMb: BASELINE_MB + Math.ceil((heapWords * BYTES_PER_WORD) / MEGABYTE),
        maxYoungGenerationSizeMb: YOUNG_MB,
        stackSizeMb: STACK_MB,
      },
    });
    // A worker that dies without a task has nothing to report; the next task gets another.
    opened.on('error', () => undefined);
    return opened;
  };
  /** Tasks that have started and not ended. */
  let running = 0;
  const end = async (): Promise<void> => {
    const ending = pool;
    pool = null;
    await ending?.destroy();
  };
  const budgeted: BudgetedPool = {
    workers: () => pool?.threads.length ?? 0,
    isIdle: () => running === 0,
    endIdle: () => void end(),
  };
  const turns = new FifoTurns(threads);
  let isClosed = false;
  return {
    run: async (task, signal, transfer = []) => {
      // The pool's own queue forgets who waits when the last worker ends over a task.
      if (!(await turns.take(signal))) return { kind: 'cancelled' };
      if (signal.aborted || isClosed) {
        turns.give();
        return { kind: isClosed ? 'lost' : 'cancelled' };
      }
      const ending = new AbortController();
      pool ??= open();
      running += 1;
      const done: Promise<Answer> = pool.run(task, { signal: ending.signal, transferList: [...transfer] });
      budget.used(budgeted);
      const ended = done
        .then((value): TaskEnd<Answer> => ({ kind: 'done', value }), endOf)
        .finally(() => {
          running -= 1;
          turns.give();
        });
      return awaitUnlessAborted(ended, signal, () => ending.abort());
    },
    close: async () => {
      isClosed = true;
      budget.remove(budgeted);
      await end();
    },
  };
}

/** Drains and then ends what was given up. */
function awaitUnlessAborted<T>(task: Promise<TaskEnd<T>>, signal: AbortSignal, end: () => void): Promise<TaskEnd<T>> {
  return new Promise((resolve) => {
    const giveUp = (): void => {
      const late = setTimeout(end, DRAIN_MS).unref();
      void task.finally(() => clearTimeout(late));
      resolve({ kind: 'cancelled' });
    };
    signal.addEventListener('abort', giveUp, { once: true });
    void task.finally(() => signal.removeEventListener('abort', giveUp)).then(resolve);
  });
}

function endOf(error: unknown): TaskEnd<never> {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return { kind: 'heap_exceeded' };
  return error instanceof Error && /worker|exit/i.test(error.message) && code !== null
    ? { kind: 'lost' }
    : { kind: 'threw', error };
}
