import { readFile, readdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { isMarked, type ProcessMark } from './process-mark.ts';

/** Milliseconds that killed processes are given to be gone: the kernel's own work, on a busy machine. */
const PATIENCE_MS = 2000;
const PAUSE_MS = 5;
/** Looks that must find nobody: who is listed in one may start another, and end, before it is looked at. */
const QUIET_LOOKS = 2;

/** The processes of one server. */
export interface ServerProcesses {
  /** Of the server and its watcher. */
  readonly group: number;
  /** Of everything that the server started; null where nothing can be marked. */
  readonly mark: ProcessMark | null;
}

/**
 * Kills every process of a server, wherever it went, and sees them dead; false where one was not in time. First those
 * that left the group, so that the watcher, which is in it, does the same should this process be killed meanwhile.
 */
export async function killAll({ group, mark }: ServerProcesses): Promise<boolean> {
  for (const { pid } of await findStrays(group, mark)) kill(pid);
  // The watcher is of the group and alive, so that its number is nobody else's.
  kill(-group);
  let quiet = 0;
  for (let waited = 0; waited <= PATIENCE_MS; waited += PAUSE_MS) {
    const isGroupDead = await groupIsDead(group);
    const left = await findStrays(group, mark);
    quiet = isGroupDead && left.length === 0 ? quiet + 1 : 0;
    if (quiet === (mark === null ? 1 : QUIET_LOOKS)) return true;
    for (const { pid } of left) kill(pid);
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

async function groupIsDead(group: number): Promise<boolean> {
  if (!isAddressable(group)) return true;
  // Dead processes that their parent has not asked after keep their number; only Linux tells them apart.
  return process.platform === 'linux' && !(await findLiving()).some((each) => each.group === group);
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

interface LivingProcess {
  readonly pid: number;
  readonly group: number;
}

/** Those with the mark that are in another group. */
async function findStrays(group: number, mark: ProcessMark | null): Promise<readonly LivingProcess[]> {
  if (mark === null) return [];
  const others = (await findLiving()).filter((each) => each.group !== group);
  const marked = await Promise.all(
    others.map(async ({ pid }) => isMarked(await readFile(`/proc/${pid}/limits`, 'utf8').catch(() => ''), mark)),
  );
  return others.filter((_, index) => marked[index]);
}

async function findLiving(): Promise<readonly LivingProcess[]> {
  const names = (await readdir('/proc')).filter((name) => /^[0-9]+$/.test(name));
  const all = await Promise.all(names.map(async (name) => findLivingProcess(Number(name))));
  return all.filter((each) => each !== null);
}

async function findLivingProcess(pid: number): Promise<LivingProcess | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' || state === 'X' ? null : { pid, group: Number(group) };
  } catch {
    // It ended while it was looked at.
    return null;
  }
}
