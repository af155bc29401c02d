import type { ModelReservation } from '../../../contract/provider-protocol/model.ts';
import {
  admits,
  countRefused,
  exceeds,
  openBudget,
  remainingOf,
  reserved,
  settled,
  type Budget,
  type Settlement,
} from './budget.ts';
import type { ReservationRefusal } from './refusal.ts';

export interface ModelLimits {
  /** Output tokens that one live model call may ask for. */
  readonly requestOutputTokens: number;
  /** Null: no budget. */
  readonly totalTokens: number | null;
  readonly costMicrousd: number | null;
}

/** What a sent model call used; null members are what the provider did not say. */
export interface ModelUse {
  readonly tokens: number | null;
  readonly costMicrousd: number | null;
}

/** What live model calls may use, in tokens and in money; a budget that is null is none (runtime.md §11). */
export class ModelBudgets {
  readonly #requestOutputTokens: number;
  #tokens: Budget | null;
  #cost: Budget | null;

  constructor({ requestOutputTokens, totalTokens, costMicrousd }: ModelLimits) {
    this.#requestOutputTokens = requestOutputTokens;
    this.#tokens = totalTokens === null ? null : openBudget(totalTokens);
    this.#cost = costMicrousd === null ? null : openBudget(costMicrousd);
  }

  /** Why a call finds no room in both budgets; the one that refuses counts it. */
  refusal({ outputTokens, tokens, costMicrousd }: ModelReservation): ReservationRefusal | null {
    if (outputTokens === null || outputTokens > this.#requestOutputTokens) return { reason: 'output_unauthorised' };
    if (this.#tokens !== null && !admits(this.#tokens, tokens)) {
      const refusal = overBudget('llm_total_tokens', this.#tokens, tokens);
      this.#tokens = countRefused(this.#tokens);
      return refusal;
    }
    if (this.#cost !== null && !admits(this.#cost, costMicrousd)) {
      const refusal = overBudget('llm_cost_microusd', this.#cost, costMicrousd);
      this.#cost = countRefused(this.#cost);
      return refusal;
    }
    return null;
  }

  reserve({ tokens, costMicrousd }: ModelReservation): void {
    if (this.#tokens !== null) this.#tokens = reserved(this.#tokens, tokens);
    if (this.#cost !== null) this.#cost = reserved(this.#cost, costMicrousd);
  }

  /** Ends one reservation of both; `use` is null where nothing was sent. Whether more was used than was reserved. */
  settle({ tokens, costMicrousd }: ModelReservation, use: ModelUse | null): boolean {
    const tokenEnd = use === null ? UNDISPATCHED : dispatched(use.tokens);
    const costEnd = use === null ? UNDISPATCHED : dispatched(use.costMicrousd);
    const isExceeded =
      (this.#tokens !== null && exceeds(tokens, tokenEnd)) || (this.#cost !== null && exceeds(costMicrousd, costEnd));
    if (this.#tokens !== null) this.#tokens = settled(this.#tokens, tokens, tokenEnd);
    if (this.#cost !== null) this.#cost = settled(this.#cost, costMicrousd, costEnd);
    return isExceeded;
  }

  tokens(): Budget | null {
    return this.#tokens;
  }

  cost(): Budget | null {
    return this.#cost;
  }
}

function overBudget(
  limit: 'llm_total_tokens' | 'llm_cost_microusd',
  budget: Budget,
  requested: number,
): ReservationRefusal {
  return { reason: limit, value: budget.limit, requested, remaining: remainingOf(budget) };
}

const UNDISPATCHED: Settlement = { kind: 'undispatched' };

function dispatched(actual: number | null): Settlement {
  return { kind: 'dispatched', actual };
}
