import type { SerializedJson } from '../../../contract/json/serialized.ts';
import type { ProviderOutcome } from '../../../contract/provider-protocol/outcome.ts';
import { LONGEST_TIMER_MS } from '../../../contract/limits/longest-timer.ts';
import type { Clock } from '../../../system/clock.ts';
import type { CallDeadline } from './call-deadline.ts';
import type { Dispatch } from './capability.ts';

/** How a call ended. A provider's own answer counts only if it came before the deadline and the end of its caller. */
export type DispatchEnd =
  | { readonly kind: 'outcome'; readonly outcome: ProviderOutcome<SerializedJson> }
  | { readonly kind: 'deadline' }
  | { readonly kind: 'cancelled' };

export interface Waiting {
  readonly clock: Clock;
  readonly deadline: CallDeadline;
  /** Aborted when the caller is gone or the run is closed. */
  readonly ended: AbortSignal;
  /** Aborts the call itself. */
  readonly cancel: () => void;
  /** Between the cancellation and the kill. */
  readonly graceMs: number;
}

/** Step 13: awaits the answer, and past the deadline cancels, kills, and sees the call dead (runtime.md §5, §10). */
export async function awaitCall(
  dispatch: Dispatch,
  { clock, deadline, ended, cancel, graceMs }: Waiting,
): Promise<DispatchEnd> {
  const end = await awaitFirst(dispatch, Math.ceil(deadline.at - clock.monotonic()), ended);
  if (end.kind === 'outcome') return end;
  cancel();
  await waitForSettling(dispatch.outcome, graceMs);
  await dispatch.kill();
  return end;
}

function awaitFirst(dispatch: Dispatch, timeoutMs: number, signal: AbortSignal): Promise<DispatchEnd> {
  return new Promise((resolve) => {
    const end = (how: DispatchEnd): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancelled);
      resolve(how);
    };
    const cancelled = (): void => end({ kind: 'cancelled' });
    const timer = setTimeout(() => end({ kind: 'deadline' }), Math.min(LONGEST_TIMER_MS, Math.max(0, timeoutMs)));
    if (signal.aborted) cancelled();
    else signal.addEventListener('abort', cancelled);
    void dispatch.outcome.then((outcome) => end({ kind: 'outcome', outcome }));
  });
}

async function waitForSettling(settling: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([settling, late]);
  clearTimeout(timer);
}
