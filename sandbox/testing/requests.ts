import type { EvaluateRequest, GuestOutcome, EvaluateReply } from '../../contract/sandbox-protocol.ts';

/** Heap of a mission's isolate (evaluation_heap_words, documents.md §5). */
export const MISSION_HEAP_WORDS = 1_250_000;

export function evaluation(source: string, tools: readonly string[] = []): EvaluateRequest {
  return {
    operation: 'evaluate',
    environment: 'mission',
    source,
    data: {},
    tools,
    loop_iterations: null,
    projection: 'json',
  };
}

/** One word for what an evaluation came to: an outcome's status (and cause), or the outcome inside a reply. */
export function verdictOf(outcome: GuestOutcome<EvaluateReply>): string {
  switch (outcome.status) {
    case 'replied':
      return outcome.reply.outcome;
    case 'host_lost':
      return `host_lost/${outcome.cause}`;
    case 'timeout':
    case 'memory_exceeded':
    case 'cancelled':
      return outcome.status;
  }
}

/** The value of a reply as text, or the message of its fault; null without a reply. */
export function textOf(outcome: GuestOutcome<EvaluateReply>): string | null {
  if (outcome.status !== 'replied') return null;
  return outcome.reply.outcome === 'evaluation_error' ? outcome.reply.fault.message : outcome.reply.value;
}

/** The reason of the fault in a reply; null where there is none. */
export function reasonOf(outcome: GuestOutcome<EvaluateReply>): string | null {
  return outcome.status === 'replied' && outcome.reply.outcome === 'evaluation_error'
    ? outcome.reply.fault.reason
    : null;
}
