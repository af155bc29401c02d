import type { RunFailure, RunSuccess } from '../../../contract/envelope/types.ts';
import type { Spend } from '../../../contract/envelope/usage.ts';
import type { EffectiveLimits, WrittenLimits } from '../../../contract/limits/effective.ts';
import type { Sandbox } from '../../../sandbox/pool/interface.ts';
import type { Application } from '../../application/preflight/application.ts';
import type { DayBounds, Spending } from '../tenants/day-budgets.ts';
import type { TenantPolicy } from '../../platform/tenant.ts';

/** What a run can spend at models at most; null: nobody knows (gateway.md §18). */
export function worstSpending({ providers, limits }: Application, narrowed: WrittenLimits = {}): DayBounds {
  if (![...providers.workflow, ...providers.mission].some(({ provider }) => provider.isModel))
    return { tokens: 0, microusd: 0 };
  const {
    llm_total_tokens: tokens,
    llm_cost_microusd: microusd,
  }: Pick<EffectiveLimits, 'llm_total_tokens' | 'llm_cost_microusd'> = limits.values;
  return { tokens: narrowed.llm_total_tokens ?? tokens, microusd: narrowed.llm_cost_microusd ?? microusd };
}

/** Bounds of its day. */
export function dayBounds({ llmTokensPerDay, costMicrousdPerDay }: TenantPolicy): DayBounds {
  return { tokens: llmTokensPerDay, microusd: costMicrousdPerDay };
}

/** What a run has spent at models; null where its record does not say all of it. */
export function spendingOf({ execution }: RunSuccess | RunFailure): Spending | null {
  if (execution.state === 'not_started') return { tokens: 0, microusd: 0 };
  return execution.usage === null || !('llm_spend' in execution.usage) ? null : spent(execution.usage.llm_spend);
}

function spent(spend: Spend): Spending | null {
  switch (spend.state) {
    case 'empty':
      return { tokens: 0, microusd: 0 };
    case 'available':
      return { tokens: spend.input + spend.output, microusd: spend.total_cost.microunits };
    default:
      return null;
  }
}

/** The same sandbox for one run alone: nothing else is ever in the processes of its workflow. `end` ends them. */
export function sandboxOfOneRun(
  sandbox: Sandbox,
  runRef: string,
): { readonly own: Sandbox; readonly end: () => Promise<void> } {
  const domains = new Set<string>();
  const own: Sandbox = {
    ...sandbox,
    openIsolate: async (options) => {
      if (options.environment !== 'workflow') return sandbox.openIsolate(options);
      const trustDomain = `${options.trustDomain} ${runRef}`;
      domains.add(trustDomain);
      return sandbox.openIsolate({ ...options, trustDomain });
    },
  };
  return {
    own,
    end: async () => {
      await Promise.all([...domains].map((trustDomain) => sandbox.endDomain({ environment: 'workflow', trustDomain })));
    },
  };
}
