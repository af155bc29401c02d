/** A group of processes whose processor time the kernel counts together, those that nobody waited for included. */
import { mkdtempSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ProcessorGroup {
  /** The file in which the kernel keeps the count (processor-time.ts). */
  readonly statPath: string;
  /** Puts a process into the group, and with it all that it starts from then on. */
  readonly add: (pid: number) => void;
  readonly close: () => void;
}

/** Null where the system has no groups, or lets this user make none. */
export function openProcessorGroup(parent = findOwnGroup()): ProcessorGroup | null {
  if (parent === null) return null;
  try {
    const folder = mkdtempSync(join(parent, 'svc-test-'));
    const statPath = join(folder, 'cpu.stat');
    readFileSync(statPath);
    return {
      statPath,
      add: (pid) => ignoreFaults(() => writeFileSync(join(folder, 'cgroup.procs'), String(pid))),
      // The kernel refuses while something runs in it; then the empty folder stays until the machine ends.
      close: () => ignoreFaults(() => rmdirSync(folder)),
    };
  } catch {
    return null;
  }
}

/** The folder of the group of this process, in the second version of the kernel's interface. */
function findOwnGroup(): string | null {
  try {
    const [, mounted] = /^\S+ (\S+) cgroup2 /m.exec(readFileSync('/proc/self/mounts', 'utf8')) ?? [];
    const [, path] = /^0::(\S+)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8')) ?? [];
    return mounted === undefined || path === undefined ? null : join(mounted, path);
  } catch {
    return null;
  }
}

/** A process may have ended meanwhile. */
function ignoreFaults(act: () => void): void {
  try {
    act();
  } catch {
    // Its time is then not counted.
  }
}
