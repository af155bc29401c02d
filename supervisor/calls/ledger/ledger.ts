import type { ModelReservation } from '../../../contract/provider-protocol/model.ts';
import {
  admits,
  exceeds,
  openBudget,
  countRefused,
  remainingOf,
  reserved,
  settled,
  type Budget,
  type Settlement,
} from './budget.ts';
import { classCounts } from './class-counts.ts';
import type { ReservationRefusal } from './refusal.ts';

/**
 * The counters of one run and who may go on: a state machine without effects. Times come in as numbers, milliseconds of
 * the run's monotonic clock (runtime.md §5 step 10, §9, §11).
 */
export interface Ledger {
  /** An evaluation, or a parallel branch of one, that may hold one reservation at a time. */
  openCaller(caller: string): void;
  /** Its reservations live on until they are settled; it gets no further ones. */
  closeCaller(caller: string): void;
  isOpen(caller: string): boolean;
  /** Why a call that is of no model could not be made now; null: it could. Takes nothing. */
  refusalNow(now: number, request: LedgerRequest & { readonly model: null }): ReservationRefusal | null;
  /** Takes quota, slot and budgets in one step, or nothing at all. */
  reserve(now: number, request: LedgerRequest): Decision;
  /** Whether the call may be sent now; it counts as sent from here on. False: it must not be, and is settled so. */
  openGate(now: number, reservation: number): boolean;
  /** Releases the slot and ends the reservation of both budgets; `exceeded`: more was used than was reserved. */
  settle(reservation: number, use: ModelUse | 'undispatched'): { readonly exceeded: boolean };
  /** Of `wanted` parallel branches those that find a slot; counted apart from provider calls (runtime.md §8). */
  takeBranches(wanted: number): number;
  releaseBranches(count: number): void;
  /** Counts one malformed request; `exhausted`: it is the one beyond the limit, and the run is over. */
  protocolError(): 'counted' | 'exhausted';
  countRefusal(key: string): void;
  countDenial(key: string): void;
  isClosed(now: number): boolean;
  /** Grants nothing more and opens no gate. */
  close(): void;
  /** Closes, and ends what is still reserved: sent calls are charged in full (runtime.md §10). */
  seal(): void;
  counts(): LedgerCounts;
}

export type EnvironmentName = 'workflow' | 'mission';

export interface LedgerLimits {
  /** Calls of an environment, and of any one name in it. */
  readonly calls: Readonly<Record<EnvironmentName, { readonly total: number; readonly perName: number }>>;
  readonly liveTasks: number;
  readonly protocolErrors: number;
  /** Output tokens that one live model call may ask for. */
  readonly requestOutputTokens: number;
  /** Null: no budget. */
  readonly totalTokens: number | null;
  readonly costMicrousd: number | null;
  /** When the run ends. */
  readonly deadlineAt: number;
}

export interface LedgerRequest {
  readonly environment: EnvironmentName;
  readonly name: string;
  readonly caller: string;
  /** Of a model call, which counts for its alias too. */
  readonly alias: { readonly name: string; readonly maxCalls: number } | null;
  /** Of a live model call; null for every other one, replay included. */
  readonly model: ModelReservation | null;
}

export type Decision =
  | { readonly granted: true; readonly reservation: number }
  | { readonly granted: false; readonly refusal: ReservationRefusal };

/** What a sent model call used; null members are what the provider did not say. */
export interface ModelUse {
  readonly tokens: number | null;
  readonly costMicrousd: number | null;
}

export interface LedgerCounts {
  /** `workflow/<name>` or `mission/<name>` to granted reservations. */
  readonly capabilityCalls: Readonly<Record<string, number>>;
  readonly protocolErrors: number;
  readonly refusals: Readonly<Record<string, number>>;
  readonly denials: Readonly<Record<string, number>>;
  /** Null where the run has none. */
  readonly tokens: Budget | null;
  readonly cost: Budget | null;
}

interface Reservation {
  readonly caller: string;
  readonly model: ModelReservation | null;
  isSent: boolean;
}

export function openLedger(limits: LedgerLimits): Ledger {
  /** Open callers, each with the number of its live reservations. */
  const callers = new Map<string, number>();
  const reservations = new Map<number, Reservation>();
  const calls = new Map<string, number>();
  const totals: Record<EnvironmentName, number> = { workflow: 0, mission: 0 };
  const aliasCalls = new Map<string, number>();
  const refusals = classCounts();
  const denials = classCounts();
  let tokens = limits.totalTokens === null ? null : openBudget(limits.totalTokens);
  let cost = limits.costMicrousd === null ? null : openBudget(limits.costMicrousd);
  let issued = 0;
  let branches = 0;
  let protocolErrors = 0;
  let isClosed = false;

  const closedAt = (now: number): boolean => isClosed || now >= limits.deadlineAt;

  /** The first test that fails, in the order of runtime.md §5 step 10; budgets are tried by `budgetRefusal`. */
  const refusalOf = (now: number, request: LedgerRequest): ReservationRefusal | null => {
    const { environment, name, caller, alias, model } = request;
    const { total, perName } = limits.calls[environment];
    const held = callers.get(caller);
    const named = calls.get(`${environment}/${name}`) ?? 0;
    if (closedAt(now)) return { reason: 'run_closed' };
    if (held === undefined) return { reason: 'stale_evaluation' };
    if (reservations.size >= limits.liveTasks) return { reason: 'live_provider_tasks', value: limits.liveTasks };
    if (named >= perName)
      return { reason: 'capability_quota', limit: `${environment}_capability_calls_per_name`, name, value: perName };
    if (totals[environment] >= total)
      return { reason: 'capability_quota', limit: `${environment}_capability_calls`, name, value: total };
    if (alias !== null && alias.maxCalls < perName && (aliasCalls.get(alias.name) ?? 0) >= alias.maxCalls) {
      return { reason: 'alias_quota', alias: alias.name, value: alias.maxCalls };
    }
    if (held > 0) return { reason: 'reservation_held' };
    if (model === null) return null;
    const { outputTokens } = model;
    return outputTokens === null || outputTokens > limits.requestOutputTokens
      ? { reason: 'output_unauthorised' }
      : budgetRefusal(model);
  };

  /** Both budgets or neither; the one that refuses counts it. */
  const budgetRefusal = (model: ModelReservation): ReservationRefusal | null => {
    if (tokens !== null && !admits(tokens, model.tokens)) {
      const refusal = overBudget('llm_total_tokens', tokens, model.tokens);
      tokens = countRefused(tokens);
      return refusal;
    }
    if (cost !== null && !admits(cost, model.costMicrousd)) {
      const refusal = overBudget('llm_cost_microusd', cost, model.costMicrousd);
      cost = countRefused(cost);
      return refusal;
    }
    return null;
  };

  const grant = ({ environment, name, caller, alias, model }: LedgerRequest): number => {
    issued += 1;
    reservations.set(issued, { caller, model, isSent: false });
    increment(calls, `${environment}/${name}`);
    increment(callers, caller);
    totals[environment] += 1;
    if (alias !== null) increment(aliasCalls, alias.name);
    if (model !== null && tokens !== null) tokens = reserved(tokens, model.tokens);
    if (model !== null && cost !== null) cost = reserved(cost, model.costMicrousd);
    return issued;
  };

  const end = (
    id: number,
    { caller, model, isSent }: Reservation,
    use: ModelUse | 'undispatched',
  ): { readonly exceeded: boolean } => {
    reservations.delete(id);
    const open = callers.get(caller);
    if (open !== undefined) callers.set(caller, open - 1);
    if (model === null) return { exceeded: false };
    const isUsed = isSent && use !== 'undispatched';
    const tokenEnd = isUsed ? dispatched(use.tokens) : UNDISPATCHED;
    const costEnd = isUsed ? dispatched(use.costMicrousd) : UNDISPATCHED;
    const exceeded =
      (tokens !== null && exceeds(model.tokens, tokenEnd)) || (cost !== null && exceeds(model.costMicrousd, costEnd));
    if (tokens !== null) tokens = settled(tokens, model.tokens, tokenEnd);
    if (cost !== null) cost = settled(cost, model.costMicrousd, costEnd);
    return { exceeded };
  };

  return {
    openCaller: (caller) => {
      if (!callers.has(caller)) callers.set(caller, 0);
    },
    closeCaller: (caller) => {
      callers.delete(caller);
    },
    isOpen: (caller) => callers.has(caller),
    refusalNow: refusalOf,
    reserve: (now, request) => {
      const refusal = refusalOf(now, request);
      return refusal === null ? { granted: true, reservation: grant(request) } : { granted: false, refusal };
    },
    openGate: (now, id) => {
      const reservation = reservations.get(id);
      if (reservation === undefined || closedAt(now) || !callers.has(reservation.caller)) return false;
      reservation.isSent = true;
      return true;
    },
    settle: (id, use) => {
      const reservation = reservations.get(id);
      return reservation === undefined ? { exceeded: false } : end(id, reservation, use);
    },
    takeBranches: (wanted) => {
      const granted = isClosed ? 0 : Math.max(0, Math.min(wanted, limits.liveTasks - branches));
      branches += granted;
      return granted;
    },
    releaseBranches: (count) => {
      branches = Math.max(0, branches - count);
    },
    protocolError: () => {
      protocolErrors += 1;
      return protocolErrors > limits.protocolErrors ? 'exhausted' : 'counted';
    },
    countRefusal: (key) => refusals.count(key),
    countDenial: (key) => denials.count(key),
    isClosed: closedAt,
    close: () => {
      isClosed = true;
    },
    seal: () => {
      isClosed = true;
      for (const [id, reservation] of reservations) end(id, reservation, UNKNOWN_USE);
    },
    counts: () => ({
      capabilityCalls: Object.fromEntries(calls),
      protocolErrors,
      refusals: refusals.values(),
      denials: denials.values(),
      tokens,
      cost,
    }),
  };
}

function overBudget(
  limit: 'llm_total_tokens' | 'llm_cost_microusd',
  budget: Budget,
  requested: number,
): ReservationRefusal {
  return { reason: limit, value: budget.limit, requested, remaining: remainingOf(budget) };
}

const UNKNOWN_USE: ModelUse = { tokens: null, costMicrousd: null };
const UNDISPATCHED: Settlement = { kind: 'undispatched' };

function dispatched(actual: number | null): Settlement {
  return { kind: 'dispatched', actual };
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
