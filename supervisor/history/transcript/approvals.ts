import type { JsonObject } from '../../../contract/json/value.ts';
import type { CapturedRun } from '../analysis/capture/run.ts';
import { findNumber, findText, members } from '../analysis/members.ts';

/**
 * What a person was asked during a run, in the order of the questions, and what was decided: an item for each question,
 * as the trace has it, without arguments and reasons (approvals.md §10). A question without a decision has none of the
 * members that a decision brings.
 */
export function approvalItems({ events, approvals }: CapturedRun): readonly JsonObject[] {
  const decided = new Map(
    events.flatMap(({ type, data }) => {
      const id = type === 'approval-decided' ? findText(data, 'approval_id') : undefined;
      return id === undefined ? [] : [[id, data] as const];
    }),
  );
  const askedAt = new Map(
    events.flatMap(({ type, data, timestamp }) => {
      const id = type === 'approval-requested' ? findText(data, 'approval_id') : undefined;
      return id === undefined ? [] : [[id, timestamp] as const];
    }),
  );
  return [...approvals].map(([id, { name, mission, data }]) => {
    const decision = decided.get(id);
    return members({
      approval_id: id,
      name,
      mission_name: mission ?? undefined,
      effect: findText(data, 'effect'),
      argument_bytes: findNumber(data, 'argument_bytes'),
      asked_at: askedAt.get(id),
      decision: findText(decision, 'decision'),
      by: findText(decision, 'by'),
      scope: findText(decision, 'scope'),
      waited_ms: findNumber(decision, 'waited_ms'),
    });
  });
}
