import type { CallAnswer, ServedCall } from '../contract/provider-protocol/call.ts';

/** Added to the deadline, so that the supervisor's own timeout ends the call first and names it (runtime.md §5). */
const BACKSTOP_MS = 1000;

/** Milliseconds after which the adapter itself gives a call up. */
export function callTimeoutMs({ deadlineMs }: { readonly deadlineMs: number }): number {
  return deadlineMs + BACKSTOP_MS;
}

/** A call that is running. Killing it waits until none of it is left (providers.md §14). */
export function servedCall(answerOf: (ended: AbortSignal) => Promise<CallAnswer>): ServedCall {
  const ended = new AbortController();
  const answer = answerOf(ended.signal);
  return {
    answer,
    cancel: () => ended.abort(),
    kill: async () => {
      ended.abort();
      await answer.catch(() => undefined);
    },
  };
}
