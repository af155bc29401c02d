import { badState } from './errors.ts';
import { programState } from './fresh.ts';

/**
 * Parallel branches (language.md §11): what was there before a branch can be read in it but not changed, whether it
 * runs in an isolate of its own or in the caller's. Branches are numbered; what can change knows in which one it was
 * made.
 */
export const branch = programState<{
  /** Number of the branch that runs; 0 outside of all. */
  current: number;
  last: number;
  /** What puts back the definitions that the branch made; null outside of all. */
  undo: (() => void)[] | null;
}>(() => ({ current: 0, last: 0, undo: null }));

/** Raises IllegalStateException for something changeable that is older than the branch that runs. */
export function refuseOuter(birth: number, what: string): void {
  if (birth < branch.current) throw badState(`${what} from outside a parallel branch cannot be changed in it`);
}

/** Runs a body as a branch: nothing from outside changes, and its definitions are discarded. */
export function asBranch<T>(body: () => T): T {
  const { current, undo } = branch;
  const own: (() => void)[] = [];
  branch.last += 1;
  branch.current = branch.last;
  branch.undo = own;
  try {
    return body();
  } finally {
    for (const back of own.reverse()) back();
    branch.current = current;
    branch.undo = undo;
  }
}
