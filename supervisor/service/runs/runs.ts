import type { Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { success, type Success } from '../../../contract/outcome.ts';
import { readTraceparent } from '../../../contract/traceparent.ts';
import type { RunReference } from '../../../contract/run-reference.ts';
import { narrowLimits } from '../../documents/limits/resolve.ts';
import type { Preparation } from '../../application/prepared/prepared-application.ts';
import type { ProgramRun } from '../../code/session/session.ts';
import type { RunEvents } from '../../evidence/run-events/run-events.ts';
import type { DayBudgets } from '../tenants/day-budgets.ts';
import type { RunAdmission } from '../tenants/run-admission.ts';
import type { StoredBytes } from '../tenants/stored-bytes.ts';
import { LOCAL_TENANT, isTenantName, type TenantPolicy } from '../../platform/tenant.ts';
import type { ArtifactUploads } from './artifact-uploads.ts';
import { describeFinishedRun } from './finished.ts';
import { inputBytes } from './input-bytes.ts';
import { artifactsOf, openUploads, performPrepared, type StartedRun } from './one-run.ts';
import type { ProviderPool, ProviderShare } from './provider-pool.ts';
import type { RunSetting } from './run-setting.ts';
import { dayBounds, sandboxOfOneRun, spendingOf, worstSpending } from './quotas.ts';
import { refuseRun } from './results.ts';
import { runHandle, runNameOf } from './run-handle.ts';
import { runNames } from './run-names.ts';
import type { RunRecording, RunRecords } from './run-records.ts';
import type { PreparedApplication, RunFinished, RunHandle, RunRequest, RunResult } from '../embedding/types.ts';

/** What the runs of one supervisor share. */
export interface RunsSetting extends RunSetting {
  readonly preparationOf: (application: PreparedApplication) => Preparation | null;
  readonly shareOf: ProviderPool['shareOf'];
  readonly admission: RunAdmission;
  /**
   * Null: there is no such tenant. Throws what the embedding program's own function throws, and TypeError for what it
   * should not give.
   */
  readonly policy: (tenant: string) => Partial<TenantPolicy> | null;
  /** Whether there is no memory for another run. */
  readonly isPressed: () => boolean;
  readonly budgets: DayBudgets;
  readonly stored: StoredBytes;
  /** Null: nothing is recorded of runs. */
  readonly records: RunRecords | null;
  /** Raised when every run has to end. */
  readonly stopping: AbortSignal;
}

/** One request, with everything that is known before it waits. */
interface RunInput {
  readonly runRef: RunReference;
  readonly tenant: string;
  /** Null: there is no such tenant. */
  readonly policy: Partial<TenantPolicy> | null;
  readonly request: RunRequest;
  readonly application: PreparedApplication;
  /** What it is lent; null: it opens everything itself. */
  readonly share: ProviderShare | null;
  readonly events: RunEvents;
  readonly signal: AbortSignal;
  /** Of these, raised by its caller. */
  readonly unwanted: AbortSignal;
  /** Milliseconds of the monotonic clock. */
  readonly deadlineAt: number | null;
  /** What is evaluated in place of the application's entry; null: that. */
  readonly program: ProgramRun | null;
}

/** Less than that is no time to run in (gateway.md §18). */
const LEAST_MS = 50;
/** The next look at the memory. */
const RETRY_MEMORY_MS = 1000;
/** The next try at a place that took too long. */
const RETRY_PLACE_MS = 1000;
/** The next try at a store that did not answer as it should. */
const RETRY_STORE_MS = 1000;

/** Begins a run; `program`: of a session, in place of the application's entry. */
export type BeginRun = (application: PreparedApplication, request?: RunRequest, program?: ProgramRun) => RunHandle;

/** A program of a session is given no input. */
const NO_INPUT = { text: '{}', dataClass: 'normal' } as const;

/** Begins runs (gateway.md §16). */
export function runsOf(setting: RunsSetting): BeginRun {
  const names = runNames();
  const now = (): number => setting.machine.clock.monotonic();

  async function toItsEnd(runInput: RunInput): Promise<RunResult> {
    const { runRef } = runInput;
    // That a name is taken is news of its tenant alone.
    const name = `${runInput.tenant} ${runRef} ${runInput.request.attempt ?? 1}`;
    if (!names.take(name)) return refuseRun(runInput, 'run_ref_conflict');
    let end: RunResult | null = null;
    try {
      end = await admitted(runInput);
      return end;
    } finally {
      names.end(name, end?.kind === 'refused');
    }
  }

  /** Everything that can be known before it waits; else what it runs with. */
  async function admitted(runInput: RunInput): Promise<RunResult> {
    const { application, request, tenant } = runInput;
    const preparation = setting.preparationOf(application);
    if (preparation === null) return refuseRun(runInput, 'prepared_stale');
    const input = runInput.program === null ? await inputOf(preparation, request) : success(NO_INPUT);
    if (!input.ok) return refuseRun(runInput, 'input_invalid', { diagnostic: input.diagnostic });
    const { artifacts } = request;
    const wantsArtifacts = artifacts !== undefined && Object.values(artifacts).includes(true);
    if (
      wantsArtifacts &&
      setting.depository === null &&
      artifactsOf(setting, { tenant, preparation, request, uploads: null }, false) === null
    )
      return refuseRun(runInput, 'unavailable');
    if (isTooLate(runInput.deadlineAt)) return refuseRun(runInput, 'deadline_unreachable');
    if (setting.isPressed()) return refuseRun(runInput, 'unavailable', { retryAfterMs: RETRY_MEMORY_MS });
    const { text, dataClass } = input.value;
    return inItsTurn(runInput, preparation, { text, dataClass });
  }

  async function inItsTurn(
    runInput: RunInput,
    preparation: Preparation,
    input: StartedRun['input'],
  ): Promise<RunResult> {
    const { tenant, policy: may, signal, events, deadlineAt } = runInput;
    events.report('queued');
    const { startWithinMs = Infinity } = runInput.request;
    const [byDeadline, byCaller] = [deadlineAt === null ? Infinity : deadlineAt - LEAST_MS, now() + startWithinMs];
    const startBy = Math.min(byDeadline, byCaller);
    const asking = {
      tenant,
      policy: may,
      signal,
      bytes: input.text.length,
      startBy: startBy === Infinity ? null : startBy,
    };
    const admitted = await setting.admission.begin(asking, async (sandbox, policy, place) => {
      if (isTooLate(deadlineAt)) return refuseRun(runInput, 'deadline_unreachable');
      return withinQuotas(runInput, preparation, policy, () =>
        withUploads(runInput, { preparation, input }, (uploads) =>
          witnessed(runInput, () =>
            onRecord(runInput, { preparation, input }, async (recording) => {
              events.report('admitted');
              const run = {
                ...runInput,
                request: gated(runInput.request, recording),
                preparation,
                input,
                uploads,
                place,
              };
              if (policy.isolation === 'process') return performed(runInput, { ...run, sandbox });
              const alone = sandboxOfOneRun(sandbox, runInput.runRef);
              try {
                return await performed(runInput, { ...run, sandbox: alone.own });
              } finally {
                await alone.end();
              }
            }),
          ),
        ),
      );
    });
    if (admitted.admitted) return admitted.value;
    const { reason, retryAfterMs } = admitted.refusal;
    // Its caller waits no longer, though there would be time until its deadline.
    if (reason === 'deadline_unreachable' && byCaller < byDeadline)
      return refuseRun(runInput, 'queue_full', { retryAfterMs: RETRY_PLACE_MS });
    return refuseRun(runInput, reason, { retryAfterMs });
  }

  /** The places of its artifacts are taken before it begins (gateway.md §20). */
  async function withUploads(
    runInput: RunInput,
    run: Pick<StartedRun, 'preparation' | 'input'>,
    perform: (uploads: ArtifactUploads | null) => Promise<RunResult>,
  ): Promise<RunResult> {
    const uploads = await openUploads(setting, { ...runInput, ...run });
    if (uploads === 'exists') return refuseRun(runInput, 'run_ref_conflict');
    if (uploads === 'unavailable') return refuseRun(runInput, 'unavailable', { retryAfterMs: RETRY_STORE_MS });
    try {
      return await perform(uploads);
    } finally {
      await uploads?.end();
    }
  }

  /** What begins is on record before it does, and how it ended before that is reported (gateway.md §19). */
  async function onRecord(
    runInput: RunInput,
    { preparation, input }: Pick<StartedRun, 'preparation' | 'input'>,
    perform: (recording: RunRecording | null) => Promise<RunFinished<unknown>>,
  ): Promise<RunResult> {
    if (setting.records === null) return perform(null);
    const { runRef, tenant } = runInput;
    const recording = await setting.records.begin({
      runRef,
      tenant,
      contentDigest: preparation.application.contentDigest,
      input: input.text,
    });
    if (recording === 'exists') return refuseRun(runInput, 'run_ref_conflict');
    if (recording === 'unavailable') return refuseRun(runInput, 'unavailable', { retryAfterMs: RETRY_STORE_MS });
    const end = await perform(recording);
    await recording.settle({ envelope: end.envelope, text: end.envelopeText, isCancelled: end.cancelled });
    return end;
  }

  /** Somebody else knows of it before it begins, and before its place is free. */
  async function witnessed(runInput: RunInput, perform: () => Promise<RunResult>): Promise<RunResult> {
    const { witness } = runInput.request;
    if (witness === undefined) return perform();
    if (
      !(await witness.begins().then(
        (begins: unknown) => begins === true,
        () => false,
      ))
    )
      return refuseRun(runInput, 'unavailable', { retryAfterMs: RETRY_STORE_MS });
    const end = await perform();
    await witness.ended(end).catch(() => undefined);
    return end;
  }

  /** The worst case is put aside before, and what was spent is settled after. */
  async function withinQuotas(
    runInput: RunInput,
    preparation: Preparation,
    policy: TenantPolicy,
    run: () => Promise<RunResult>,
  ): Promise<RunResult> {
    const { tenant, request } = runInput;
    if (policy.artifactBytes !== null && (await setting.stored.of(tenant)) >= policy.artifactBytes)
      return refuseRun(runInput, 'tenant_quota');
    const reservation = setting.budgets.reserve(
      tenant,
      dayBounds(policy),
      worstSpending(preparation.application, request.limits),
    );
    if (reservation === null)
      return refuseRun(runInput, 'tenant_quota', { retryAfterMs: setting.budgets.untilTomorrowMs() });
    let end: RunResult | null = null;
    try {
      end = await run();
      return end;
    } finally {
      reservation.settle(
        end === null ? null : end.kind === 'refused' ? { tokens: 0, microusd: 0 } : spendingOf(end.envelope),
      );
      for (const { bytes } of end?.kind === 'finished' ? end.artifacts : []) setting.stored.add(tenant, bytes);
    }
  }

  async function performed(
    { application, events, signal, unwanted, request }: RunInput,
    run: StartedRun,
  ): Promise<RunFinished<unknown>> {
    const report = await performPrepared(setting, run);
    setting.watch?.report(run.runRef, report);
    const left =
      run.uploads === null
        ? (artifactsOf(setting, run, report.envelope.artifact_class === 'private')?.root ?? null)
        : run.uploads.stored();
    return describeFinishedRun({
      report,
      signal,
      unwanted,
      effect: application.effect,
      calls: events.calls(),
      attempt: request.attempt ?? 1,
      left,
    });
  }

  function isTooLate(deadlineAt: number | null): boolean {
    return deadlineAt !== null && deadlineAt - now() < LEAST_MS;
  }

  return (application, request = {}, program) => {
    const { tenant = LOCAL_TENANT, deadlineMs, signal: input } = request;
    const runRef = runNameOf(request);
    const preparation = setting.preparationOf(application);
    checkRequest(preparation, request);
    const providerShare = findShare(setting.shareOf, preparation, { ...request, tenant });
    const policy = isTenantName(tenant) ? setting.policy(tenant) : null;
    if (policy !== null) askOnce(setting, tenant);
    const own = new AbortController();
    const unwanted = input === undefined ? own.signal : AbortSignal.any([own.signal, input]);
    const signal = AbortSignal.any([unwanted, setting.stopping]);
    const deadlineAt = deadlineMs === undefined ? null : now() + deadlineMs;
    return runHandle(runRef, request, {
      perform: async (events) => {
        const cancelling = (): void => events.report('cancelling');
        signal.addEventListener('abort', cancelling, { once: true });
        const end = await toItsEnd({
          runRef,
          tenant,
          policy,
          request: { ...request },
          application,
          share: providerShare,
          events,
          signal,
          unwanted,
          deadlineAt,
          program: program ?? null,
        });
        signal.removeEventListener('abort', cancelling);
        return end;
      },
      stop: (_events, reason) => {
        own.abort(reason);
      },
    });
  };
}

/** `diagnostic` null: what was given is no JSON. */
async function inputOf(
  preparation: Preparation,
  { input, inputClass = 'normal' }: RunRequest,
): Promise<Success<StartedRun['input']> | { readonly ok: false; readonly diagnostic: Diagnostic | null }> {
  const provided = input === undefined ? null : inputBytes(input);
  if (provided === null && input !== undefined) return { ok: false, diagnostic: null };
  return preparation.input(provided === null ? null : { bytes: provided, dataClass: inputClass });
}

/**
 * What the program says of a tenant is checked where the program can still get an error: a run has no caller to throw
 * to.
 */
function askOnce({ artifactRoot, variables }: RunSetting, tenant: string): void {
  artifactRoot(tenant);
  variables(tenant);
}

/**
 * Throws TypeError and RangeError for what no tenant could mean; `preparation`: of the application, null where there is
 * none.
 */
export function checkRequest(preparation: Preparation | null, { limits, traceparent }: RunRequest): void {
  if (traceparent !== undefined && readTraceparent(traceparent) === null)
    throw new TypeError('a traceparent is one of W3C Trace Context, version 00');
  if (limits !== undefined && preparation !== null) narrowLimits(preparation.application.limits, limits);
}

/** Throws TypeError for providers that were opened for somebody else, or by another supervisor. */
function findShare(
  after: ProviderPool['shareOf'],
  preparation: Preparation | null,
  { providers, tenant, principal = tenant }: RunRequest & { readonly tenant: string },
): ProviderShare | null {
  if (providers === undefined) return null;
  const providerShare = after(providers);
  if (
    providerShare === null ||
    providerShare.preparation !== preparation ||
    providerShare.tenant !== tenant ||
    providerShare.principal !== principal
  )
    throw new TypeError(
      'providers are lent to runs of the application, the tenant and the person that they were opened for',
    );
  return providerShare;
}

/** A call leaves where the journal has it and the caller lets it. */
function gated(request: RunRequest, recording: RunRecording | null): RunRequest {
  const { effectGate } = request;
  if (recording === null) return request;
  return {
    ...request,
    effectGate: async (effect, committed) =>
      (await recording.gate(effect, committed)) && (effectGate === undefined || effectGate(effect, committed)),
  };
}
