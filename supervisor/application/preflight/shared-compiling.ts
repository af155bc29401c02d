import type { CompileReply, GuestOutcome } from '../../../contract/sandbox-protocol.ts';
import type { SharedCompiling } from './bundle-store.ts';

/** For those who ask in one process. */
export function sharedCompiling(): SharedCompiling {
  const underWay = new Map<string, Promise<GuestOutcome<CompileReply>>>();
  return async ({ environment, hash }, signal, compile) => {
    const key = `${environment}/${hash}`;
    for (let other = underWay.get(key); other !== undefined; other = underWay.get(key)) {
      const outcome = await awaitUnlessRaised(other, signal);
      if (outcome.status !== 'cancelled' || signal?.aborted === true) return outcome;
    }
    const own = compile();
    underWay.set(key, own);
    try {
      return await own;
    } finally {
      underWay.delete(key);
    }
  };
}

async function awaitUnlessRaised(
  awaited: Promise<GuestOutcome<CompileReply>>,
  signal: AbortSignal | undefined,
): Promise<GuestOutcome<CompileReply>> {
  if (signal?.aborted === true) return { status: 'cancelled' };
  const { promise: cancelled, resolve } = Promise.withResolvers<GuestOutcome<CompileReply>>();
  const raised = (): void => resolve({ status: 'cancelled' });
  signal?.addEventListener('abort', raised);
  try {
    return await Promise.race([awaited, cancelled]);
  } finally {
    signal?.removeEventListener('abort', raised);
  }
}
