import type { BudgetState, CostBudget, TokenBudget } from '../../../contract/envelope/usage.ts';

/**
 * One budget of a run, tokens or millionths of a dollar (runtime.md §11, "Budget ledger"). At every instant
 * `charged + reserved <= limit`, unless a provider used more than it had promised: `overrun`.
 */
export interface Budget {
  readonly limit: number;
  readonly reserved: number;
  readonly charged: number;
  /** Requests that this budget refused. */
  readonly refused: number;
  readonly state: BudgetState;
}

/** Largest count that leaves the run (interface.md §1.2.8). */
const COUNT_MAX = Number.MAX_SAFE_INTEGER;

export function openBudget(limit: number): Budget {
  return { limit, reserved: 0, charged: 0, refused: 0, state: 'available' };
}

/** What a further call may still reserve; nothing after an overrun. */
export function remainingOf({ limit, charged, reserved, state }: Budget): number {
  return state === 'overrun' ? 0 : Math.max(0, limit - charged - reserved);
}

/** Whether a call of that size may begin. After an overrun nothing may, however small. */
export function admits(budget: Budget, amount: number): boolean {
  return budget.state !== 'overrun' && amount <= remainingOf(budget);
}

export function reserved(budget: Budget, amount: number): Budget {
  return { ...budget, reserved: budget.reserved + amount };
}

export function countRefused(budget: Budget): Budget {
  return { ...budget, refused: Math.min(COUNT_MAX, budget.refused + 1) };
}

/** How one reservation ended. `actual` is null where the provider did not say what it used. */
export type Settlement =
  | { readonly kind: 'undispatched' }
  | { readonly kind: 'dispatched'; readonly actual: number | null };

/** Ends one reservation of `amount` (the table of runtime.md §11). */
export function settled(budget: Budget, amount: number, settlement: Settlement): Budget {
  const released = { ...budget, reserved: budget.reserved - amount };
  if (settlement.kind === 'undispatched') return released;
  const { actual } = settlement;
  if (actual === null) return charge(released, amount, 'incomplete');
  return actual > amount
    ? charge(released, Math.min(COUNT_MAX, actual), 'overrun')
    : charge(released, actual, 'available');
}

/** Whether a settlement shows more use than was reserved; the call then answers `reservation_bound_exceeded`. */
export function exceeds(amount: number, settlement: Settlement): boolean {
  return settlement.kind === 'dispatched' && settlement.actual !== null && settlement.actual > amount;
}

const SEVERITY: Readonly<Record<BudgetState, number>> = { available: 0, incomplete: 1, overrun: 2 };

/** States only worsen. */
function charge(budget: Budget, amount: number, state: BudgetState): Budget {
  return {
    ...budget,
    charged: Math.min(COUNT_MAX, budget.charged + amount),
    state: SEVERITY[state] > SEVERITY[budget.state] ? state : budget.state,
  };
}

/** As the envelope shows it, once nothing is reserved any more. */
export function sealedTokens(budget: Budget): TokenBudget {
  const { state, limit, charged, refused: refusals } = sealed(budget);
  return { state, limit, reserved: 0, charged, remaining: remainingOf(budget), refused: refusals };
}

/** The same in millionths of a dollar. */
export function sealedCost(budget: Budget): CostBudget {
  const { state, limit, charged, refused: refusals } = sealed(budget);
  return {
    state,
    currency: 'USD',
    limit_microusd: limit,
    reserved_microusd: 0,
    charged_microusd: charged,
    remaining_microusd: remainingOf(budget),
    refused: refusals,
  };
}

function sealed(budget: Budget): Budget {
  if (budget.reserved !== 0) throw new Error('a budget is sealed after its last reservation was settled');
  return budget;
}
