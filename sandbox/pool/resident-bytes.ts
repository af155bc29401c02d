import { readFileSync } from 'node:fs';

/** Bytes of memory that a process really holds, shared ones included; 0 where it has ended, or the system does not tell. */
export function residentBytes(pid: number | undefined): number {
  if (pid === undefined) return 0;
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
