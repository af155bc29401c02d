import { randomFillSync } from 'node:crypto';
import type { Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { isRunReference, newRunReference } from '../../../contract/run-reference.ts';
import type { RunReference } from '../../../contract/run-reference.ts';
import { narrowLimits } from '../../documents/limits/resolve.ts';
import type { Preparation } from '../../prepared/prepared-application.ts';
import { runEvents } from '../../run-events/run-events.ts';
import type { RunEvents } from '../../run-events/run-events.ts';
import type { RunAdmission } from '../../tenancy/run-admission.ts';
import { LOCAL_TENANT } from '../../tenancy/tenant.ts';
import { finishedRun } from './finished.ts';
import { inputBytes } from './input-bytes.ts';
import { artifactsOf, performPrepared } from './one-run.ts';
import type { RunSetting } from './one-run.ts';
import { runNames } from './run-names.ts';
import type { PreparedApplication, RefusalCode, RunFinished, RunHandle, RunRefused, RunRequest, RunResult } from './types.ts';

/** What the runs of one supervisor share. */
export interface RunsSetting extends RunSetting {
  readonly behind: (application: PreparedApplication) => Preparation | null;
  readonly admission: RunAdmission;
  /** Raised when every run has to end. */
  readonly stopping: AbortSignal;
}

/** One request, with everything that is known before it waits. */
interface Asked {
  readonly runRef: RunReference;
  readonly tenant: string;
  readonly request: RunRequest;
  readonly application: PreparedApplication;
  readonly events: RunEvents;
  readonly signal: AbortSignal;
  /** Milliseconds of the monotonic clock. */
  readonly deadlineAt: number | null;
}

/** Less than that is no time to run in (gateway.md §18). */
const LEAST_MS = 50;
const LONGEST_DEADLINE_MS = 2_592_000_000;

/** Begins runs (gateway.md §16). */
export function runsOf(setting: RunsSetting): (application: PreparedApplication, request?: RunRequest) => RunHandle {
  const names = runNames();
  const now = (): number => setting.machine.clock.monotonic();

  async function toItsEnd(asked: Asked): Promise<RunResult> {
    const { runRef } = asked;
    if (!names.take(runRef)) return refused(asked, 'run_ref_conflict');
    let end: RunResult | null = null;
    try {
      end = await admitted(asked);
      return end;
    } finally {
      names.end(runRef, end?.kind === 'refused');
    }
  }

  async function admitted(asked: Asked): Promise<RunResult> {
    const { application, request, tenant, signal, events } = asked;
    const preparation = setting.behind(application);
    if (preparation === null) return refused(asked, 'prepared_stale');
    const given = request.input === undefined ? null : inputBytes(request.input);
    if (given === null && request.input !== undefined) return refused(asked, 'input_invalid');
    const input = await preparation.input(given === null ? null : { bytes: given, dataClass: request.inputClass ?? 'normal' });
    if (!input.ok) return refused(asked, 'input_invalid', { diagnostic: input.diagnostic });
    const { artifacts } = request;
    if (artifacts !== undefined && Object.values(artifacts).includes(true) && artifactsOf(setting, { tenant, preparation, request }, false) === null) return refused(asked, 'unavailable');
    if (isTooLate(asked.deadlineAt)) return refused(asked, 'deadline_unreachable');
    events.tell('queued');
    const begun = await setting.admission.begin({ tenant, signal }, async (sandbox) => {
      if (isTooLate(asked.deadlineAt)) return refused(asked, 'deadline_unreachable');
      events.tell('admitted');
      const report = await performPrepared(setting, { ...asked, preparation, input: input.value, sandbox });
      const { project } = { project: artifactsOf(setting, { tenant, preparation, request }, report.envelope.artifact_class === 'private') };
      return finishedRun({ report, signal, effect: application.effect, calls: events.calls(), artifactRoot: project?.root ?? null });
    });
    return begun.admitted ? begun.value : refused(asked, begun.refusal.reason, { retryAfterMs: begun.refusal.retryAfterMs });
  }

  function isTooLate(deadlineAt: number | null): boolean {
    return deadlineAt !== null && deadlineAt - now() < LEAST_MS;
  }

  return (application, request = {}) => {
    const { tenant = LOCAL_TENANT, deadlineMs, limits, signal: given } = request;
    const runRef = request.runRef ?? newRunReference(randomFillSync);
    if (!isRunReference(runRef)) throw new TypeError('a run is named as newRunRef() names it');
    if (deadlineMs !== undefined && !(Number.isSafeInteger(deadlineMs) && deadlineMs >= 1 && deadlineMs <= LONGEST_DEADLINE_MS)) throw new TypeError('a deadline is 1 to 2,592,000,000 whole milliseconds from now');
    const preparation = setting.behind(application);
    if (limits !== undefined && preparation !== null) narrowLimits(preparation.application.limits, limits);
    const own = new AbortController();
    const signal = AbortSignal.any([own.signal, setting.stopping, ...(given === undefined ? [] : [given])]);
    const events = runEvents({ runRef, tenant, listener: request.onEvent });
    const deadlineAt = deadlineMs === undefined ? null : now() + deadlineMs;
    const cancelling = (): void => events.tell('cancelling');
    signal.addEventListener('abort', cancelling, { once: true });
    const result = toItsEnd({ runRef, tenant, request: { ...request }, application, events, signal, deadlineAt }).then((end) => {
      signal.removeEventListener('abort', cancelling);
      events.finish(lastWords(end));
      return end;
    });
    return {
      runRef,
      events: events.stream,
      result,
      async cancel(reason = 'SIGINT') {
        own.abort(reason);
        await result.catch(() => undefined);
      },
    };
  };
}

function lastWords(end: RunResult): Readonly<Record<string, string | number | null>> {
  if (end.kind === 'refused') return { status: 'refused', code: end.code };
  const { envelope, effects, retry } = end;
  return { status: envelope.status, code: envelope.status === 'error' ? envelope.error.code : null, effects, retry };
}

function refused({ runRef }: Pick<Asked, 'runRef'>, code: RefusalCode, { retryAfterMs = null, diagnostic = null }: { readonly retryAfterMs?: number | null; readonly diagnostic?: Diagnostic | null } = {}): RunRefused {
  return { kind: 'refused', runRef, code, retryAfterMs, diagnostic };
}

/** The same run with a typed value. */
export function typedRun<T>(handle: RunHandle, codec: (value: unknown) => T): RunHandle<T> {
  const result = handle.result.then((end): RunResult<T> => {
    if (end.kind === 'refused') return end;
    const { value, ...rest } = end;
    return 'value' in end ? { ...rest, value: codec(value) } satisfies RunFinished<T> : rest;
  });
  // Whoever only cancels, or follows events, has no use for what a codec throws.
  result.catch(() => undefined);
  return { ...handle, result };
}
