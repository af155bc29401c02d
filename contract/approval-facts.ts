import type { ApprovalRequest } from './approval.ts';
import type { CallPlace } from './call-place.ts';

/**
 * A question with the names that approvals.md §3 gives its parts, as plain JSON: for records, pages and programs. What
 * is not known is absent.
 */
export function approvalRequestFacts(request: ApprovalRequest): Readonly<Record<string, unknown>> {
  const { application, tenant, principal, mission, installation, upstreamName, program, place, stack, branch } =
    request;
  return {
    approval_id: request.approvalId,
    run_ref: request.runRef,
    ...known({ application, tenant, principal, mission }),
    evaluation_id: request.evaluationId,
    tool: request.tool,
    ...known({ installation, upstream_name: upstreamName }),
    effect: request.effect,
    description: request.description,
    arguments: request.arguments,
    argument_bytes: request.argumentBytes,
    arguments_hash: request.argumentsHash,
    ...known({ program, place: place === undefined ? null : placeFacts(place), branch }),
    stack: (stack ?? []).map(placeFacts),
    asked_at: request.askedAt,
    expires_at: request.expiresAt,
    asked_before: request.askedBefore,
    remembered_denials: request.rememberedDenials,
  };
}

function placeFacts({ component, ref, line, column, text }: CallPlace): Readonly<Record<string, unknown>> {
  return { ...known({ component, ref }), line, column, text };
}

function known(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}
