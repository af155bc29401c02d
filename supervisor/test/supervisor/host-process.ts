import { readFileSync } from 'node:fs';

/**
 * The host itself below what an event of the pool names: where hosts are confined from processes, another one stands
 * between.
 */
export function innermost(pid: number): number {
  const child = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1')
    .split(' ')
    .find((text) => text !== '');
  return child === undefined ? pid : innermost(Number(child));
}
