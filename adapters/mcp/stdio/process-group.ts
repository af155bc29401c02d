import { readFile, readdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds that killed processes are given to be gone: the kernel's own work, on a busy machine. */
const PATIENCE_MS = 2000;
const PAUSE_MS = 5;

/** Whether every process of a group that was killed is seen dead. */
export async function groupHasEnded(group: number): Promise<boolean> {
  for (let waited = 0; waited <= PATIENCE_MS; waited += PAUSE_MS) {
    if (!isAddressable(group) || !(await hasLiving(group))) return true;
    await pause(PAUSE_MS);
  }
  return false;
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

/** Dead processes that their parent has not asked after keep their number; only Linux tells them apart. */
async function hasLiving(group: number): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  const names = await readdir('/proc');
  const living = await Promise.all(names.filter((name) => /^[0-9]+$/.test(name)).map(async (name) => isLiving(name, group)));
  return living.includes(true);
}

async function isLiving(process: string, group: number): Promise<boolean> {
  try {
    const stat = await readFile(`/proc/${process}/stat`, 'utf8');
    const [state, , ofGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(ofGroup) === group && state !== 'Z' && state !== 'X';
  } catch {
    // It ended while it was looked at.
    return false;
  }
}
