import type { RunApprovals } from '../../run/run-approvals.ts';
import type { ApprovalOptions, RunRequest } from '../embedding/types.ts';

/** How a run of a supervisor asks for a person's yes: its own callback wins over that of all (approvals.md §7). */
export function approvalsOf(
  { onRequest, timeoutMs, maxAsks }: ApprovalOptions,
  { onApproval, principal }: Pick<RunRequest, 'onApproval' | 'principal'>,
): RunApprovals {
  const callback = onApproval ?? onRequest;
  const limits = {
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(maxAsks === undefined ? {} : { maxAsks }),
  };
  return {
    allowsAll: false,
    limits,
    ...(principal === undefined ? {} : { principal }),
    asker:
      callback === undefined
        ? null
        : {
            ask: async (request, signal) => {
              const answer = await callback(request, { signal });
              return answer === 'later'
                ? { unavailable: 'later_unsupported' }
                : { scope: 'once', ...answer, by: 'api' };
            },
          },
  };
}
