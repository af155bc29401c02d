import { LONGEST_TIMER_MS } from '../../../contract/limits/longest-timer.ts';
import type { RunPlace } from '../../calls/approvals/leased-place.ts';
import { makeFairSlots, type FairSlots } from '../../platform/fairness/fair-places.ts';
import type { QueueRefusalReason } from '../../platform/fairness/fair-queue.ts';
import type { BoundedSandbox, Sandbox } from '../../../sandbox/pool/interface.ts';
import { queuedBytes } from './queued-bytes.ts';
import { runStarts } from './run-starts.ts';
import {
  RUN_LIMITS,
  boundsOf,
  defaultPolicy,
  isTenantName,
  policyOf,
  poolTenant,
  shareOf,
  type RunLimits,
  type TenantPolicy,
} from '../../platform/tenant.ts';
import { runSlot, type RunSlot } from './run-slot.ts';

export interface AdmissionOptions {
  readonly limits?: Partial<RunLimits>;
  /** Asked at each request; by default what `defaultPolicy` says. Null: there is no such tenant. */
  readonly policy?: (tenant: string) => Partial<TenantPolicy> | null;
  /** Milliseconds of the monotonic clock. */
  readonly now?: () => number;
}

export interface Asking {
  readonly tenant: string;
  /** Raised when nobody waits for the run any more: it then begins without a place, to report on its own end. */
  readonly signal: AbortSignal;
  /** Of its input, held while it waits. */
  readonly bytes?: number;
  /** Milliseconds of the monotonic clock by which it must have started; null: whenever it may. */
  readonly startBy?: number | null;
  /** What its tenant may have, where that was asked for already; as `policy` of the admission gives it. */
  readonly policy?: Partial<TenantPolicy> | null;
}

export type Admitted<T> =
  | { readonly admitted: true; readonly value: T }
  | { readonly admitted: false; readonly refusal: RunRefusal };

/** Why a run may not even wait, and when to come again, milliseconds from now; null: it is refused again. */
export interface RunRefusal {
  readonly reason: QueueRefusalReason | 'tenant_unknown' | 'deadline_unreachable';
  readonly retryAfterMs: number | null;
}

/** Which runs of a process go on at once, and which of those that wait are next (gateway.md §18). */
export interface RunAdmission {
  /**
   * `run` is given the sandbox that it is to use, what its tenant may have, and the place that it may give up while it
   * has nothing to do. Rejects with what it throws, and with
   * TypeError for a policy that breaks its rules.
   */
  begin<T>(
    asking: Asking,
    run: (sandbox: Sandbox, policy: TenantPolicy, place: RunPlace) => Promise<T>,
  ): Promise<Admitted<T>>;
  /** Runs that gave their place up and have it not again yet. */
  readonly resting: () => number;
  readonly counts: FairSlots['counts'];
  /** Of those that have or want something. */
  readonly tenants: () => Readonly<Record<string, { readonly running: number; readonly queued: number }>>;
  /** The queue, for anyone who has to empty it. */
  readonly places: Pick<FairSlots, 'pause' | 'resume' | 'shed' | 'counts'>;
  /** Refuses who waits and who comes; settles when the last run has ended. */
  drain(): Promise<void>;
}

const refusedFor = (reason: RunRefusal['reason'], retryAfterMs: number | null = null): Admitted<never> => ({
  admitted: false,
  refusal: { reason, retryAfterMs },
});
/** When inputs that wait have left their place: nobody knows, so soon. */
const RETRY_BYTES_MS = 1000;

/** Lets the runs of one sandbox begin. Throws TypeError for limits that leave nothing to run. */
export function runAdmission(
  sandbox: BoundedSandbox,
  { limits: input = {}, policy: said, now = () => performance.now() }: AdmissionOptions = {},
): RunAdmission {
  const limits = { ...RUN_LIMITS, ...input };
  const places = makeFairSlots(boundsOf(limits), now);
  const starts = runStarts(sandbox);
  const acquired = queuedBytes(limits.maxQueuedBytes);
  const live = new Set<Promise<unknown>>();
  const slots = new Set<RunSlot>();

  function policyFor({ tenant, policy }: Asking): TenantPolicy | null {
    if (!isTenantName(tenant)) return null;
    if (policy === undefined && said === undefined) return defaultPolicy(tenant, limits);
    const own = policy === undefined ? (said?.(tenant) ?? null) : policy;
    return own === null ? null : policyOf(own);
  }

  async function beginRun<T>(tenant: string, run: (sandbox: Sandbox) => Promise<T>): Promise<T> {
    const running = starts.begin(tenant, run);
    live.add(running);
    try {
      return await running;
    } finally {
      live.delete(running);
    }
  }

  /** Waits for a place, no longer than the run may wait. */
  async function placeFor(
    { tenant, signal, startBy = null }: Asking,
    policy: TenantPolicy,
  ): Promise<Awaited<ReturnType<FairSlots['take']>> | 'late'> {
    const late = new AbortController();
    const timer =
      startBy === null
        ? null
        : setTimeout(() => late.abort(), Math.min(LONGEST_TIMER_MS, Math.max(0, startBy - now())));
    try {
      const place = await places.take({
        tenant,
        share: shareOf(policy),
        signal: startBy === null ? signal : AbortSignal.any([signal, late.signal]),
      });
      return place.outcome === 'gone' && !signal.aborted ? 'late' : place;
    } finally {
      if (timer !== null) clearTimeout(timer);
    }
  }

  return {
    async begin(asking, run) {
      const { tenant, bytes = 0 } = asking;
      const policy = policyFor(asking);
      if (policy === null) return refusedFor('tenant_unknown');
      if (policy.suspended) return refusedFor('tenant_quota');
      const crowded = sandbox.retryAfterMs(poolTenant(tenant));
      if (crowded !== null) return refusedFor('tenant_quota', crowded);
      const full = acquired.hold(tenant, bytes, policy.maxQueuedBytes);
      if (full !== null) return refusedFor(full, RETRY_BYTES_MS);
      const place = await placeFor(asking, policy).finally(() => acquired.release(tenant, bytes));
      if (place === 'late') return refusedFor('deadline_unreachable');
      if (place.outcome === 'refused') return refusedFor(place.reason, place.retryAfterMs);
      const share = shareOf(policy);
      const own = runSlot(
        (again) => places.take({ tenant, share, signal: again, isBack: true }),
        place.outcome === 'begins' ? place.end : null,
      );
      slots.add(own);
      try {
        return { admitted: true, value: await beginRun(tenant, (granted) => run(granted, policy, own.place)) };
      } finally {
        slots.delete(own);
        own.end();
      }
    },
    resting: () => [...slots].filter((slot) => slot.isResting()).length,
    counts: places.counts,
    tenants: () =>
      Object.fromEntries(
        [...places.byTenant()].map(([name, { holding, waiting }]) => [name, { running: holding, queued: waiting }]),
      ),
    places,
    async drain() {
      await places.drain();
      // Those that went on without a place.
      await Promise.allSettled(live);
    },
  };
}
