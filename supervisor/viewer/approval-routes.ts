import type { IncomingMessage } from 'node:http';
import {
  APPROVAL_REASON_MAX,
  APPROVAL_SCOPES,
  type ApprovalDecision,
  type ApprovalRequest,
} from '../../contract/approval.ts';
import { approvalRequestFacts } from '../../contract/approval-facts.ts';
import { jsonFromPlain } from '../../contract/json/plain.ts';
import { valueOf } from '../../contract/json/node.ts';
import { documentLimits, parseJson } from '../../contract/json/parse.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../contract/json/value.ts';
import type { ShownApprovals } from '../../contract/viewer-answers.ts';
import { refuseViewerRequest, renderJson, VIEWER_ANSWER_BYTES, type HttpAnswer } from './answers.ts';
import { readRequestBody } from './request-body.ts';

/** Of a decision (approvals.md §8). */
export const DECISION_BYTES = 4096;
/** Questions on the page: as many as a person can read. */
const SHOWN_MOST = 256;

/** The questions of the project's runs, as its viewer may show and decide them (approvals.md §8). */
export interface ViewerApprovals {
  /** Whether arguments and programs may be shown. */
  readonly showsPrivate: boolean;
  /** Whether the page may decide; only where it shows what it decides. */
  readonly decides: boolean;
  /** Those that are open, oldest first. Rejects where they cannot be read. */
  open(): Promise<readonly ApprovalRequest[]>;
  /** A question, open or not; null: there is none. */
  find(approvalId: string): Promise<ApprovalRequest | null>;
  decide(
    approvalId: string,
    decision: Pick<ApprovalDecision, 'decision' | 'scope' | 'reason'>,
  ): Promise<'decided' | 'already' | 'unknown' | 'expired'>;
}

/** What waits: all of it for who may see it, else count and tools. */
export async function serveApprovals(approvals: ViewerApprovals): Promise<HttpAnswer> {
  const open = await approvals.open().catch(() => null);
  if (open === null) return UNREADABLE;
  const { decides, showsPrivate } = approvals;
  const shown: object[] = [];
  let bytes = 0;
  for (const request of open.slice(0, SHOWN_MOST)) {
    const facts = showsPrivate ? approvalRequestFacts(request) : plainFacts(request);
    bytes += Buffer.byteLength(JSON.stringify(facts)) + 1;
    // Those that find no room come when the first are decided.
    if (bytes > VIEWER_ANSWER_BYTES && shown.length > 0) break;
    shown.push(facts);
  }
  const answer = jsonFromPlain({ total: open.length, decides, approvals: shown });
  if (answer === undefined) throw new TypeError('questions are JSON');
  return renderJson(200, answer);
}

function plainFacts({
  approvalId,
  runRef,
  tool,
  effect,
  argumentBytes,
  askedAt,
  expiresAt,
}: ApprovalRequest): ShownApprovals['approvals'][number] {
  return {
    approval_id: approvalId,
    run_ref: runRef,
    tool,
    effect,
    argument_bytes: argumentBytes,
    asked_at: askedAt,
    expires_at: expiresAt,
  };
}

/** Decides one question; the hash says that what was shown is what is decided. */
export async function decideApproval(
  approvals: ViewerApprovals,
  approvalId: string,
  request: IncomingMessage,
): Promise<HttpAnswer> {
  if (!approvals.decides)
    return refuseViewerRequest(
      404,
      'not_found',
      'this viewer decides nothing: set viewer.private and viewer.approvals',
    );
  // A form of another page can send no such type without asking first.
  if (!/^application\/json(?:\s*;|$)/i.test(request.headers['content-type'] ?? ''))
    return refuseViewerRequest(415, 'unsupported_media_type', 'a decision is application/json');
  const bytes = await readRequestBody(request, DECISION_BYTES);
  if (bytes === null)
    return {
      ...refuseViewerRequest(413, 'body_too_large', `a decision has at most ${DECISION_BYTES} bytes`),
      headers: { connection: 'close' },
    };
  const parsed = parseJson(bytes, documentLimits(DECISION_BYTES));
  const wish = wishOf(parsed.ok ? valueOf(parsed.root) : undefined);
  if (wish === null)
    return refuseViewerRequest(
      400,
      'invalid_decision',
      'a decision has decision, scope, arguments_hash, and a reason if there is one',
    );
  try {
    const request = await approvals.find(approvalId);
    if (request === null) return UNKNOWN;
    if (request.argumentsHash !== wish.argumentsHash)
      return refuseViewerRequest(409, 'approval_changed', 'this is not the call that was shown; look at it again');
    return answerTo(await approvals.decide(approvalId, wish.decision), wish.decision.decision);
  } catch {
    return UNREADABLE;
  }
}

function answerTo(outcome: Awaited<ReturnType<ViewerApprovals['decide']>>, decision: 'allow' | 'deny'): HttpAnswer {
  switch (outcome) {
    case 'decided':
      return renderJson(200, new Map<string, JsonValue>([['decision', decision === 'allow' ? 'allowed' : 'denied']]));
    case 'already':
      return refuseViewerRequest(409, 'approval_decided', 'somebody decided it before');
    case 'expired':
      return refuseViewerRequest(409, 'approval_expired', 'its run waits for it no longer');
    case 'unknown':
      return UNKNOWN;
  }
}

const UNKNOWN = refuseViewerRequest(404, 'not_found', 'no run asks this');
const UNREADABLE = refuseViewerRequest(503, 'approvals_unavailable', 'the questions cannot be read now');

interface Wish {
  readonly decision: Pick<ApprovalDecision, 'decision' | 'scope' | 'reason'>;
  readonly argumentsHash: string;
}

const MEMBERS = new Set(['decision', 'scope', 'reason', 'arguments_hash']);

function wishOf(value: JsonValue | undefined): Wish | null {
  if (!isJsonObject(value) || [...value.keys()].some((name) => !MEMBERS.has(name))) return null;
  const [decision, argumentsHash] = [value.get('decision'), value.get('arguments_hash')];
  const scope = APPROVAL_SCOPES.find((one) => one === value.get('scope'));
  const reason = reasonOf(value);
  if ((decision !== 'allow' && decision !== 'deny') || scope === undefined || reason === null) return null;
  if (typeof argumentsHash !== 'string') return null;
  return { decision: { decision, scope, ...(reason === '' ? {} : { reason }) }, argumentsHash };
}

/** Empty for none; null for what is no reason. */
function reasonOf(value: JsonObject): string | null {
  const reason = value.get('reason') ?? '';
  return typeof reason === 'string' && Array.from(reason).length <= APPROVAL_REASON_MAX ? reason : null;
}
