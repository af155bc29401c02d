import { readdirSync, readFileSync } from 'node:fs';
import { childrenOf } from './child-processes.ts';

/**
 * Milliseconds between two looks at a process that is to stop something.
 * @internal
 */
export const TICK_MS = 100;
/** No process is waited for longer, whatever the machine gives it. */
export const LONGEST_GRACE_MS = 10_000;
/** Threads that a look considers: many more than any host of ours has. */
const MAX_THREADS = 256;

/**
 * What a thread has computed so far, in milliseconds, and whether it computes or waits for a processor now.
 * @internal
 */
export interface ThreadUse {
  readonly usedMs: number;
  readonly isRunnable: boolean;
}

/** By the number of the thread; empty where the system does not report. */
type ThreadUses = ReadonlyMap<number, ThreadUse>;

/**
 * Calls `onOver` once a process has had `graceMs` to do something; returns what ends the watch. Time in which one of
 * its threads waited for a processor counts only as far as that thread got one: on a busy machine a sound process is
 * late, and its isolates are not to pay for that. One that spins instead of stopping uses its time up. A look that is
 * late itself counts as one look, as what the process answered meanwhile is still unread.
 */
export function startGrace(graceMs: number, onOver: () => void, readThreads: () => ThreadUses): () => void {
  let servedMs = 0;
  let waitedMs = 0;
  let before: ThreadUses | null = null;
  function look(): void {
    const now = readThreads();
    servedMs += before === null ? TICK_MS : servedBetween(before, now);
    waitedMs += TICK_MS;
    before = now;
    if (servedMs >= graceMs || waitedMs >= LONGEST_GRACE_MS) onOver();
    else timer = setTimeout(look, TICK_MS);
  }
  let timer = setTimeout(look, TICK_MS);
  return () => clearTimeout(timer);
}

/** Milliseconds of a tick that the thread served worst had, of those that want a processor. */
function servedBetween(before: ThreadUses, now: ThreadUses): number {
  const wanting = [...now].filter(([, { isRunnable }]) => isRunnable);
  return Math.min(TICK_MS, ...wanting.map(([thread, { usedMs }]) => usedMs - (before.get(thread)?.usedMs ?? 0)));
}

/** The kernel counts processor time in hundredths of a second, on every architecture. */
const MS_PER_COUNT = 10;
/**
 * Of `/proc/PID/task/TID/stat`, after the name in parentheses, which may hold any character: the state, and the 11th
 * and 12th field after it, processor time of the program and of the system for it.
 */
const STAT = /^.*\) (\S)(?: \S+){10} (\d+) (\d+) /s;
const RUNNABLE = 'R';

/** The threads of a process, and of those below it: what starts a confined host is its parent. */
export function readThreadUses(
  pid: number | undefined,
  read: (path: string) => string = (path) => readFileSync(path, 'latin1'),
  list: (path: string) => readonly string[] = readdirSync,
  children: (pid: number) => readonly number[] = childrenOf,
): ThreadUses {
  if (pid === undefined) return new Map();
  const threads = threadsOf(pid, list)
    .slice(0, MAX_THREADS)
    .flatMap((thread) => {
      const use = useOf(`/proc/${pid}/task/${thread}/stat`, read);
      return use === null ? [] : [[Number(thread), use] as const];
    });
  return new Map([...threads, ...children(pid).flatMap((child) => [...readThreadUses(child, read, list, children)])]);
}

function threadsOf(pid: number, list: (path: string) => readonly string[]): readonly string[] {
  try {
    return list(`/proc/${pid}/task`);
  } catch {
    // It has ended, or this is another system.
    return [];
  }
}

function useOf(path: string, read: (path: string) => string): ThreadUse | null {
  try {
    const found = STAT.exec(read(path));
    return found === null
      ? null
      : { isRunnable: found[1] === RUNNABLE, usedMs: (Number(found[2]) + Number(found[3])) * MS_PER_COUNT };
  } catch {
    return null;
  }
}
