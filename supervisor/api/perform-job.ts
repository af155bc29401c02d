import type { Effect } from '../../contract/effect.ts';
import type { Job, Lease, Settle } from '../engine/interface.ts';
import type { PreparedApplication, RunResult, Supervisor } from '../embedding/types.ts';

/** What one runner performs runs with. */
export interface RunnerSetting {
  readonly supervisor: Supervisor;
  readonly application: PreparedApplication;
}

/** Less than that is no time to run in (gateway.md §18). */
const LEAST_MS = 1;

/**
 * Performs the run of a lease (gateway.md §19). What the run may do to the world is on record before it can happen; what it spent
 * is noted as it goes. Throws for a run that another runner has to perform, and for one that was given up because its lease was
 * lost: neither has a record of ours.
 */
export async function performJob({ supervisor, application }: RunnerSetting, lease: Lease): Promise<Settle> {
  const { job, attempt, deadlineMs, signal } = lease;
  if (job.applicationDigest !== application.contentDigest) throw new Error('a run of an application that this runner does not have');
  const input = inputOf(job);
  const { result } = supervisor.run(application, {
    runRef: job.runRef,
    tenant: job.tenant,
    attempt,
    signal,
    ...(input === null ? {} : { input }),
    ...(deadlineMs === null ? {} : { deadlineMs: Math.max(LEAST_MS, Math.floor(deadlineMs)) }),
    effectGate: async (effect) => lease.gate(gateOf(effect)),
    onEvent: ({ event, data }) => {
      if (event === 'usage') void lease.note(data);
    },
  });
  return settleOf(await result, signal);
}

/** What nobody knows may be a write. */
function gateOf(effect: Effect): 'dispatched' | 'write_open' {
  return effect === 'read' ? 'dispatched' : 'write_open';
}

function inputOf({ inputRef }: Job): Uint8Array | null {
  if (inputRef === null) return null;
  if (inputRef.kind === 'stored') throw new Error('this runner has no store of inputs');
  return Buffer.from(inputRef.json);
}

function settleOf(end: RunResult, signal: AbortSignal): Settle {
  if (end.kind === 'finished') return { state: signal.aborted ? 'cancelled' : 'finished', envelope: JSON.parse(end.envelopeText) };
  // What the machine lacks now another one may have; what the request lacks nobody has.
  if (end.code !== 'input_invalid' && end.code !== 'deadline_unreachable' && end.code !== 'tenant_unknown') throw new Error(`refused: ${end.code}`);
  return { state: 'finished', envelope: { refused: end.code, diagnostic: end.diagnostic } };
}
