import { LONGEST_TIMER_MS } from '../../../contract/limits/longest-timer.ts';
import { availableParallelism } from 'node:os';
import { extname, join } from 'node:path';
import { Tinypool } from 'tinypool';
import { makeFairSlots } from '../../platform/fairness/fair-places.ts';
import type { SchemaQuestion } from './schema-thread.ts';

/** Bounds of the threads in which values meet schemas; overridden by tests alone. */
export interface ThreadBounds {
  /** Questions that are worked at, over all tenants and of one; each has a thread to itself. */
  readonly threads: number;
  readonly threadsOfTenant: number;
  /** Questions that may wait, over all tenants and of one. */
  readonly waiting: number;
  readonly waitingOfTenant: number;
  /** Milliseconds that one question is worked at, however much time its caller has. */
  readonly longestMs: number;
  /** Tenants that may have threads, idle ones included; as many as `threads` or more. */
  readonly pools: number;
}

const THREADS = Math.max(2, availableParallelism());

/**
 * One tenant never has them all, whatever its schemas make of its values. Five seconds: generous, for a machine that is
 * busy.
 */
const BOUNDS: ThreadBounds = {
  threads: THREADS,
  threadsOfTenant: Math.floor(THREADS / 2),
  waiting: 4096,
  waitingOfTenant: 1024,
  longestMs: 5000,
  pools: 2 * THREADS,
};

const MEMORY = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };
/** A thread that was asked nothing for so long is ended. */
const IDLE_MS = 10_000;
/** Beside this file, in the form that this file has: source or built. */
const THREAD = join(import.meta.dirname, `schema-thread${extname(import.meta.filename)}`);

/**
 * Threads that check values, apart by tenant: a schema of one, and what it makes of a value, is never in a thread of
 * another. A thread that takes too long is ended, with what it was doing.
 */
export interface SchemaThreads {
  /**
   * The answer, or null: there was none within `timeoutMs`, which begin now and include every wait, or the thread came
   * to its end over the question. Never rejects.
   */
  ask(tenant: string, question: SchemaQuestion, timeoutMs: number): Promise<unknown>;
  /** Answers what was asked so far and ends every thread. */
  close(): Promise<void>;
}

/** What is used of a pool. */
export type ThreadPool = Pick<Tinypool, 'run' | 'threads' | 'destroy'>;

interface Member {
  readonly pool: ThreadPool;
  /** Questions that it works at. */
  questions: number;
}

export function schemaThreads(
  bounds: ThreadBounds = BOUNDS,
  openPool: (threads: number) => ThreadPool = threadPool,
): SchemaThreads {
  const places = makeFairSlots({ atOnce: bounds.threads, waiting: bounds.waiting });
  const share = { weight: 1, atOnce: bounds.threadsOfTenant, waiting: bounds.waitingOfTenant };
  /** By tenant; the one that was asked longest ago first. */
  const members = new Map<string, Member>();

  function memberOf(tenant: string): Member {
    const member = members.get(tenant) ?? { pool: openPool(bounds.threadsOfTenant), questions: 0 };
    members.delete(tenant);
    members.set(tenant, member);
    for (const [name, { pool, questions }] of members) {
      if (members.size <= bounds.pools) break;
      if (questions > 0 || name === tenant) continue;
      members.delete(name);
      void pool.destroy();
    }
    return member;
  }

  /** With a place in hand. Settles when nothing of the question is left, a thread that was ended for it included. */
  async function work(
    tenant: string,
    question: SchemaQuestion,
    signal: AbortSignal,
    answer: (found: unknown) => void,
  ): Promise<void> {
    const member = memberOf(tenant);
    const { pool } = member;
    member.questions += 1;
    let before: Tinypool['threads'] = [];
    // Informed before the pool is, which then knows nothing more of the thread that it ends.
    signal.addEventListener('abort', () => {
      before = pool.threads;
    });
    try {
      const found: unknown = await pool.run(question, { signal });
      answer(found);
    } catch {
      // Too late, or its stack or its memory was not enough for the value.
      answer(null);
    }
    const dying = before.filter((thread) => !pool.threads.includes(thread));
    await Promise.all(
      dying.map(
        (thread) =>
          new Promise((resolve) => {
            thread.once('exit', resolve);
          }),
      ),
    );
    member.questions -= 1;
  }

  return {
    ask: async (tenant, question, timeoutMs) => {
      const ended = new AbortController();
      const end = (): void => ended.abort();
      const timers = [setTimeout(end, Math.min(LONGEST_TIMER_MS, Math.max(0, timeoutMs)))];
      try {
        const place = await places.take({ tenant, share, signal: ended.signal });
        if (place.outcome !== 'begins') return null;
        timers.push(setTimeout(end, bounds.longestMs));
        return await new Promise((resolve) => {
          void work(tenant, question, ended.signal, resolve).finally(place.end);
        });
      } finally {
        timers.forEach(clearTimeout);
      }
    },
    close: async () => {
      await places.drain();
      await Promise.all([...members.values()].map(({ pool }) => pool.destroy()));
      members.clear();
    },
  };
}

let shared: SchemaThreads | null = null;

/** The threads of this process: every run asks them, each for its tenant. */
export function sharedSchemaThreads(): SchemaThreads {
  shared ??= schemaThreads();
  return shared;
}

function threadPool(threads: number): ThreadPool {
  const pool = new Tinypool({
    filename: THREAD,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: IDLE_MS,
    resourceLimits: MEMORY,
    env: {},
  });
  // A thread that dies without a question has nothing to report; the next question gets another.
  pool.on('error', () => undefined);
  return pool;
}
