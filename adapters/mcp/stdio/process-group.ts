import { readdirSync, readFileSync } from 'node:fs';
import { setImmediate as giveTurn, setTimeout as pause } from 'node:timers/promises';
import { isMarked, type ProcessMark } from './process-mark.ts';

/** Milliseconds that killed processes are given to be gone: the kernel's own work, on a busy machine. */
const PATIENCE_MS = 2000;
const PAUSE_MS = 5;
/** Looks that must find nobody: who is listed in one may start another, and end, before it is looked at. */
const QUIET_LOOKS = 2;

/** Processes that are looked at in one turn of this thread: some two milliseconds, which its other work waits for. */
const LOOKS_PER_TURN = 64;
/** Of threads of the kernel, which are most of what Linux lists as processes. */
const NO_GROUP = 0;

/** The processes of one server. */
export interface ServerProcesses {
  /** Of the server and its watcher. */
  readonly group: number;
  /** Of everything that the server started; null where nothing can be marked. */
  readonly mark: ProcessMark | null;
}

/**
 * Kills every process of a server, in any group or session, and sees them dead; false where one was not in time. First
 * those that left the group, so that the watcher, which is in it, does the same should this process be killed
 * meanwhile.
 */
export async function killAll(processes: ServerProcesses): Promise<boolean> {
  await killStrays(processes);
  // The watcher is of the group and alive, so that its number is nobody else's.
  kill(-processes.group);
  let quiet = 0;
  for (let waited = 0; waited <= PATIENCE_MS; waited += PAUSE_MS) {
    const { isGroupAlive, strays } = await killStrays(processes);
    quiet = isGroupAlive || strays > 0 ? 0 : quiet + 1;
    if (quiet === (processes.mark === null ? 1 : QUIET_LOOKS)) return true;
    if (quiet === 0) await pause(PAUSE_MS);
  }
  return false;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Nobody is there, or nobody whom we may kill; whether that is so is looked at behind.
  }
}

interface Found {
  readonly isGroupAlive: boolean;
  /** How many had left the group. */
  readonly strays: number;
}

/** One look at every process of the system, which kills those with the mark that are in another group. */
async function killStrays({ group, mark }: ServerProcesses): Promise<Found> {
  const pids = listProcesses();
  if (pids === null) return { isGroupAlive: isAddressable(group), strays: 0 };
  let isGroupSeen = false;
  let strays = 0;
  for (const [index, pid] of pids.entries()) {
    if (index > 0 && index % LOOKS_PER_TURN === 0) await giveTurn();
    const found = livingGroupOf(pid);
    if (found === group) isGroupSeen = true;
    else if (found !== null && found !== NO_GROUP && mark !== null && isMarked(textOf(`/proc/${pid}/limits`), mark)) {
      strays += 1;
      kill(pid);
    }
  }
  // Dead processes that their parent has not asked after keep their number.
  return { isGroupAlive: isGroupSeen && isAddressable(group), strays };
}

/** Null where the system does not list them: only Linux does, if it is asked to. */
function listProcesses(): readonly number[] | null {
  if (process.platform !== 'linux') return null;
  try {
    return readdirSync('/proc')
      .filter((name) => /^[0-9]+$/.test(name))
      .map(Number);
  } catch {
    return null;
  }
}

function isAddressable(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch (error) {
    // Somebody is there whom we may not signal.
    return typeof error === 'object' && error !== null && 'code' in error && error.code === 'EPERM';
  }
}

/** Null for a process that is dead, even if its parent has not asked after it. */
function livingGroupOf(pid: number): number | null {
  const stat = textOf(`/proc/${pid}/stat`);
  const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return group === undefined || state === 'Z' || state === 'X' ? null : Number(group);
}

/** Nothing of a process that ended before it was looked at. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
