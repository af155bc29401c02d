import type { QueueBounds, Share } from './fairness/fair-queue.ts';

/**
 * A tenant is a trust domain (gateway.md §17): its name parts host processes, bundles, compilers, missions, threads and
 * places in queues from those of every other.
 */

/** Of anyone who names none: the command line, and programs that embed svc for themselves. */
export const LOCAL_TENANT = 'local';

/** What one process takes on, over all tenants (gateway.md §16). */
export interface RunLimits {
  /** Runs at once. */
  readonly maxRuns: number;
  /** Those that wait. */
  readonly maxQueued: number;
  /** Bytes of their inputs. */
  readonly maxQueuedBytes: number;
  /** Live calls of models at once, and those that wait for a place. */
  readonly maxProviderCalls: number;
  readonly maxWaitingCalls: number;
  /** Sessions that are open at once. */
  readonly maxSessions: number;
}

/** What one tenant may have of it (gateway.md §18); null is no bound of its own. */
export interface TenantPolicy {
  /** 1 to 100: places beside those of other tenants. */
  readonly weight: number;
  readonly maxRuns: number;
  readonly maxQueued: number;
  readonly maxQueuedBytes: number | null;
  readonly maxProviderCalls: number | null;
  /** Runs that may begin in a minute on the average, and at once after a while. */
  readonly startsPerMinute: number | null;
  readonly burst: number;
  /** Of a day of UTC, over all its runs. */
  readonly llmTokensPerDay: number | null;
  readonly costMicrousdPerDay: number | null;
  /** Of all artifacts that it left. */
  readonly artifactBytes: number | null;
  /** `process-per-run`: no two of its runs are in one process. */
  readonly isolation: Isolation;
  /** None of it begins. */
  readonly suspended: boolean;
}

/** Which runs may share a sandbox process: those of one tenant, or none. */
export type Isolation = 'process' | 'process-per-run';

export const RUN_LIMITS: RunLimits = {
  maxRuns: 32,
  maxQueued: 1000,
  maxQueuedBytes: 64_000_000,
  maxProviderCalls: 64,
  maxWaitingCalls: 256,
  maxSessions: 64,
};

/** Of a tenant of which nothing else is said: not so much that two of them could keep a third from its place. */
const DEFAULT_POLICY: TenantPolicy = {
  weight: 1,
  maxRuns: 4,
  maxQueued: 100,
  maxQueuedBytes: null,
  maxProviderCalls: null,
  startsPerMinute: null,
  burst: 1,
  llmTokensPerDay: null,
  costMicrousdPerDay: null,
  artifactBytes: null,
  isolation: 'process',
  suspended: false,
};
const WEIGHT_MAX = 100;
const MINUTE_MS = 60_000;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** What a tenant may have where nobody says otherwise: the one that is alone has all. */
export function defaultPolicy(tenant: string, { maxRuns, maxQueued }: RunLimits): TenantPolicy {
  return tenant === LOCAL_TENANT ? { ...DEFAULT_POLICY, maxRuns, maxQueued } : DEFAULT_POLICY;
}

/** How the sandbox knows a tenant: null is the one that shares it with nobody (sandbox/pool/interface.ts). */
export function poolTenant(tenant: string): string | null {
  return tenant === LOCAL_TENANT ? null : tenant;
}

/** 1 to 128 letters, digits, dots, dashes and underscores: what can be a folder, and leads nowhere else. */
export function isTenantName(name: string): boolean {
  return NAME.test(name);
}

/**
 * What is said of a tenant, the rest by default. Throws TypeError for a number that breaks its rule: it is the
 * embedding program's.
 */
export function policyOf(said: Partial<TenantPolicy>, defaults: TenantPolicy = DEFAULT_POLICY): TenantPolicy {
  const policy = { ...defaults, ...said };
  if (!(policy.weight >= 1 && policy.weight <= WEIGHT_MAX))
    throw new TypeError(`the weight of a tenant is 1 to ${WEIGHT_MAX}`);
  if (!isCount(policy.maxRuns, 1) || !isCount(policy.maxQueued, 0))
    throw new TypeError('a tenant has one run or more at once, and none or more that wait');
  for (const name of ['maxQueuedBytes', 'llmTokensPerDay', 'costMicrousdPerDay', 'artifactBytes'] as const) {
    const value = policy[name];
    if (value !== null && !isCount(value, 0)) throw new TypeError(`${name} of a tenant is a whole number or null`);
  }
  for (const name of ['maxProviderCalls', 'startsPerMinute', 'burst'] as const) {
    const value = policy[name];
    if (value !== null && !isCount(value, 1)) throw new TypeError(`${name} of a tenant is 1 or more`);
  }
  if (policy.isolation !== 'process' && policy.isolation !== 'process-per-run')
    throw new TypeError('the isolation of a tenant is process or process-per-run');
  return policy;
}

/** Its share of the places for runs. */
export function shareOf({ weight, maxRuns, maxQueued, startsPerMinute, burst }: TenantPolicy): Share {
  return {
    weight,
    atOnce: maxRuns,
    waiting: maxQueued,
    ...(startsPerMinute === null ? {} : { rate: { everyMs: MINUTE_MS / startsPerMinute, burst } }),
  };
}

/** Throws TypeError for numbers that leave nothing to run. */
export function boundsOf({
  maxRuns,
  maxQueued,
  maxQueuedBytes,
  maxProviderCalls,
  maxWaitingCalls,
  maxSessions,
}: RunLimits): QueueBounds {
  if (!isCount(maxRuns, 1) || !isCount(maxQueued, 0))
    throw new TypeError('there is one run or more at once, and none or more that wait');
  if (!isCount(maxQueuedBytes, 0)) throw new TypeError('inputs that wait have none or more bytes');
  if (!isCount(maxProviderCalls, 1) || !isCount(maxWaitingCalls, 0))
    throw new TypeError('one provider call or more goes on at once, and none or more wait');
  if (!isCount(maxSessions, 0)) throw new TypeError('none or more sessions are open at once');
  return { atOnce: maxRuns, waiting: maxQueued };
}

function isCount(value: number, least: number): boolean {
  return Number.isSafeInteger(value) && value >= least;
}
