import type { GuestOutcome } from '../../contract/sandbox-protocol.ts';
import type { Ending } from '../wire/messages.ts';

/** What a request comes to when no guest answered it. */
export type Loss = Exclude<GuestOutcome<never>, { readonly status: 'replied' }>;

export type Kill = 'killed' | 'protocol_violation';

/** What became of a host process, by the first reason. */
export type HostState = Kill | 'alive' | 'exited';

/** What becomes of a host for the ending of one isolate; `drains`: it goes on until its other isolates have ended. */
export type Remedy = Kill | 'none' | 'drains';

export const VIOLATION: Loss = { status: 'host_lost', cause: 'protocol_violation' };

/** What an isolate's own ending means for its request, and for its host. */
export const AFTER_ENDING: Readonly<Record<Ending, { readonly loss: Loss; readonly remedy: Remedy }>> = {
  timeout: { loss: { status: 'timeout' }, remedy: 'none' },
  memory: { loss: { status: 'memory_exceeded' }, remedy: 'none' },
  // Its thread sleeps for ever; nothing else in the process depends on it.
  'memory-fatal': { loss: { status: 'memory_exceeded' }, remedy: 'drains' },
  stuck: { loss: { status: 'timeout' }, remedy: 'killed' },
  // Nobody asked for it.
  disposed: { loss: VIOLATION, remedy: 'protocol_violation' },
  // The guest answers every request; one that throws is no longer the guest that was loaded.
  broken: { loss: VIOLATION, remedy: 'protocol_violation' },
  'no-image': { loss: { status: 'host_lost', cause: 'image' }, remedy: 'killed' },
};
