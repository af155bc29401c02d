import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Process ids of all that a process started, directly or not, while it lives. */
export function descendantsOf(pid: number): readonly number[] {
  const parents = new Map(
    processes().flatMap((each) => {
      const parent = relationsOf(each)?.parent;
      return parent === undefined ? [] : [[each, parent] as const];
    }),
  );
  const found: number[] = [];
  for (let generation = [pid]; generation.length > 0;) {
    generation = [...parents].filter(([, parent]) => generation.includes(parent)).map(([child]) => child);
    found.push(...generation);
  }
  return found;
}

/** Sends a signal to each of them; one may be gone by its turn, as it ends with another. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
}

/** Process ids of a group, of its leader's number. */
export function membersOf(group: number): readonly number[] {
  return processes().filter((pid) => relationsOf(pid)?.group === group && isAlive(pid));
}

/** Process ids of all whose folder is this one, whoever started them. */
export function workingIn(directory: string): readonly number[] {
  return processes().filter((pid) => isAlive(pid) && folderOf(pid) === directory);
}

/** Null for a process that has ended meanwhile, and for one of somebody else. */
function folderOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}

function processes(): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** Null for a process that has ended meanwhile. */
function relationsOf(pid: number): { readonly parent: number; readonly group: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command stands in parentheses and may hold any text: count from its end.
    const [, parent, group] = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    return parent === undefined || group === undefined ? null : { parent, group };
  } catch {
    return null;
  }
}

export function isAlive(pid: number): boolean {
  const text = statusText(pid);
  return text !== null && !/^State:\s+[ZX]/m.test(text);
}

function statusText(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return null;
  }
}
