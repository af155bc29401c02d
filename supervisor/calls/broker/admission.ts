import { jsonFromPlain } from '../../../contract/json/plain.ts';
import type { SerializedJson } from '../../../contract/json/serialized.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import type { ModelCall } from '../../../contract/provider-protocol/call.ts';
import {
  largerLimitOf,
  outputLimitOf,
  requestTokensOf,
  reservationOf,
  type ModelReservation,
} from '../../../contract/provider-protocol/model.ts';
import { hashedRequest } from '../../../contract/provider-protocol/request-hash.ts';
import { EVENT_LOOP_PACE } from '../../../system/event-loop-pace.ts';
import type { LimitFacts } from '../../evidence/event.ts';
import type { ReservationRefusal } from '../ledger/refusal.ts';
import { normaliseArguments } from './arguments.ts';
import { callDeadline } from './nearest-deadline.ts';
import type { CallDeadline } from './call-deadline.ts';
import {
  RUN_CLOSED,
  ownerOf,
  rejected,
  validationMs,
  type CallRun,
  type EvaluationCaller,
  type Consequence,
} from './call-run.ts';
import type { Capability, RoutedModel } from './capability.ts';
import { errorAnswer, refusedArguments, type CallAnswer } from './envelope.ts';

/** A call that was granted its reservation. */
export interface AdmittedCall {
  /** The name that was called; counters and events know the call by it. */
  readonly name: string;
  /** Behind an alias, the alias's own. */
  readonly capability: Capability;
  readonly input: SerializedJson<JsonObject>;
  readonly model: (RoutedModel & ModelCall) | null;
  readonly deadline: CallDeadline;
  readonly reservation: number;
}

/** A call that may be made: what is sent is settled, and nothing is reserved yet. */
export interface CheckedCall {
  readonly named: Capability;
  /** Behind an alias, the alias's own. */
  readonly capability: Capability;
  readonly input: SerializedJson<JsonObject>;
  readonly model: RoutedModel | null;
}

export type CallCheck =
  | { readonly ok: true; readonly call: CheckedCall }
  | { readonly ok: false; readonly answer: CallAnswer };

export type BrokerAdmission =
  | { readonly ok: true; readonly call: AdmittedCall }
  | { readonly ok: false; readonly answer: CallAnswer };

/** Steps 3 to 7 of runtime.md §5, in their order. A refusal consumes nothing but its own count. */
export async function checkCall(
  run: CallRun,
  caller: EvaluationCaller,
  named: Capability,
  text: string,
): Promise<CallCheck> {
  const refuse = (answer: CallAnswer, consequence?: Consequence): CallCheck => ({
    ok: false,
    answer: rejected(run, caller, answer, consequence),
  });
  const { limits } = run;
  const limitBytes = limits.capability_argument_bytes;
  const reading = normaliseArguments(text, limitBytes, named.inputSchema);
  const parsed = reading instanceof Promise ? await reading : reading;
  if (!parsed.ok) {
    return refuse(
      refusedArguments(parsed),
      parsed.reason === 'argument_exceeded' ? argumentLimit(caller, named.name, limitBytes) : {},
    );
  }
  const checked = await checkRequest(run, caller, named, parsed.input);
  if (checked !== null) return refuse(checked);
  const routing = named.route?.(parsed.input) ?? null;
  if (routing !== null && !routing.ok) return refuse(errorAnswer('protocol_error', routing.reason));
  const { target: capability, request, model } = routing ?? { target: named, request: parsed.input, model: null };
  const refusedTarget = routing === null ? null : await checkRequest(run, caller, capability, request);
  if (refusedTarget !== null) return refuse(withAlias(refusedTarget, model));
  const withheld = capability.withheld?.() ?? null;
  if (withheld !== null) return refuse(errorAnswer(withheld.kind, withheld.reason, { details: withheld.details }));
  return { ok: true, call: { named, capability, input: request, model } };
}

/** Steps 8 to 10 of runtime.md §5. A refusal consumes nothing but its own count. */
export async function reserveCall(
  run: CallRun,
  caller: EvaluationCaller,
  { named, capability, input, model }: CheckedCall,
): Promise<BrokerAdmission> {
  const deadline = callDeadline(run, caller, capability, model?.isLive === true);
  const preparedModelCall = model === null ? null : await prepareModelCall(run, model, input);
  if (preparedModelCall?.reservation === 'unavailable') {
    const { alias } = model ?? { alias: null };
    const answer = errorAnswer('capability_unavailable', 'reservation_attestation_unavailable', { model: alias });
    return { ok: false, answer: rejected(run, caller, answer) };
  }
  const decision = run.ledger.reserve(run.clock.monotonic(), {
    environment: caller.evaluation.environment,
    name: named.name,
    caller: caller.key,
    alias: model === null ? null : { name: model.alias, maxCalls: model.maxCalls },
    model: preparedModelCall?.reservation ?? null,
  });
  const called = model === null || preparedModelCall === null ? null : { ...model, ...preparedModelCall.call };
  if (decision.granted)
    return {
      ok: true,
      call: { name: named.name, capability, input, model: called, deadline, reservation: decision.reservation },
    };
  return refusedReservation(run, caller, decision.refusal, { name: named.name, model });
}

/** Why a call of no model that needs a person's yes could not be made now; null: it could (approvals.md §2). */
export function refusalBeforeAsking(run: CallRun, caller: EvaluationCaller, name: string): CallAnswer | null {
  const refusal = run.ledger.refusalNow(run.clock.monotonic(), {
    environment: caller.evaluation.environment,
    name,
    caller: caller.key,
    alias: null,
    model: null,
  });
  return refusal === null ? null : refusedReservation(run, caller, refusal, { name, model: null }).answer;
}

/** An error of a model call names its alias. */
function withAlias(answer: CallAnswer, model: RoutedModel | null): CallAnswer {
  if (answer.kind !== 'error' || model === null) return answer;
  const { kind, reason, ...more } = answer.error;
  return errorAnswer(kind, reason, { ...more, model: model.alias });
}

/** Size, schema, then what no schema says; null where all pass. */
async function checkRequest(
  run: CallRun,
  caller: EvaluationCaller,
  capability: Capability,
  input: SerializedJson<JsonObject>,
): Promise<CallAnswer | null> {
  if (capability.argumentBytes < run.limits.capability_argument_bytes) {
    const bytes = Buffer.byteLength(await input.text(EVENT_LOOP_PACE));
    if (bytes > capability.argumentBytes) return errorAnswer('protocol_error', 'argument_exceeded');
  }
  const timeoutMs = validationMs(run, caller);
  const verdict =
    timeoutMs <= 0 ? ({ status: 'unavailable' } as const) : await capability.checkArguments(input, timeoutMs);
  if (verdict.status === 'unavailable') return errorAnswer('capability_unavailable', 'input_validation_unavailable');
  if (verdict.status === 'invalid') return invalidArguments(capability, verdict.violations);
  return (await capability.accepts(input)) ? null : invalidArguments(capability, []);
}

/** Violations that an envelope reports (runtime.md §5, "details"). */
const VIOLATIONS_MAX = 3;

/** Members of an enum are for those alone whom the schema is shown to as well (world.md §3.4). */
function invalidArguments({ name, isModelVisible }: Capability, violations: readonly JsonValue[]): CallAnswer {
  const shown = violations.slice(0, VIOLATIONS_MAX).map((one) => (isModelVisible ? one : withoutMembers(one)));
  const details =
    shown.length === 0
      ? null
      : new Map<string, JsonValue>([
          ['name', name],
          ['violations', shown],
        ]);
  return errorAnswer('protocol_error', 'invalid_arguments', { details });
}

function withoutMembers(violation: JsonValue): JsonValue {
  return isJsonObject(violation) ? new Map([...violation].filter(([member]) => member !== 'members')) : violation;
}

interface PreparedModelCall {
  readonly call: ModelCall;
  /**
   * What a live call asks of the budgets; null where it is bounded by none, `unavailable` where it cannot be and must.
   */
  readonly reservation: ModelReservation | null | 'unavailable';
}

/**
 * What follows from the canonical text of a request: its replay key, the output that it may ask for, its reservation
 * (step 9).
 */
async function prepareModelCall(
  { limits }: CallRun,
  { isLive, terms }: RoutedModel,
  request: SerializedJson<JsonObject>,
): Promise<PreparedModelCall> {
  const requestHash = await hashedRequest(request).digest(EVENT_LOOP_PACE);
  if (!isLive && terms === null) return { call: { requestHash, outputLimit: null }, reservation: null };
  const most = requestTokensOf(request.value, Buffer.byteLength(await request.text(EVENT_LOOP_PACE)));
  const { llm_request_output_tokens: outputTokens, llm_total_tokens: tokens, llm_cost_microusd: cost } = limits;
  const outputLimit = isLive && terms !== null ? outputLimitOf(terms, outputTokens, most) : null;
  const largerLimit = isLive && terms !== null ? largerLimitOf(terms, outputTokens, most) : null;
  const reservation = terms === null ? null : reservationOf(terms, outputTokens, most, cost !== null);
  const isBounded = tokens !== null || cost !== null;
  return {
    call: { requestHash, outputLimit, largerLimit },
    reservation: reservation ?? (isBounded ? 'unavailable' : null),
  };
}

function argumentLimit(caller: EvaluationCaller, name: string, value: number): Consequence {
  return {
    limit: {
      ...ownerOf(caller),
      name,
      reason: 'argument_exceeded',
      limit: 'capability_argument_bytes',
      limit_value: value,
    },
  };
}

type Refusal = Extract<BrokerAdmission, { readonly ok: false }>;

interface Refused {
  readonly name: string;
  readonly model: RoutedModel | null;
}

function refusedReservation(
  run: CallRun,
  caller: EvaluationCaller,
  refusal: ReservationRefusal,
  { name, model }: Refused,
): Refusal {
  const alias = model?.alias ?? null;
  const factsOf = (limit: string, limitValue: number): LimitFacts => ({
    ...ownerOf(caller),
    name,
    ...(alias === null ? {} : { alias }),
    reason: tracedReason(refusal),
    limit,
    limit_value: limitValue,
  });
  const limited = (
    reason: string,
    details: Readonly<Record<string, string | number>> | null,
    consequence: Consequence,
  ): Refusal => {
    const answer = errorAnswer('limit_exceeded', reason, {
      details: details === null ? null : (jsonFromPlain(details) ?? null),
      model: alias,
    });
    return { ok: false, answer: rejected(run, caller, answer, consequence) };
  };
  switch (refusal.reason) {
    case 'run_closed':
      return { ok: false, answer: RUN_CLOSED };
    case 'stale_evaluation':
      return { ok: false, answer: errorAnswer('capability_denied', 'stale_evaluation') };
    case 'reservation_held':
      return limited('reservation_held', null, {});
    case 'live_provider_tasks':
      return limited(
        'live_provider_tasks',
        { limit: 'live_provider_tasks', limit_value: refusal.value },
        { limit: factsOf('live_provider_tasks', refusal.value) },
      );
    case 'capability_quota':
      return limited(
        'capability_quota',
        { limit: refusal.limit, name: refusal.name, limit_value: refusal.value },
        {
          limit: factsOf(refusal.limit, refusal.value),
          issued: { kind: 'quota', limit: refusal.limit, name: refusal.name, value: refusal.value },
        },
      );
    case 'alias_quota':
      return limited(
        'capability_quota',
        { limit: 'max_calls', alias: refusal.alias, limit_value: refusal.value },
        {
          limit: factsOf('max_calls', refusal.value),
          issued: { kind: 'alias_quota', alias: refusal.alias, value: refusal.value },
        },
      );
    case 'output_unauthorised':
      return {
        ok: false,
        answer: rejected(
          run,
          caller,
          errorAnswer('capability_unavailable', 'llm_output_authorization_invalid', { model: alias }),
        ),
      };
    case 'llm_total_tokens':
    case 'llm_cost_microusd': {
      const { reason: limit, value, requested, remaining } = refusal;
      return limited(
        limit,
        { limit, limit_value: value, requested, remaining },
        {
          limit: factsOf(limit, value),
          issued: { kind: 'budget', limit, value, requested, remaining },
        },
      );
    }
  }
}

function tracedReason({ reason }: ReservationRefusal): string {
  return reason === 'alias_quota' ? 'capability_quota' : reason;
}
