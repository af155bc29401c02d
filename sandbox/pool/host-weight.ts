import { readdirSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { childrenOf } from './child-processes.ts';

/** How much a host process weighs against others that want a processor. */
export interface HostWeight {
  /** Gives way to others, or no longer does. */
  readonly giveWay: (isHeavy: boolean) => void;
  /**
   * Whether it weighs less than it should, which this user may not change again: it ends when nothing is left in it.
   */
  readonly isWorn: () => boolean;
  readonly close: () => void;
}

/** A tenth of the share of another. It goes on to have some: nobody starves. */
const LIGHT = 10;
const EVEN = 0;
/** The lowest priority that there is. */
const LOWEST = 19;
/** The kernel takes one change of a session's weight in 100 ms from anyone but root. */
const RETRY_MS = 150;

/**
 * The kernel shares processors between sessions (autogroup: each host has one of its own) or between threads, as it is
 * set up; what a process weighs is said in both ways. Each may be refused, and then its share is what it was.
 */
export function hostWeight(pid: number | undefined): HostWeight {
  let wanted = EVEN;
  let isWorn = false;
  let retry: NodeJS.Timeout | undefined;

  function weigh(): void {
    if (pid === undefined) return;
    const isDone = weighSession(pid, wanted);
    if (!isDone) retry = setTimeout(weigh, RETRY_MS).unref();
  }

  return {
    giveWay(isHeavy) {
      const next = isHeavy ? LIGHT : EVEN;
      if (pid === undefined || next === wanted) return;
      wanted = next;
      isWorn = !weighThreads(pid, wanted);
      clearTimeout(retry);
      weigh();
    },
    isWorn: () => isWorn,
    close: () => {
      clearTimeout(retry);
    },
  };
}

/** False: the system asks to try again later. */
function weighSession(pid: number, nice: number): boolean {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(nice));
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'EAGAIN');
  }
}

/** A thread that starts later weighs as much as its parent. False: some weigh less than that, and may not be raised. */
function weighThreads(pid: number, nice: number): boolean {
  const children = childrenOf(pid).map((child) => weighThreads(child, nice));
  // From where this process is itself: who started it may have lowered it.
  const priority = Math.min(LOWEST, getPriority() + nice);
  const threads = threadsOf(pid).map((thread) => weighThread(thread, priority, nice === EVEN));
  return [...children, ...threads].every((isDone) => isDone);
}

function weighThread(thread: number, priority: number, isRaised: boolean): boolean {
  try {
    setPriority(thread, priority);
    return true;
  } catch {
    // It has ended, which is as good, or may be lowered and never raised.
    return !isRaised;
  }
}

/** Elsewhere than on Linux the process is what has a priority. */
function threadsOf(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [pid];
  }
}
