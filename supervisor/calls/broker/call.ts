import type { CommittedSpending } from '../../../contract/effect.ts';
import type { TokenUsage } from '../../../contract/envelope/usage.ts';
import type { SerializedJson } from '../../../contract/json/serialized.ts';
import type { JsonValue } from '../../../contract/json/value.ts';
import type { Attempt, Exchange } from '../../../contract/provider-protocol/call.ts';
import type { Finish, ProviderOutcome } from '../../../contract/provider-protocol/outcome.ts';
import type { FailureWords } from '../../../contract/provider-protocol/provider-words.ts';
import {
  capabilityStarted,
  capabilityStopped,
  limitExceeded,
  type CapabilityStartedFacts,
} from '../../evidence/event.ts';
import {
  capabilityException,
  capabilityInput,
  capabilityOutput,
  mcpExchange,
} from '../../evidence/inspection/records.ts';
import { rejectionFacts } from '../../evidence/rejection.ts';
import type { ModelUse } from '../ledger/model-budgets.ts';
import { attemptFacts, attemptRecords, chargedFor } from './attempts.ts';
import { checkCall, reserveCall, type AdmittedCall } from './admission.ts';
import { askApproval } from './approval.ts';
import {
  RUN_CLOSED,
  emit,
  recordInspection,
  keepAll,
  missionOf,
  ownerOf,
  rejected,
  type CallRun,
  type EvaluationCaller,
} from './call-run.ts';
import type { Capability } from './capability.ts';
import { awaitCall, type DispatchEnd } from './dispatch.ts';
import { wordsOf } from './failed-calls.ts';
import { errorAnswer, type CallAnswer } from './envelope.ts';
import { isTerminal, normalise } from './normalise.ts';

/** Between asking a call to stop and ending it. Its caller is waiting, so it is short. */
export const CANCEL_GRACE_MS = 100;

/** One call of an installed capability through the whole pipeline of runtime.md §5. Never throws. */
export async function callCapability(
  run: CallRun,
  caller: EvaluationCaller,
  capability: Capability,
  text: string,
): Promise<CallAnswer> {
  const checked = await whileWorking(run, () => checkCall(run, caller, capability, text));
  if (!checked.ok) return checked.answer;
  const approval = await askApproval(run, caller, checked.call);
  if (!approval.ok) return approval.answer;
  return whileWorking(run, async () => {
    const admission = await reserveCall(run, caller, checked.call);
    return admission.ok ? makeCall(run, caller, admission.call, approval.approvalId) : admission.answer;
  });
}

/** While it goes on, the run clock does not stop. */
async function whileWorking<T>({ clock }: CallRun, work: () => Promise<T>): Promise<T> {
  const rest = clock.work();
  try {
    return await work();
  } finally {
    rest();
  }
}

/** Steps 11 to 15. */
async function makeCall(
  run: CallRun,
  caller: EvaluationCaller,
  call: AdmittedCall,
  approvalId: string | null,
): Promise<CallAnswer> {
  const identity = { capabilityId: run.newCapabilityId(), mission: missionOf(caller), name: call.name };
  const started: CapabilityStartedFacts = {
    ...ownerOf(caller),
    capability_id: identity.capabilityId,
    name: call.name,
    ...(call.model === null ? {} : { alias: call.model.alias, installation_revision: call.model.installationRevision }),
    ...(approvalId === null ? {} : { approval_id: approvalId }),
  };
  const startedAt = run.clock.monotonic();
  if (!emit(run, capabilityStarted(started))) return unsent(run, caller, call, 'event_sink_error');
  const endModelCall = call.model === null ? null : run.models.start(call.model);
  const isStored = await recordInspection(run, () =>
    capabilityInput(identity, call.input, call.model?.requestHash ?? null),
  );
  if (!isStored) {
    endModelCall?.({ status: 'error', usage: null, dispatched: false });
    return unsent(run, caller, call, 'inspection_sink_error');
  }

  const { end, isSent, exchanges, attempts, words } = await dispatchCall(run, caller, call, identity.capabilityId);
  const outcome = end.kind === 'outcome' ? end.outcome : null;
  const normalised = await normalise(run, caller, call, end, isSent);
  const use = chargedFor(attempts, useOf(outcome, normalised.answer));
  const { exceeded } = run.ledger.settle(call.reservation, use);
  const answer = exceeded
    ? errorAnswer('provider_error', 'reservation_bound_exceeded', { model: call.model?.alias ?? null })
    : normalised.answer;
  if (
    caller.evaluation.environment === 'mission' &&
    outcome !== null &&
    isTerminal(outcome) &&
    outcome.kind === 'error'
  ) {
    caller.record.terminalProviderFailure ??= { reason: outcome.reason };
  }

  const hasAttempts = await keepAll(run, async () => attemptRecords(identity, attempts));
  const hasException =
    outcome?.kind === 'fault' && outcome.exception !== null
      ? await recordInspection(run, () => capabilityException(identity, thrownOf(outcome)))
      : true;
  // Errors stay as they are, however little is kept of results.
  const capture = answer.kind === 'ok' ? call.capability.inspectionCapture : 'full';
  const hasMessages =
    hasAttempts &&
    hasException &&
    (await keepAll(run, async () =>
      (await Promise.all(exchanges.map((exchange) => mcpExchange(identity, exchange, capture)))).flat(),
    ));
  const isWhole =
    hasMessages &&
    (await recordInspection(run, () => capabilityOutput(identity, shown(answer), capture, reasoningOf(outcome))));
  const reported = rejected(run, caller, answer, normalised.issued === null ? {} : { issued: normalised.issued });
  if (call.model !== null && answer.kind === 'error') run.failures.remember(answer.error, normalised.issued);
  rememberFailure(run, call, { answer, attempts, words, end });
  const isPartial = attempts.some(({ charge }) => charge === 'reserved');
  endModelCall?.(modelEnd(answer, outcome, isSent && use !== 'undispatched', isPartial));
  if (normalised.limit !== null) emit(run, limitExceeded(normalised.limit));
  const isOnRecord = emit(
    run,
    capabilityStopped({
      ...started,
      ...stoppedFacts(answer, outcome, call),
      ...attemptFacts(attempts),
      duration_ms: Math.max(0, Math.round(run.clock.monotonic() - startedAt)),
    }),
  );
  // What arrives after the run was closed is nobody's any more.
  return isWhole && isOnRecord && !run.signal.aborted && end.kind !== 'cancelled' ? reported : RUN_CLOSED;
}

function committed({ ledger }: CallRun): CommittedSpending {
  const { tokens, cost } = ledger.counts();
  return {
    tokens: tokens === null ? null : tokens.charged + tokens.reserved,
    microusd: cost === null ? null : cost.charged + cost.reserved,
  };
}

function rememberFailure(
  run: CallRun,
  { name, capability, model, deadline }: AdmittedCall,
  how: {
    readonly answer: CallAnswer;
    readonly attempts: readonly Attempt[];
    readonly words: FailureWords | null;
    readonly end: DispatchEnd;
  },
): void {
  const { answer, attempts, words, end } = how;
  const isLate = end.kind === 'deadline';
  // What ended with its caller or with the run was answered by nobody.
  if (answer.kind !== 'error' || end.kind === 'cancelled' || (isLate && deadline.bound === 'run')) return;
  const { error, envelope } = answer;
  const isModel = model !== null;
  run.failed.remember({
    name,
    isModel,
    alias: model?.alias ?? capability.provider ?? null,
    error,
    envelope,
    words: isLate || words === null ? wordsOf(attempts, { error, deadline, isLate, isModel }) : words,
  });
}

/** An admitted call that may not be sent because it cannot be put on record; the run has been ended. */
function unsent(
  run: CallRun,
  caller: EvaluationCaller,
  { reservation }: AdmittedCall,
  kind: 'event_sink_error' | 'inspection_sink_error',
): CallAnswer {
  run.ledger.settle(reservation, 'undispatched');
  rejected(run, caller, errorAnswer(kind, kind));
  return RUN_CLOSED;
}

/** Steps 12 and 13. */
async function dispatchCall(
  run: CallRun,
  caller: EvaluationCaller,
  call: AdmittedCall,
  capabilityId: string,
): Promise<{
  readonly end: DispatchEnd;
  readonly isSent: boolean;
  readonly exchanges: readonly Exchange<JsonValue>[];
  readonly attempts: readonly Attempt[];
  readonly words: FailureWords | null;
}> {
  const controller = new AbortController();
  let isSent = false;
  const open = (): boolean => {
    isSent =
      !controller.signal.aborted &&
      !caller.signal.aborted &&
      run.ledger.openGate(run.clock.monotonic(), call.reservation);
    if (!isSent) return false;
    run.reached();
    caller.record.effects.add(call.capability.effect);
    return true;
  };
  let answered: Promise<boolean> | null = null;
  const openGate = (): Promise<boolean> => {
    const { effectGate } = run;
    // What others must know of is known before it leaves; whether the run still wants it is asked last.
    answered ??=
      effectGate === null
        ? Promise.resolve(open())
        : effectGate(call.capability.effect, committed(run)).then((mayLeave) => mayLeave && open());
    return answered;
  };
  const deadlineMs = Math.max(0, call.deadline.at - run.clock.monotonic());
  const { model } = call;
  const dispatch = call.capability.dispatch(call.input, {
    capabilityId,
    signal: controller.signal,
    deadlineMs,
    model:
      model === null
        ? null
        : {
            requestHash: model.requestHash,
            outputLimit: model.outputLimit,
            largerLimit: model.largerLimit ?? null,
          },
    keepsExchanges: run.inspection.isRequested,
    openGate,
  });
  const end = await awaitCall(dispatch, {
    clock: run.clock,
    deadline: call.deadline,
    ended: caller.signal,
    cancel: () => controller.abort(),
    graceMs: CANCEL_GRACE_MS,
  });
  return {
    end,
    isSent,
    exchanges: await dispatch.exchanges(),
    attempts: dispatch.attempts?.() ?? [],
    words: dispatch.words?.() ?? null,
  };
}

const UNKNOWN_USE: ModelUse = { tokens: null, costMicrousd: null };

/** What the budgets are charged: only a success says what it used (runtime.md §11). */
function useOf(outcome: ProviderOutcome<SerializedJson> | null, answer: CallAnswer): ModelUse | 'undispatched' {
  if (outcome?.kind === 'error' && outcome.proof === 'not_dispatched') return 'undispatched';
  if (answer.kind !== 'ok' || outcome?.kind !== 'value' || outcome.usage === null) return UNKNOWN_USE;
  const { input, output, total_cost: cost } = outcome.usage;
  return {
    tokens: input === undefined || output === undefined ? null : input + output,
    costMicrousd: cost?.microunits ?? null,
  };
}

function usageOf(outcome: ProviderOutcome<SerializedJson> | null): TokenUsage | null {
  return outcome?.kind === 'value' || outcome?.kind === 'error' ? outcome.usage : null;
}

function modelEnd(
  answer: CallAnswer,
  outcome: ProviderOutcome<SerializedJson> | null,
  isSent: boolean,
  isPartial: boolean,
) {
  return answer.kind === 'ok'
    ? ({ status: 'ok', usage: usageOf(outcome), isPartial } as const)
    : ({ status: 'error', usage: usageOf(outcome), dispatched: isSent } as const);
}

function thrownOf(outcome: Extract<ProviderOutcome<SerializedJson>, { kind: 'fault' }>) {
  if (outcome.exception === null) throw new Error('an exception that is recorded has its facts');
  return outcome.exception;
}

function shown(answer: CallAnswer) {
  if (answer.kind !== 'ok' && answer.kind !== 'error')
    throw new Error('an installed capability answers with an envelope');
  return answer.envelope;
}

function stoppedFacts(answer: CallAnswer, outcome: ProviderOutcome<SerializedJson> | null, { model }: AdmittedCall) {
  const usage = model === null ? null : usageOf(outcome);
  const reported = usage === null ? {} : { usage };
  if (answer.kind === 'ok')
    return {
      status: 'ok',
      ...reported,
      ...finishFacts(outcome?.kind === 'value' ? outcome.finish : null),
      ...thoughtFacts(outcome),
      ...droppedFacts(outcome),
    } as const;
  if (answer.kind !== 'error') throw new Error('an installed capability answers with an envelope');
  const { kind, reason } = answer.error;
  return {
    status: 'error',
    ...rejectionFacts(kind, reason),
    ...reported,
    ...(model === null ? {} : { model: model.alias }),
  } as const;
}

/** The sizes alone of what goes back to the vendor, or is too long for that (world.md §1.2). */
function thoughtFacts(outcome: ProviderOutcome<SerializedJson> | null) {
  const { continuation = null, droppedBytes = null } = (outcome?.kind === 'value' ? outcome.thought : null) ?? {};
  return {
    ...(continuation === null ? {} : { continuation_bytes: Buffer.byteLength(continuation) }),
    ...(droppedBytes === null ? {} : { continuation_dropped_bytes: droppedBytes }),
  };
}

/** How much of a tool's answer its value leaves out (world.md §2.2). */
function droppedFacts(outcome: ProviderOutcome<SerializedJson> | null) {
  const { droppedBlocks } = outcome?.kind === 'value' ? outcome : {};
  return droppedBlocks === undefined ? {} : { dropped_blocks: droppedBlocks };
}

function reasoningOf(outcome: ProviderOutcome<SerializedJson> | null): string | null {
  return outcome?.kind === 'value' ? (outcome.thought?.text ?? null) : null;
}

function finishFacts(finish: Finish | null) {
  if (finish === null) return {};
  const { reason, outputLimit } = finish;
  return {
    finish_reason: reason,
    ...(reason === 'length' && outputLimit !== null ? { output_limit: { name: 'max_tokens', ...outputLimit } } : {}),
  };
}
