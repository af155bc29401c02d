import { fairPlaces } from '../../contract/fairness/fair-places.ts';
import type { Refusal, RefusalReason } from '../../contract/fairness/fair-queue.ts';
import type { BoundedSandbox, Sandbox } from '../../sandbox/pool/interface.ts';
import { runStarts } from './run-starts.ts';
import { RUN_LIMITS, boundsOf, defaultPolicy, isTenantName, poolTenant, shareOf } from './tenant.ts';
import type { RunLimits, TenantPolicy } from './tenant.ts';

export interface AdmissionOptions {
  readonly limits?: Partial<RunLimits>;
  /** Asked at each request; by default what `defaultPolicy` says. */
  readonly policy?: (tenant: string) => TenantPolicy | null;
}

export interface Asking {
  readonly tenant: string;
  /** Raised when nobody waits for the run any more: it then begins without a place, to tell of its own end. */
  readonly signal: AbortSignal;
}

export type Admitted<T> = { readonly admitted: true; readonly value: T } | { readonly admitted: false; readonly refusal: RunRefusal };

/** Why a run may not even wait, and when to come again, milliseconds from now; null: it is refused again. */
export interface RunRefusal {
  readonly reason: RefusalReason | 'tenant_unknown';
  readonly retryAfterMs: number | null;
}

/** Which runs of a process go on at once, and which of those that wait are next (gateway.md §18). */
export interface RunAdmission {
  /** `run` is given the sandbox that it is to use. Rejects with what it throws, and with TypeError for a policy that breaks its rules. */
  begin<T>(asking: Asking, run: (sandbox: Sandbox) => Promise<T>): Promise<Admitted<T>>;
  readonly counts: () => { readonly waiting: number; readonly holding: number };
  /** Of those that have or want something. */
  readonly tenants: () => Readonly<Record<string, { readonly running: number; readonly queued: number }>>;
  /** Refuses who waits and who comes; settles when the last run has ended. */
  drain(): Promise<void>;
}

const UNKNOWN = { admitted: false, refusal: { reason: 'tenant_unknown', retryAfterMs: null } } as const;

/** Lets the runs of one sandbox begin. Throws TypeError for limits that leave nothing to run. */
export function runAdmission(sandbox: BoundedSandbox, { limits: given = {}, policy }: AdmissionOptions = {}): RunAdmission {
  const limits = { ...RUN_LIMITS, ...given };
  const places = fairPlaces(boundsOf(limits));
  const starts = runStarts(sandbox);
  const live = new Set<Promise<unknown>>();

  async function begun<T>(tenant: string, run: (sandbox: Sandbox) => Promise<T>): Promise<T> {
    const running = starts.begin(tenant, run);
    live.add(running);
    try {
      return await running;
    } finally {
      live.delete(running);
    }
  }

  /** Why a tenant whose runs wait for as many processes as may begins no other; null: it may. */
  function crowdedOut(tenant: string): Refusal | null {
    const retryAfterMs = sandbox.retryAfterMs(poolTenant(tenant));
    return retryAfterMs === null ? null : { outcome: 'refused', reason: 'tenant_quota', retryAfterMs };
  }

  return {
    async begin({ tenant, signal }, run) {
      if (!isTenantName(tenant)) return UNKNOWN;
      const own = policy === undefined ? defaultPolicy(tenant, limits) : policy(tenant);
      if (own === null) return UNKNOWN;
      const share = shareOf(own);
      const crowded = crowdedOut(tenant);
      if (crowded !== null) return { admitted: false, refusal: crowded };
      const place = await places.take({ tenant, share, signal });
      if (place.outcome === 'refused') return { admitted: false, refusal: place };
      try {
        return { admitted: true, value: await begun(tenant, run) };
      } finally {
        if (place.outcome === 'begins') place.end();
      }
    },
    counts: places.counts,
    tenants: () => Object.fromEntries([...places.byTenant()].map(([name, { holding, waiting }]) => [name, { running: holding, queued: waiting }])),
    async drain() {
      await places.drain();
      // Those that went on without a place.
      await Promise.allSettled(live);
    },
  };
}
