import { readFileSync } from 'node:fs';
import { childrenOf } from './child-processes.ts';

/**
 * Bytes of memory that a process and those below it really hold, shared ones included; 0 where it has ended, or the
 * system does not report.
 */
export function residentBytes(pid: number | undefined): number {
  if (pid === undefined) return 0;
  return ownBytes(pid) + childrenOf(pid).reduce((sum, child) => sum + residentBytes(child), 0);
}

function ownBytes(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
