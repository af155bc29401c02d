import { readFileSync } from 'node:fs';
import { childrenOf } from './child-processes.ts';

/** Milliseconds between two looks at a host. */
export const LOOK_MS = 1000;
/** Looks in a row that find a host stopped before it is given up: anyone who goes on with it at once does no harm. */
export const STOPPED_LOOKS = 3;

export interface Look {
  /** Whether somebody waits for it. */
  readonly owesAnswer: boolean;
  readonly isStopped: boolean;
}

/** Whether a host is given up, look by look. */
export function stopWatch(): (look: Look) => boolean {
  let found = 0;
  return ({ owesAnswer, isStopped }) => {
    found = owesAnswer && isStopped ? found + 1 : 0;
    return found >= STOPPED_LOOKS;
  };
}

/**
 * The state of a process that a signal stopped (SIGSTOP), which is no other: one that the machine gives no turn is
 * runnable.
 */
const STOPPED = 'T';
/** After its number and its name in parentheses, which may hold any character. */
const STATE = /\) (\S)[^)]*$/;

/**
 * Whether somebody stopped a process, or one below it: what starts a confined host is its parent. False where the
 * system does not report, and of one that a debugger holds.
 */
export function isStopped(
  pid: number | undefined,
  read: (path: string) => string = (path) => readFileSync(path, 'latin1'),
  children = childrenOf,
): boolean {
  if (pid === undefined) return false;
  return stateOf(pid, read) === STOPPED || children(pid).some((child) => isStopped(child, read, children));
}

function stateOf(pid: number, read: (path: string) => string): string | undefined {
  try {
    return STATE.exec(read(`/proc/${pid}/stat`))?.[1];
  } catch {
    // It has ended, or this is another system.
    return undefined;
  }
}
