import { readFileSync } from 'node:fs';

/**
 * The processes that a process started; what starts a confined host is its parent. None where the system does not say.
 */
export function childrenOf(pid: number): readonly number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ');
    return children.filter((child) => child !== '').map(Number);
  } catch {
    return [];
  }
}
