import type { EnvironmentKind } from '../../contract/sandbox-protocol.ts';

/** Of a number of places that are never taken back: how many are taken, and how many of them by who asks. */
export interface Shared {
  readonly max: number;
  readonly used: number;
  readonly own: number;
}

/** Places that one may have for each that is free. */
const FOR_EACH_FREE = 2;

/**
 * Whether one that has `own` of the places may have another: while it has less than twice as many as are free, and
 * leaves one. What it has may be held without an end, and still one that comes later finds some free: alone it comes to
 * two thirds of them, beside others to as much as they, without anyone knowing how many there are.
 */
export function mayHaveMore({ max, used, own }: Shared): boolean {
  const free = max - used;
  return own === 0 ? free > 0 : free > 1 && own < FOR_EACH_FREE * free;
}

export interface SharedHosts extends Shared {
  /** Those that are for workflows. */
  readonly workflows: number;
  /** Whether who asks shares the hosts with nobody. */
  readonly isAlone: boolean;
}

/**
 * The fewest host processes with which anything runs: for a workflow, for its missions, and one that is left for
 * another tenant.
 */
export const LEAST_HOSTS = 3;

/**
 * Whether another host process may be given to who asks. Half of them at most are for workflows: a workflow holds its
 * own while it waits for one of its missions', so that workflows in all of them would wait for each other without an
 * end.
 */
export function mayHaveHost({ isAlone, workflows, ...shared }: SharedHosts, environment: EnvironmentKind): boolean {
  if (environment === 'workflow' && workflows >= Math.floor(shared.max / 2)) return false;
  return isAlone ? shared.used < shared.max : mayHaveMore(shared);
}
