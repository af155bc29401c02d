import type { QueueBounds, Share } from '../../contract/fairness/fair-queue.ts';

/**
 * A tenant is a trust domain (decision 41): its name parts host processes, bundles, compilers, missions, threads and places
 * in queues from those of every other.
 */

/** Of whoever names none: the command line, and programs that embed svc for themselves. */
export const LOCAL_TENANT = 'local';

/** What one process takes on, over all tenants (gateway.md §16). */
export interface RunLimits {
  /** Runs and validations at once. */
  readonly maxRuns: number;
  /** Those that wait. */
  readonly maxQueued: number;
}

/** What one tenant may have of it (gateway.md §18). */
export interface TenantPolicy {
  /** 1 to 100: places beside those of other tenants. */
  readonly weight: number;
  readonly maxRuns: number;
  readonly maxQueued: number;
}

export const RUN_LIMITS: RunLimits = { maxRuns: 32, maxQueued: 1000 };

/** Of a tenant that nobody said anything of: not so much that two of them could keep a third from its place. */
const UNKNOWN_TENANT: TenantPolicy = { weight: 1, maxRuns: 4, maxQueued: 100 };
const WEIGHT_MAX = 100;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** What a tenant may have where nobody says otherwise: the one that is alone has all. */
export function defaultPolicy(tenant: string, { maxRuns, maxQueued }: RunLimits): TenantPolicy {
  return tenant === LOCAL_TENANT ? { weight: 1, maxRuns, maxQueued } : UNKNOWN_TENANT;
}

/** How the sandbox knows a tenant: null is the one that shares it with nobody (sandbox/pool/interface.ts). */
export function poolTenant(tenant: string): string | null {
  return tenant === LOCAL_TENANT ? null : tenant;
}

/** 1 to 128 letters, digits, dots, dashes and underscores: what can be a folder, and leads nowhere else. */
export function isTenantName(name: string): boolean {
  return NAME.test(name);
}

/** Throws TypeError for a number that breaks its rule: it is the embedding program's. */
export function shareOf({ weight, maxRuns, maxQueued }: TenantPolicy): Share {
  if (!(weight >= 1 && weight <= WEIGHT_MAX)) throw new TypeError(`the weight of a tenant is 1 to ${WEIGHT_MAX}`);
  if (!isCount(maxRuns, 1) || !isCount(maxQueued, 0)) throw new TypeError('a tenant has one run or more at once, and none or more that wait');
  return { weight, atOnce: maxRuns, waiting: maxQueued };
}

/** Throws TypeError for numbers that leave nothing to run. */
export function boundsOf({ maxRuns, maxQueued }: RunLimits): QueueBounds {
  if (!isCount(maxRuns, 1) || !isCount(maxQueued, 0)) throw new TypeError('there is one run or more at once, and none or more that wait');
  return { atOnce: maxRuns, waiting: maxQueued };
}

function isCount(value: number, least: number): boolean {
  return Number.isSafeInteger(value) && value >= least;
}
