import { exactJson, exactText } from '../../contract/visible-text.ts';
import type { StoredApproval } from '../../supervisor/api/approvals.ts';

const ARGUMENTS_MAX = 60;
const SECOND_MS = 1000;
const MINUTE_MS = 60_000;

/** A question for programs. */
export function approvalFacts({ request, decision, isExpired }: StoredApproval): object {
  const { approvalId, runRef, tool, effect, mission, isPrivate, argumentBytes, askedAt, expiresAt } = request;
  return {
    approval_id: approvalId,
    state: decision === null ? (isExpired ? 'expired' : 'open') : decision.decision,
    run_ref: runRef,
    tool,
    effect,
    mission,
    arguments: isPrivate ? null : request.arguments,
    argument_bytes: argumentBytes,
    asked_at: askedAt,
    expires_at: expiresAt,
  };
}

/** One line for each: id, age, tool, effect, the beginning of its arguments, run (approvals.md §5). */
export function approvalsTable(rows: readonly StoredApproval[], now: number): string {
  if (rows.length === 0) return 'Nothing waits for a yes.\n';
  return rows
    .map(({ request }) => {
      const { approvalId, askedAt, tool, effect, runRef, isPrivate, argumentBytes } = request;
      const input = isPrivate ? `private, ${argumentBytes} bytes` : cut(exactJson(request.arguments));
      return `${[approvalId, age(now - Date.parse(askedAt)), exactText(tool), effect, input, runRef].join('  ')}\n`;
    })
    .join('');
}

function cut(text: string): string {
  const characters = Array.from(text);
  return characters.length <= ARGUMENTS_MAX ? text : `${characters.slice(0, ARGUMENTS_MAX - 1).join('')}…`;
}

function age(milliseconds: number): string {
  return milliseconds < MINUTE_MS
    ? `${Math.max(0, Math.floor(milliseconds / SECOND_MS))} s`
    : `${Math.floor(milliseconds / MINUTE_MS)} min`;
}
