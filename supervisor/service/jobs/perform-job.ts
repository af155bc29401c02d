import { setTimeout as after } from 'node:timers/promises';
import type { Effect } from '../../../contract/effect.ts';
import type { Lease, Settle } from '../engine/interface.ts';
import { readInputOfJob } from '../engine/stored-input.ts';
import type { ArtifactStore } from '../stores/interface.ts';
import { keepEnvelope } from '../stores/stored-envelope.ts';
import { limitsAfter, spendingOver } from './job-spending.ts';
import type { PreparedApplication, RunFinished, RunHandle, RunRequest, RunResult } from '../embedding/types.ts';

/** What one runner performs runs with. */
export interface RunnerSetting {
  readonly supervisor: { run(application: PreparedApplication, request?: RunRequest): RunHandle };
  readonly application: PreparedApplication;
  /** Where inputs and envelopes lie that are too long for a record; null without one. */
  readonly store: ArtifactStore | null;
}

/** Less than that is no time to run in (gateway.md §18). */
const LEAST_MS = 1;

/**
 * Performs the run of a lease (gateway.md §19). What the run may do to the world is on record before it can happen;
 * what it spent is noted as it goes. Throws for a run that another runner has to perform, and for one that was given up
 * because its lease was lost: neither has a record of ours.
 */
export async function performJob(setting: RunnerSetting, lease: Lease): Promise<Settle> {
  const { job, signal } = lease;
  if (job.applicationDigest !== setting.application.contentDigest)
    throw new Error('a run of an application that this runner does not have');
  const input = await readInputOfJob(job, setting.store);
  for (;;) {
    const handle = startRun(setting, lease, input);
    if (handle === null) return neverToRun('input_invalid', null);
    const end = await handle.result;
    const retryAfterMs = end.kind === 'refused' && end.code !== 'draining' ? end.retryAfterMs : null;
    if (retryAfterMs === null || signal.aborted) return settleOf(end, lease, setting.store);
    // What the machine lacks now it may have in a moment: the lease lives on, and no attempt is spent on that.
    await after(retryAfterMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Null for limits that the application does not have, or that are wider than its own. */
function startRun(
  { supervisor, application }: RunnerSetting,
  lease: Lease,
  input: Uint8Array | null,
): RunHandle | null {
  const {
    job: { runRef, tenant, terms },
    attempt,
    deadlineMs,
    signal,
  } = lease;
  const spending = spendingOver(lease);
  try {
    return supervisor.run(application, {
      runRef,
      tenant,
      attempt,
      ...(terms.traceparent === undefined ? {} : { traceparent: terms.traceparent }),
      ...(terms.principal === undefined ? {} : { principal: terms.principal }),
      signal,
      inputClass: terms.inputClass,
      limits: limitsAfter(application.limits, terms.limits, spending.before),
      ...(terms.artifacts === null ? {} : { artifacts: terms.artifacts }),
      ...(input === null ? {} : { input }),
      outerPlace: lease.place,
      ...(deadlineMs === null ? {} : { deadlineMs: Math.max(LEAST_MS, Math.floor(deadlineMs)) }),
      effectGate: async (effect, committed) => (await lease.gate(gateOf(effect))) && spending.note(committed),
    });
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return null;
    throw error;
  }
}

/** What nobody knows may be a write. */
function gateOf(effect: Effect): 'dispatched' | 'write_open' {
  return effect === 'read' ? 'dispatched' : 'write_open';
}

async function settleOf(end: RunResult, lease: Lease, store: ArtifactStore | null): Promise<Settle> {
  // A runner that closes stops what goes on, which nobody cancelled.
  if (end.kind === 'finished')
    return {
      state: end.cancelled && lease.signal.reason === 'cancelled' ? 'cancelled' : 'finished',
      envelope: await storeEnvelope(end, lease, store),
    };
  // What the machine lacks now another one may have; what the request lacks nobody has.
  if (end.code !== 'input_invalid' && end.code !== 'deadline_unreachable' && end.code !== 'tenant_unknown')
    throw new Error(`refused: ${end.code}`);
  return neverToRun(end.code, end.diagnostic);
}

async function storeEnvelope(
  { envelope, envelopeText }: RunFinished<unknown>,
  { job: { tenant, runRef }, attempt }: Lease,
  store: ArtifactStore | null,
): Promise<unknown> {
  return keepEnvelope(envelope, envelopeText, { tenant, runRef, epoch: attempt }, store);
}

function neverToRun(refused: string, diagnostic: unknown): Settle {
  return { state: 'finished', envelope: { refused, diagnostic } };
}
