import type { GuestOutcome } from '../../../contract/sandbox-protocol.ts';

/** What a request to an isolate came to when no guest answered it. */
export type Unanswered = Exclude<GuestOutcome<never>, { readonly status: 'replied' }>;

/**
 * Why an evaluation gave no answer, in whatever environment it ran (runtime.md §9, §14); what that means is for its
 * run, its mission or its session to say.
 */
export type EvaluationLoss =
  /** It was ended at the deadline that was set for it. */
  | 'timeout'
  /** Its isolate, or the process that nothing else ran in, was full. */
  | 'memory_exceeded'
  /** Who asked gave it up, or its run was closed. */
  | 'cancelled'
  /** Its process ended, and perhaps through no fault of its own. */
  | 'host_lost'
  /** Its process said what no honest one says. */
  | 'host_dishonest';

/** By which signal its process ended, where nobody here sent it; null where that is not known. */
export function lostSignal(outcome: Unanswered): NodeJS.Signals | null {
  return (outcome.status === 'host_lost' ? outcome.signal : undefined) ?? null;
}

/** The one translation of what becomes of isolates and hosts. */
export function lossOf(outcome: Unanswered): EvaluationLoss {
  if (outcome.status !== 'host_lost') return outcome.status;
  return outcome.cause === 'protocol_violation' ? 'host_dishonest' : 'host_lost';
}
