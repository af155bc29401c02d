import { setTimeout as after } from 'node:timers/promises';
import type { RunReference } from '../../../contract/run-reference.ts';
import type { JobEngine, JobRequest, Lease, Settle } from '../engine/interface.ts';
import { createStoredJob, newJob } from '../engine/new-job.ts';
import type { Preparation } from '../../application/prepared/prepared-application.ts';
import type { RunEvents } from '../../evidence/run-events/run-events.ts';
import type { ArtifactStore, RunJournal, RunRecord } from '../stores/interface.ts';
import { LOCAL_TENANT, isTenantName, type TenantPolicy } from '../../platform/tenant.ts';
import { performJob } from '../jobs/perform-job.ts';
import { openRecordedRun } from './recorded-run.ts';
import { refuseRun } from './results.ts';
import { runHandle, runNameOf } from './run-handle.ts';
import { checkRequest } from './runs.ts';
import type { PreparedApplication, RunFinished, RunHandle, RunRequest, RunResult } from '../embedding/types.ts';

/** What runs that an engine delivers are asked for and performed with. */
export interface EngineRunsSetting {
  readonly engine: JobEngine;
  /** Of that engine. */
  readonly journal: RunJournal;
  readonly store: ArtifactStore | null;
  /** Runs at once that are performed here. */
  readonly slots: number;
  /** Performs a run here. */
  readonly run: (application: PreparedApplication, request: RunRequest) => RunHandle;
  /** Of this supervisor; null: it has none of that content. */
  readonly applicationOf: (contentDigest: string, tenant: string) => PreparedApplication | null;
  /** Contents of which it has one: runs of others are left to who has them. */
  readonly digests: () => readonly string[];
  /** Null for an application that is not of this supervisor. */
  readonly preparationOf: (application: PreparedApplication) => Preparation | null;
  readonly policy: (tenant: string) => Partial<TenantPolicy> | null;
}

/**
 * Runs by way of an engine (gateway.md §19): asked for here, performed by any runner that takes them, here or
 * elsewhere.
 */
export interface EngineRuns {
  readonly begin: (application: PreparedApplication, request?: RunRequest) => RunHandle;
  /** Takes no more, cancels what waits and was asked for here, and lets what goes on here come to its end. */
  drain(graceMs: number): Promise<void>;
}

/** A run that was asked for here and whose end is not known yet. */
interface AwaitedRun {
  readonly runRef: RunReference;
  readonly events: RunEvents;
  readonly ended: PromiseWithResolvers<RunResult>;
  /** How it ended here, by its attempt. */
  here: RunFinished<unknown> | null;
  /** Who wants it to end, the first of them; null: nobody. */
  stoppedBy: 'caller' | 'deadline' | 'drain' | null;
}

/** Between two looks at the record of one run: of those that ended here, and of all others together. */
const LOOK_MS = 20;
const ROUND_MS = 200;
const ENDS: ReadonlySet<RunRecord['state']> = new Set(['finished', 'cancelled', 'lost']);
const RETRY_ENGINE_MS = 1000;

/** Begins to take runs. */
export function engineRuns(setting: EngineRunsSetting): EngineRuns {
  const { engine, journal, store } = setting;
  const awaited = new Map<RunReference, AwaitedRun>();
  const closing = new AbortController();
  let isDraining = false;
  const worker = engine.work(
    { slots: setting.slots, serves: () => setting.digests().map((applicationDigest) => ({ applicationDigest })) },
    perform,
  );
  const watching = watch();

  async function perform(lease: Lease): Promise<Settle> {
    const application = setting.applicationOf(lease.job.applicationDigest, lease.job.tenant);
    if (application === null) throw new Error('an application that this supervisor does not have');
    const awaitedRun = awaited.get(lease.job.runRef);
    const run = (own: PreparedApplication, request: RunRequest = {}): RunHandle => {
      const handle = setting.run(own, {
        ...request,
        onEvent: (event) => {
          void request.onEvent?.(event);
          if (event.event !== 'queued' && event.event !== 'finished')
            awaitedRun?.events.report(event.event, event.data);
        },
      });
      return {
        ...handle,
        result: handle.result.then((end) => {
          if (awaitedRun !== undefined && end.kind === 'finished')
            awaitedRun.here = { ...end, cancelled: end.cancelled && lease.signal.reason === 'cancelled' };
          return end;
        }),
      };
    };
    const settled = await performJob({ supervisor: { run }, application, store }, lease);
    if (awaitedRun !== undefined) void lookSoon(awaitedRun);
    return settled;
  }

  /** Until its record says how it ended: the row decides, not we (gateway.md §20). */
  async function lookSoon(awaitedRun: AwaitedRun): Promise<void> {
    while (isAwaited(awaitedRun) && !closing.signal.aborted && !(await look(awaitedRun)))
      await after(LOOK_MS, undefined, { signal: closing.signal }).catch(() => undefined);
  }
  async function look(awaitedRun: AwaitedRun): Promise<boolean> {
    const record = await journal.get(awaitedRun.runRef).catch(() => null);
    if (record === null || !ENDS.has(record.state)) return false;
    const isOurs = awaitedRun.here !== null && awaitedRun.here.attempt === record.epoch && record.state !== 'lost';
    const end =
      isOurs && awaitedRun.here !== null ? awaitedRun.here : await openRecordedRun(record, store).catch(() => null);
    if (end === null) return false;
    unregister(awaitedRun);
    awaitedRun.ended.resolve(
      end.kind === 'refused'
        ? end
        : {
            ...end,
            cancelled: end.cancelled && awaitedRun.stoppedBy !== 'deadline' && awaitedRun.stoppedBy !== 'drain',
          },
    );
    return true;
  }
  /**
   * The run of its name may be another request by now: this one was refused, and the next came while its record was
   * looked at.
   */
  function isAwaited(awaitedRun: AwaitedRun): boolean {
    return awaited.get(awaitedRun.runRef) === awaitedRun;
  }
  function unregister(awaitedRun: AwaitedRun): void {
    if (isAwaited(awaitedRun)) awaited.delete(awaitedRun.runRef);
  }
  async function watch(): Promise<void> {
    while (!closing.signal.aborted) {
      for (const awaitedRun of awaited.values()) await look(awaitedRun);
      await after(ROUND_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  async function toItsEnd(
    application: PreparedApplication,
    request: RunRequest,
    events: RunEvents,
    {
      runRef,
      unwanted,
      policy,
    }: { readonly runRef: RunReference; readonly unwanted: AbortSignal; readonly policy: Partial<TenantPolicy> | null },
  ): Promise<RunResult> {
    if (policy === null) return refuseRun({ runRef }, 'tenant_unknown');
    if (setting.preparationOf(application) === null) return refuseRun({ runRef }, 'prepared_stale');
    if (isDraining) return refuseRun({ runRef }, 'draining');
    const awaitedRun: AwaitedRun = { runRef, events, ended: Promise.withResolvers(), here: null, stoppedBy: null };
    if (awaited.has(runRef)) return refuseRun({ runRef }, 'run_ref_conflict');
    // Before it is entered: it may be ours at once.
    awaited.set(runRef, awaitedRun);
    const outcome = await enter(application, request, runRef, policy).catch((error: unknown) =>
      error instanceof RangeError || error instanceof TypeError ? 'input_invalid' : 'unavailable',
    );
    if (outcome !== 'accepted' && outcome !== 'duplicate') {
      unregister(awaitedRun);
      return outcome === 'unavailable'
        ? refuseRun({ runRef }, outcome, { retryAfterMs: RETRY_ENGINE_MS })
        : refuseRun({ runRef }, outcome === 'conflict' ? 'run_ref_conflict' : 'input_invalid');
    }
    events.report('queued');
    return bounded(awaitedRun, unwanted, request);
  }

  async function enter(
    application: PreparedApplication,
    request: RunRequest,
    runRef: RunReference,
    { weight, maxRuns }: Partial<TenantPolicy>,
  ): Promise<'accepted' | 'duplicate' | 'conflict'> {
    const { tenant = LOCAL_TENANT, principal, input, inputClass, artifacts, limits, traceparent } = request;
    const job: JobRequest = {
      runRef,
      tenant,
      applicationDigest: application.contentDigest,
      ...(principal === undefined ? {} : { principal }),
      ...(traceparent === undefined ? {} : { traceparent }),
      ...(input === undefined ? {} : { input }),
      ...(inputClass === undefined ? {} : { inputClass }),
      ...(artifacts === undefined ? {} : { artifacts }),
      ...(limits === undefined ? {} : { runLimits: limits }),
      ...(weight === undefined ? {} : { weight }),
      ...(maxRuns === undefined ? {} : { limits: { maxRuns } }),
    };
    return engine.enqueue(store === null ? newJob(job) : await createStoredJob(job, store));
  }

  /** The deadline is of this process' monotonic clock, also while the run waits: clocks of others may be wrong. */
  async function bounded(
    awaitedRun: AwaitedRun,
    unwanted: AbortSignal,
    { deadlineMs }: RunRequest,
  ): Promise<RunResult> {
    const cancel = (): void => void stop(awaitedRun, 'caller');
    const late = deadlineMs === undefined ? null : setTimeout(() => void stop(awaitedRun, 'deadline'), deadlineMs);
    // What its caller wanted while it was still being entered is done now: before, nobody would have known of the run.
    if (unwanted.aborted) cancel();
    unwanted.addEventListener('abort', cancel, { once: true });
    try {
      return await awaitedRun.ended.promise;
    } finally {
      if (late !== null) clearTimeout(late);
      unwanted.removeEventListener('abort', cancel);
    }
  }

  /** Until the engine has heard of it, or the run has ended: a database that is away comes back. */
  async function stop(awaitedRun: AwaitedRun, by: NonNullable<AwaitedRun['stoppedBy']>): Promise<void> {
    awaitedRun.stoppedBy ??= by;
    while (
      isAwaited(awaitedRun) &&
      !closing.signal.aborted &&
      (await engine.cancel(awaitedRun.runRef).catch(() => null)) === null
    ) {
      await after(RETRY_ENGINE_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  return {
    begin(application, request = {}) {
      const { effectGate, attempt, providers, startWithinMs, witness, onApproval, asker, outerPlace } = request;
      const runRef = runNameOf(request);
      const ofTheEngine = [effectGate, attempt, providers, startWithinMs, witness, onApproval, asker, outerPlace];
      if (ofTheEngine.some((input) => input !== undefined))
        throw new TypeError(
          "of a run that an engine delivers, gates, approvals, attempts, witnesses, providers and waits are the engine's",
        );
      checkRequest(setting.preparationOf(application), request);
      const { tenant = LOCAL_TENANT } = request;
      const policy = isTenantName(tenant) ? setting.policy(tenant) : null;
      const own = new AbortController();
      const unwanted = request.signal === undefined ? own.signal : AbortSignal.any([own.signal, request.signal]);
      return runHandle(runRef, request, {
        perform: async (events) => {
          const cancelling = (): void => events.report('cancelling');
          unwanted.addEventListener('abort', cancelling, { once: true });
          const end = await toItsEnd(application, request, events, { runRef, unwanted, policy });
          unwanted.removeEventListener('abort', cancelling);
          return end;
        },
        stop: (_events, reason) => {
          own.abort(reason);
        },
      });
    },
    async drain(graceMs) {
      isDraining = true;
      await Promise.all([...awaited.values()].map((awaitedRun) => cancelQueued(awaitedRun)));
      await worker.close({ graceMs });
      for (const awaitedRun of awaited.values()) await look(awaitedRun);
      closing.abort();
      await watching;
      // They go on elsewhere; their record will report.
      for (const { runRef, ended } of awaited.values())
        ended.resolve(refuseRun({ runRef }, 'unavailable', { retryAfterMs: RETRY_ENGINE_MS }));
      awaited.clear();
    },
  };

  async function cancelQueued(awaitedRun: AwaitedRun): Promise<void> {
    const record = await journal.get(awaitedRun.runRef).catch(() => null);
    if (record?.state !== 'accepted') return;
    awaitedRun.stoppedBy ??= 'drain';
    await engine.cancel(awaitedRun.runRef).catch(() => undefined);
  }
}
