import type { CommittedSpending } from '../../../contract/effect.ts';
import type { WrittenLimits } from '../../../contract/limits/effective.ts';
import type { Lease } from '../engine/interface.ts';
import type { PreparedApplication } from '../embedding/types.ts';

/** Tokens and millionths of a dollar. */
export interface Spent {
  readonly tokens: number;
  readonly microusd: number;
}

/** What the attempts at one run spend together. */
export interface JobSpending {
  /** By earlier attempts: at least what they spent, since a call is noted in full before it leaves. */
  readonly before: Spent;
  /** Notes what this attempt has committed; false where the next one could not know of it. */
  note(committed: CommittedSpending): Promise<boolean>;
}

/** From what the lease brings. */
export function spendingOver(lease: Pick<Lease, 'spent' | 'note'>): JobSpending {
  const before = spentOf(lease.spent);
  let noted = before;
  return {
    before,
    async note({ tokens, microusd }) {
      const total = { tokens: before.tokens + (tokens ?? 0), microusd: before.microusd + (microusd ?? 0) };
      if (total.tokens === noted.tokens && total.microusd === noted.microusd) return true;
      if (!(await lease.note(total))) return false;
      noted = total;
      return true;
    },
  };
}

/**
 * Limits of an attempt, less what was spent before it (gateway.md §19). Of a budget that is gone 1 stays, the least
 * that a limit can be: no call fits into it.
 */
export function limitsAfter(
  own: PreparedApplication['limits'],
  limits: WrittenLimits,
  { tokens, microusd }: Spent,
): WrittenLimits {
  if (tokens === 0 && microusd === 0) return limits;
  const left = (limit: number | null | undefined, spent: number): number | null =>
    typeof limit === 'number' ? Math.max(1, limit - spent) : null;
  const totalTokens = left(limits.llm_total_tokens ?? own.llm_total_tokens, tokens);
  const cost = left(limits.llm_cost_microusd ?? own.llm_cost_microusd, microusd);
  return {
    ...limits,
    ...(totalTokens === null ? {} : { llm_total_tokens: totalTokens }),
    ...(cost === null ? {} : { llm_cost_microusd: cost }),
  };
}

/** What others wrote is read with care: what is no count counts as nothing. */
function spentOf(value: unknown): Spent {
  const { tokens, microusd }: { readonly tokens?: unknown; readonly microusd?: unknown } =
    typeof value === 'object' && value !== null ? value : {};
  return { tokens: countOf(tokens), microusd: countOf(microusd) };
}

function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}
