import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Of a small disk; a run that leaves that much needs more. */
export const DISK_KILOBYTES = 256;

/** A small file system at a directory. */
export interface SmallDisk {
  readonly grow: () => void;
  readonly unmount: () => void;
}

/** A small file system in memory at a new directory; null where the system does not let this process mount one. */
export function smallDisk(path: string, entries = 1000): SmallDisk | null {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (
    process.platform !== 'linux' ||
    spawnSync('mount', [
      '-t',
      'tmpfs',
      '-o',
      `size=${DISK_KILOBYTES}k,nr_inodes=${entries},mode=0700`,
      'svc-test',
      path,
    ]).status !== 0
  )
    return null;
  return {
    grow: () => {
      execFileSync('mount', ['-o', 'remount,size=16m,nr_inodes=1000', path]);
    },
    unmount: () => {
      execFileSync('umount', ['-l', path]);
    },
  };
}

/** Whether this process may mount one. */
export function isMountable(): boolean {
  const path = join(tmpdir(), `svc-mount-${process.pid}`);
  const disk = smallDisk(path);
  disk?.unmount();
  spawnSync('rmdir', [path]);
  return disk !== null;
}
