import { createHash } from 'node:crypto';
import {
  APPROVAL_DESCRIPTION_MAX,
  APPROVAL_REASON_MAX,
  needsApproval,
  type ApprovalRequest,
} from '../../../contract/approval.ts';
import type { JsonObject, JsonValue } from '../../../contract/json/value.ts';
import { visibleLines } from '../../../contract/visible-text.ts';
import { EVENT_LOOP_PACE } from '../../../system/event-loop-pace.ts';
import {
  approvalDecided,
  approvalRequested,
  type ApprovalDecidedFacts,
  type ApprovalRequestedFacts,
} from '../../evidence/event.ts';
import type { AnsweredQuestion, ApprovalDesk } from '../approvals/desk.ts';
import { refusalBeforeAsking, type CheckedCall } from './admission.ts';
import type { Capability } from './capability.ts';
import { approvalDecisionRecord, approvalRequestRecord } from '../../evidence/inspection/records.ts';
import {
  emit,
  ownerOf,
  recordInspection,
  rejected,
  RUN_CLOSED,
  type CallRun,
  type EvaluationCaller,
} from './call-run.ts';
import { errorAnswer, type CallAnswer } from './envelope.ts';

export type Approval =
  /** `approvalId`: null where nobody had to be asked. */
  { readonly ok: true; readonly approvalId: string | null } | { readonly ok: false; readonly answer: CallAnswer };

const CLOSED: Approval = { ok: false, answer: RUN_CLOSED };
const UNASKED: Approval = { ok: true, approvalId: null };

/**
 * Between steps 7 and 8 of runtime.md §5: asks a person about a call that can be made, and waits (approvals.md §2).
 * Nothing is reserved meanwhile. Models are not asked about: budgets guard them.
 */
export async function askApproval(run: CallRun, caller: EvaluationCaller, call: CheckedCall): Promise<Approval> {
  const { capability, input, model } = call;
  if (model !== null) return UNASKED;
  const isAsked =
    needsApproval(capability.approval ?? 'never', capability.effect) || (await capability.asks?.(input)) === true;
  if (!isAsked) return UNASKED;
  // A call that is about to ask still works: other questions wait for this one, to be shown together.
  const rest = run.clock.work();
  const question = await openQuestion(run, caller, call).finally(rest);
  if ('ok' in question) return question;
  const { request, approvals, scrub } = question;
  const answered = scrubbedAnswer(await approvals.ask(request, caller.signal), scrub);
  const { approvalId } = request;
  const facts = decidedFacts(approvalId, answered);
  if (!emit(run, approvalDecided(facts))) return CLOSED;
  if (!(await recordInspection(run, () => approvalDecisionRecord(request, recordedFacts(facts, answered)))))
    return CLOSED;
  const { end } = answered;
  switch (end.kind) {
    case 'decided': {
      const { decision, reason } = end.decision;
      if (decision === 'allow') return { ok: true, approvalId };
      return refuse(run, caller, 'approval_denied', reason === undefined ? {} : { reason: shownReason(reason) });
    }
    case 'expired': {
      const { timeoutMs } = approvals.limits;
      return refuse(run, caller, 'approval_expired', { limit: 'approval_timeout_ms', limit_value: timeoutMs });
    }
    case 'unavailable':
      return refuse(run, caller, 'approval_unavailable', { how: end.how });
    case 'gone':
      return CLOSED;
  }
}

interface RecordedQuestion {
  readonly request: ApprovalRequest;
  readonly approvals: ApprovalDesk;
  /** A text without the credentials in use. */
  readonly scrub: NonNullable<Capability['scrub']>;
}

/** What is asked, once it is on record; or why nobody is. */
async function openQuestion(
  run: CallRun,
  caller: EvaluationCaller,
  { named, capability, input }: CheckedCall,
): Promise<RecordedQuestion | Approval> {
  const { approvals } = run;
  const refused = refusalBeforeAsking(run, caller, named.name);
  if (refused !== null) return { ok: false, answer: refused };
  if (approvals === null) return refuse(run, caller, 'approval_unavailable', { how: 'unattended' });
  const text = await input.text(EVENT_LOOP_PACE);
  const scrub = capability.scrub ?? ((clear: string) => clear);
  const { mission, evaluationId, program = null } = caller.evaluation;
  const argumentsHash = createHash('sha256').update(text).digest('hex');
  const isQuestion = approvals.isAsked({ mission, tool: named.name, argumentsHash });
  const places = isQuestion ? await caller.locate() : null;
  const request = approvals.request({
    mission,
    evaluationId,
    tool: named.name,
    installation: capability.provider ?? null,
    upstreamName: capability.upstreamName ?? null,
    effect: capability.effect,
    description: Array.from(capability.description).slice(0, APPROVAL_DESCRIPTION_MAX).join(''),
    arguments: scrub(text),
    argumentBytes: Buffer.byteLength(text),
    argumentsHash,
    program,
    ...places,
    branch: caller.branch,
  });
  if (!emit(run, approvalRequested(requestedFacts(caller, request)))) return CLOSED;
  if (!(await recordInspection(run, () => approvalRequestRecord(request)))) return CLOSED;
  return { request, approvals, scrub };
}

/** Control characters that a person pasted must not act on a terminal or a model. */
function shownReason(reason: string): string {
  return Array.from(visibleLines(reason)).slice(0, APPROVAL_REASON_MAX).join('');
}

/** A person may have typed what no program and no record is to have. */
function scrubbedAnswer(answered: AnsweredQuestion, scrub: RecordedQuestion['scrub']): AnsweredQuestion {
  const { end } = answered;
  if (end.kind !== 'decided' || end.decision.reason === undefined) return answered;
  const { reason: typed } = end.decision;
  // What takes decisions cuts a reason at this length: a credential may lie across its end.
  const reason = scrub(typed, { isCut: Array.from(typed).length >= APPROVAL_REASON_MAX });
  return { ...answered, end: { ...end, decision: { ...end.decision, reason } } };
}

/** What the inspection says of a decision: as the trace, and what only its owner may read. */
function recordedFacts(decided: ApprovalDecidedFacts, { end }: AnsweredQuestion): Readonly<Record<string, unknown>> {
  const { approval_id: _, ...facts } = decided;
  if (end.kind === 'unavailable') return { ...facts, how: end.how };
  if (end.kind !== 'decided') return { ...facts };
  const { reason, principal } = end.decision;
  return {
    ...facts,
    ...(reason === undefined ? {} : { reason }),
    ...(principal === undefined ? {} : { principal }),
  };
}

function refuse(
  run: CallRun,
  caller: EvaluationCaller,
  reason: 'approval_denied' | 'approval_expired' | 'approval_unavailable',
  details: Readonly<Record<string, string | number>>,
): Approval {
  const members: JsonObject = new Map<string, JsonValue>(Object.entries(details));
  const answer = errorAnswer('capability_denied', reason, { details: members });
  return { ok: false, answer: rejected(run, caller, answer) };
}

function requestedFacts(caller: EvaluationCaller, request: ApprovalRequest): ApprovalRequestedFacts {
  return {
    ...ownerOf(caller),
    approval_id: request.approvalId,
    name: request.tool,
    effect: request.effect,
    argument_bytes: request.argumentBytes,
  };
}

function decidedFacts(approvalId: string, { end, waitedMs }: AnsweredQuestion): ApprovalDecidedFacts {
  const facts = { approval_id: approvalId, waited_ms: waitedMs };
  switch (end.kind) {
    case 'decided': {
      const { decision, by, scope } = end.decision;
      return { ...facts, decision: decision === 'allow' ? 'allowed' : 'denied', by, scope };
    }
    case 'expired':
      return { ...facts, decision: 'expired', by: 'expiry' };
    case 'unavailable':
    case 'gone':
      return { ...facts, decision: 'unavailable' };
  }
}
