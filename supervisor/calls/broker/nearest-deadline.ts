import type { Capability } from './capability.ts';
import type { CallRun, EvaluationCaller } from './call-run.ts';
import type { CallDeadline } from './call-deadline.ts';

/** The nearest of all bounds; among equals the first, in the order in which the call itself could have met them. */
export function callDeadline(
  run: CallRun,
  caller: EvaluationCaller,
  capability: Capability,
  isModel: boolean,
): CallDeadline {
  const now = run.clock.monotonic();
  const own: readonly CallDeadline[] = [
    { bound: 'installation', at: now + capability.timeoutMs, limitMs: capability.timeoutMs },
    ...(isModel
      ? [
          {
            bound: 'llm_request_timeout_ms',
            at: now + run.limits.llm_request_timeout_ms,
            limitMs: run.limits.llm_request_timeout_ms,
          } as const,
        ]
      : []),
  ];
  const outer: readonly CallDeadline[] = [
    { bound: 'caller', at: caller.evaluation.deadlineAt, limitMs: caller.evaluation.deadlineAt - now },
    { bound: 'run', at: run.runDeadlineAt, limitMs: run.runDeadlineAt - now },
  ];
  return [...own, ...outer].reduce((nearest, next) => (next.at < nearest.at ? next : nearest));
}
