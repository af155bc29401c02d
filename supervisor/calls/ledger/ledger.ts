import type { ModelReservation } from '../../../contract/provider-protocol/model.ts';
import type { Budget } from './budget.ts';
import { CallQuotas, type CallLimits, type CountedCall } from './call-quotas.ts';
import { classCounts } from './class-counts.ts';
import { ModelBudgets, type ModelLimits, type ModelUse } from './model-budgets.ts';
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

export interface LedgerLimits extends ModelLimits {
  readonly calls: CallLimits;
  readonly liveTasks: number;
  readonly protocolErrors: number;
  /** When the run ends. */
  readonly deadlineAt: number;
}

export interface LedgerRequest extends CountedCall {
  readonly caller: string;
  /** Of a live model call; null for every other one, replay included. */
  readonly model: ModelReservation | null;
}

export type Decision =
  | { readonly granted: true; readonly reservation: number }
  | { readonly granted: false; readonly refusal: ReservationRefusal };

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
  return new RunLedger(limits);
}

class RunLedger implements Ledger {
  readonly #limits: LedgerLimits;
  readonly #quotas: CallQuotas;
  readonly #budgets: ModelBudgets;
  /** Open callers, each with the number of its live reservations. */
  readonly #callers = new Map<string, number>();
  readonly #reservations = new Map<number, Reservation>();
  readonly #refusals = classCounts();
  readonly #denials = classCounts();
  #issued = 0;
  #branches = 0;
  #protocolErrors = 0;
  #isClosed = false;

  constructor(limits: LedgerLimits) {
    this.#limits = limits;
    this.#quotas = new CallQuotas(limits.calls);
    this.#budgets = new ModelBudgets(limits);
  }

  openCaller(caller: string): void {
    if (!this.#callers.has(caller)) this.#callers.set(caller, 0);
  }

  closeCaller(caller: string): void {
    this.#callers.delete(caller);
  }

  isOpen(caller: string): boolean {
    return this.#callers.has(caller);
  }

  refusalNow(now: number, request: LedgerRequest & { readonly model: null }): ReservationRefusal | null {
    return this.#refusal(now, request);
  }

  reserve(now: number, request: LedgerRequest): Decision {
    const refusal = this.#refusal(now, request);
    return refusal === null ? { granted: true, reservation: this.#grant(request) } : { granted: false, refusal };
  }

  openGate(now: number, id: number): boolean {
    const reservation = this.#reservations.get(id);
    if (reservation === undefined || this.isClosed(now) || !this.#callers.has(reservation.caller)) return false;
    reservation.isSent = true;
    return true;
  }

  settle(id: number, use: ModelUse | 'undispatched'): { readonly exceeded: boolean } {
    const reservation = this.#reservations.get(id);
    return { exceeded: reservation !== undefined && this.#end(id, reservation, use) };
  }

  takeBranches(wanted: number): number {
    const free = this.#limits.liveTasks - this.#branches;
    const granted = this.#isClosed ? 0 : Math.max(0, Math.min(wanted, free));
    this.#branches += granted;
    return granted;
  }

  releaseBranches(count: number): void {
    this.#branches = Math.max(0, this.#branches - count);
  }

  protocolError(): 'counted' | 'exhausted' {
    this.#protocolErrors += 1;
    return this.#protocolErrors > this.#limits.protocolErrors ? 'exhausted' : 'counted';
  }

  countRefusal(key: string): void {
    this.#refusals.count(key);
  }

  countDenial(key: string): void {
    this.#denials.count(key);
  }

  isClosed(now: number): boolean {
    return this.#isClosed || now >= this.#limits.deadlineAt;
  }

  close(): void {
    this.#isClosed = true;
  }

  seal(): void {
    this.close();
    for (const [id, reservation] of this.#reservations) this.#end(id, reservation, UNKNOWN_USE);
  }

  counts(): LedgerCounts {
    return {
      capabilityCalls: this.#quotas.calls(),
      protocolErrors: this.#protocolErrors,
      refusals: this.#refusals.values(),
      denials: this.#denials.values(),
      tokens: this.#budgets.tokens(),
      cost: this.#budgets.cost(),
    };
  }

  /** The first test that fails, in the order of runtime.md §5 step 10. */
  #refusal(now: number, request: LedgerRequest): ReservationRefusal | null {
    const { liveTasks } = this.#limits;
    const reserved = this.#callers.get(request.caller);
    if (this.isClosed(now)) return { reason: 'run_closed' };
    if (reserved === undefined) return { reason: 'stale_evaluation' };
    if (this.#reservations.size >= liveTasks) return { reason: 'live_provider_tasks', value: liveTasks };
    const overQuota = this.#quotas.refusal(request);
    if (overQuota !== null) return overQuota;
    if (reserved > 0) return { reason: 'reservation_held' };
    return request.model === null ? null : this.#budgets.refusal(request.model);
  }

  #grant(request: LedgerRequest): number {
    const { caller, model } = request;
    this.#issued += 1;
    this.#reservations.set(this.#issued, { caller, model, isSent: false });
    this.#callers.set(caller, (this.#callers.get(caller) ?? 0) + 1);
    this.#quotas.count(request);
    if (model !== null) this.#budgets.reserve(model);
    return this.#issued;
  }

  /** Whether more was used than was reserved. */
  #end(id: number, { caller, model, isSent }: Reservation, use: ModelUse | 'undispatched'): boolean {
    this.#reservations.delete(id);
    const open = this.#callers.get(caller);
    if (open !== undefined) this.#callers.set(caller, open - 1);
    return model !== null && this.#budgets.settle(model, isSent && use !== 'undispatched' ? use : null);
  }
}

const UNKNOWN_USE: ModelUse = { tokens: null, costMicrousd: null };
