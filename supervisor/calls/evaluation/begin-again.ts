import type { CallScope } from '../broker/call-scope.ts';
import type { EvaluationLoss } from './losses.ts';

type Call = CallScope['call'];

/**
 * Evaluates a program through `attempt`, and once more when its host was lost to something else (another program in it,
 * the machine) before the program called anything: it did nothing that anyone could have seen. `mayBeginAgain` says
 * whether there is still time for that, and somebody to do it for.
 */
export async function beginAgainOnce<A extends { readonly loss: EvaluationLoss | null }>(
  scope: Pick<CallScope, 'call'>,
  attempt: (call: Call) => Promise<A>,
  mayBeginAgain: () => boolean,
): Promise<A> {
  let calls = 0;
  const first = await attempt((request) => {
    calls += 1;
    return scope.call(request);
  });
  return first.loss === 'host_lost' && calls === 0 && mayBeginAgain()
    ? attempt((request) => scope.call(request))
    : first;
}
