import { availableParallelism } from 'node:os';
import { turns } from './turns.ts';
import { workerThread } from './worker-thread.ts';
import type { WorkerThread } from './worker-thread.ts';

/** How one task ended. */
export type TaskEnd<T> =
  | { readonly kind: 'done'; readonly value: T }
  /** Its caller gave it up. A worker that still holds it gives nobody its answer, and is gone if it does not come soon. */
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
}

const BYTES_PER_WORD = 8;
const MEGABYTE = 1024 * 1024;
/** What code and libraries of a worker take before its first task. */
const BASELINE_MB = 48;
const YOUNG_MB = 16;
const STACK_MB = 4;
/** A worker that was asked nothing for so long is ended. */
const IDLE_MS = 10_000;
/** Time that a worker has to finish what was given up: one that is ended takes its loaded libraries with it, and those who wait for it wait for another. */
const DRAIN_MS = 1000;

/** `Answer` is what the default export of the file gives: our own code in another thread. */
export function taskPool<Task, Answer>({ file, heapWords, threads = availableParallelism() }: TaskPoolOptions): TaskPool<Task, Answer> {
  const memory = { maxOldGenerationSizeMb: BASELINE_MB + Math.ceil((heapWords * BYTES_PER_WORD) / MEGABYTE), maxYoungGenerationSizeMb: YOUNG_MB, stackSizeMb: STACK_MB };
  const places = turns(threads);
  const all = new Set<WorkerThread<Task, Answer>>();
  /** Each with the timer that ends it. */
  const idle = new Map<WorkerThread<Task, Answer>, NodeJS.Timeout>();
  let isClosed = false;

  function opened(): WorkerThread<Task, Answer> {
    const worker = workerThread<Task, Answer>(file, memory);
    all.add(worker);
    void forgotten(worker);
    return worker;
  }

  async function forgotten(worker: WorkerThread<Task, Answer>): Promise<void> {
    await worker.ended;
    all.delete(worker);
    clearTimeout(idle.get(worker));
    idle.delete(worker);
  }

  /** Whoever worked last, so that the others come to their end. */
  function taken(): WorkerThread<Task, Answer> {
    const last = [...idle.keys()].at(-1);
    if (last === undefined) return opened();
    clearTimeout(idle.get(last));
    idle.delete(last);
    return last;
  }

  function putBack(worker: WorkerThread<Task, Answer>): void {
    const end = (): void => {
      // Its end takes a while, and nobody is to be sent to it meanwhile.
      idle.delete(worker);
      void worker.terminate();
    };
    idle.set(worker, setTimeout(end, IDLE_MS).unref());
  }

  /** With a turn. */
  async function performed(worker: WorkerThread<Task, Answer>, task: Task, transfer: readonly ArrayBuffer[]): Promise<TaskEnd<Answer>> {
    const answer = await worker.perform(task, transfer);
    if (typeof answer === 'string') return { kind: answer };
    putBack(worker);
    return 'error' in answer ? { kind: 'threw', error: answer.error } : { kind: 'done', value: answer.value };
  }

  return {
    run: async (task, signal, transfer = []) => {
      const endTurn = await places.take(signal);
      if (endTurn === null) return { kind: 'cancelled' };
      if (signal.aborted || isClosed) {
        endTurn();
        return { kind: isClosed ? 'lost' : 'cancelled' };
      }
      const worker = taken();
      return unlessGivenUp(performed(worker, task, transfer).finally(endTurn), signal, () => void worker.terminate());
    },
    close: async () => {
      isClosed = true;
      await Promise.all([...all].map(async (worker) => worker.terminate()));
    },
  };
}

/** Drains and then ends what was given up. */
function unlessGivenUp<T>(task: Promise<TaskEnd<T>>, signal: AbortSignal, end: () => void): Promise<TaskEnd<T>> {
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
