import type { GuestOutcome } from '../../contract/sandbox-protocol.ts';
import type { Ending } from '../wire/host-api.ts';

/** What a request comes to when no guest answered it. */
export type Loss = Exclude<GuestOutcome<never>, { readonly status: 'replied' }>;

export type Kill = 'killed' | 'protocol_violation';

/** What became of a host process, by the first reason. */
export type Fate = Kill | 'alive' | 'exited';

export const VIOLATION: Loss = { status: 'host_lost', cause: 'protocol_violation' };

/** What an isolate's own ending means for its request, and whether its host must be killed for it. */
export const AFTER_ENDING: Readonly<Record<Ending, { readonly loss: Loss; readonly kills: Kill | null }>> = {
  timeout: { loss: { status: 'timeout' }, kills: null },
  memory: { loss: { status: 'memory_exceeded' }, kills: null },
  'memory-fatal': { loss: { status: 'memory_exceeded' }, kills: 'killed' },
  stuck: { loss: { status: 'timeout' }, kills: 'killed' },
  // Nobody asked for it.
  disposed: { loss: VIOLATION, kills: 'protocol_violation' },
  // The guest answers every request; one that throws is no longer the guest that was loaded.
  broken: { loss: VIOLATION, kills: 'protocol_violation' },
};
