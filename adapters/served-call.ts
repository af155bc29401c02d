import type { CallAnswer, ServedCall } from '../contract/provider-protocol/call.ts';

/** Beyond the deadline, which the supervisor keeps: what it tells of it is the kernel's own word (runtime.md §5). */
const BACKSTOP_MS = 1000;

/** How long a call that was given so many milliseconds is waited for. */
export function callTimeoutMs({ deadlineMs }: { readonly deadlineMs: number }): number {
  return deadlineMs + BACKSTOP_MS;
}

/** One call of a program on its way; whoever ends it waits for what is left of it (providers.md §14). */
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
