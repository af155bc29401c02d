import {
  APPROVAL_REASON_MAX,
  APPROVAL_SCOPES,
  type ApprovalAuthor,
  type ApprovalDecision,
  type ApprovalRequest,
} from '../../../contract/approval.ts';
import { isCallPlace, STACK_MAX } from '../../../contract/call-place.ts';
import { EFFECTS } from '../../../contract/effect.ts';

/** What became of a decision. `already`: another one came first. */
export type DecisionOutcome = 'decided' | 'already' | 'unknown' | 'expired';

/** A question as a store has it. */
export interface StoredApproval {
  readonly request: ApprovalRequest;
  /** Null while it is open. */
  readonly decision: ApprovalDecision | null;
  readonly isExpired: boolean;
}

/** Whose questions; null: those of everybody. */
export interface ApprovalQuery {
  readonly tenant: string | null;
}

/**
 * Where questions wait for a person who is not at the terminal of their run (approvals.md §7). Exactly one decision is
 * kept for each. All reject with StoreError.
 */
export interface ApprovalStore {
  /** `same`: it is there already. */
  put(request: ApprovalRequest): Promise<'new' | 'same'>;
  /** Of a tenant's own question; of any other it is `unknown`. */
  decide(id: string, tenant: string | null, decision: ApprovalDecision): Promise<DecisionOutcome>;
  /**
   * Its run waits for it no longer. Gives the decision that was made before, which stays; null where there is none, and
   * from then on none is taken.
   */
  expire(id: string): Promise<ApprovalDecision | null>;
  get(id: string): Promise<StoredApproval | null>;
  /** In the order in which they were asked. */
  list(query: ApprovalQuery): Promise<readonly StoredApproval[]>;
  /**
   * Those of these questions that have a decision, once one has; none when the signal is aborted. The set may grow and
   * shrink meanwhile: one look is for all questions that a process waits for, however many.
   */
  watch(ids: ReadonlySet<string>, signal: AbortSignal): Promise<readonly string[]>;
  remove(id: string): Promise<void>;
}

/** A question whose run waits for it no longer is kept so long, for anyone who comes late. */
export const ENDED_RETENTION_MS = 86_400_000;

/** The mark of a question whose run waits for it no longer. */
export const EXPIRED: ApprovalDecision = { decision: 'deny', scope: 'once', by: 'expiry' };

/** The question as it is at this time, milliseconds since 1970. */
export function storedApproval(
  request: ApprovalRequest,
  decision: ApprovalDecision | null,
  now: number,
): StoredApproval {
  const isExpired = decision === null ? now >= Date.parse(request.expiresAt) : decision.by === 'expiry';
  return { request, decision: decision?.by === 'expiry' ? null : decision, isExpired };
}

export function byAge(one: StoredApproval, other: StoredApproval): number {
  return Date.parse(one.request.askedAt) - Date.parse(other.request.askedAt);
}

const ID = /^apr-[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$/;

/** Whether a text is the id of a question. */
export function isApprovalId(text: string): boolean {
  return ID.test(text);
}

const AUTHORS: readonly ApprovalAuthor[] = ['terminal', 'cli', 'viewer', 'api', 'elicitation', 'expiry'];

/** A decision as it is kept: bound to the arguments that were shown. */
export function decisionText(
  { approvalId, argumentsHash }: ApprovalRequest,
  { decision, scope, by, reason, principal }: ApprovalDecision,
  decidedAt: string,
): string {
  return JSON.stringify({
    version: 1,
    approval_id: approvalId,
    decision,
    scope,
    ...(reason === undefined ? {} : { reason }),
    by,
    ...(principal === undefined ? {} : { principal }),
    arguments_hash: argumentsHash,
    decided_at: decidedAt,
  });
}

/** Null for a text that is no decision about this question. */
export function readApprovalDecision(text: string, request: ApprovalRequest): ApprovalDecision | null {
  const stored = parsed(text);
  if (stored === null) return null;
  const { version, approval_id: id, arguments_hash: hash, decision, reason, principal } = stored;
  const scope = APPROVAL_SCOPES.find((one) => one === stored['scope']);
  const by = AUTHORS.find((one) => one === stored['by']);
  if (version !== 1 || id !== request.approvalId || hash !== request.argumentsHash) return null;
  if ((decision !== 'allow' && decision !== 'deny') || scope === undefined || by === undefined) return null;
  return {
    decision,
    scope,
    by,
    ...(typeof reason === 'string' ? { reason: Array.from(reason).slice(0, APPROVAL_REASON_MAX).join('') } : {}),
    ...(typeof principal === 'string' ? { principal } : {}),
  };
}

/** A question as it is kept; `more`: what else its store knows of it. */
export function requestText(request: ApprovalRequest, more: { readonly asker?: unknown } = {}): string {
  return JSON.stringify({ version: 1, ...request, ...more });
}

/** What its store has kept of who asks; undefined for nothing. */
export function readAskerFacts(text: string): unknown {
  return parsed(text)?.['asker'];
}

type Kinds = { readonly [K in keyof ApprovalRequest]-?: (value: unknown) => boolean };
const isText = (value: unknown): boolean => typeof value === 'string';
const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string';
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isTime = (value: unknown): boolean => typeof value === 'string' && !Number.isNaN(Date.parse(value));
const isBranch = (value: unknown): boolean =>
  value === null ||
  (typeof value === 'object' && 'index' in value && 'of' in value && isCount(value.index) && isCount(value.of));
const KINDS: Kinds = {
  approvalId: (value) => typeof value === 'string' && isApprovalId(value),
  runRef: isText,
  application: isTextOrNull,
  tenant: isTextOrNull,
  principal: isTextOrNull,
  mission: isTextOrNull,
  evaluationId: isText,
  tool: isText,
  installation: isTextOrNull,
  upstreamName: isTextOrNull,
  effect: (value) => EFFECTS.some((effect) => effect === value),
  description: isText,
  arguments: isText,
  argumentBytes: isCount,
  argumentsHash: isText,
  program: isTextOrNull,
  isPrivate: (value) => typeof value === 'boolean',
  place: (value) => value === undefined || isCallPlace(value),
  stack: (value) =>
    value === undefined || (Array.isArray(value) && value.length <= STACK_MAX && value.every(isCallPlace)),
  branch: isBranch,
  askedAt: isTime,
  expiresAt: isTime,
  askedBefore: isCount,
  rememberedDenials: isCount,
};

/** Null for a text that is no question. */
export function readApproval(text: string): ApprovalRequest | null {
  const stored = parsed(text);
  if (stored?.['version'] !== 1) return null;
  const members = Object.keys(KINDS).map((name) => [name, stored[name]] as const);
  const request = Object.fromEntries(members.filter(([, value]) => value !== undefined));
  return isRequest(request) ? request : null;
}

function isRequest(value: object): value is ApprovalRequest {
  return Object.entries(KINDS).every(([name, isKind]) => isKind(Reflect.get(value, name)));
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
