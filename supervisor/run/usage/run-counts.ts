import type { EvaluationError } from '../../../contract/envelope/execution.ts';
import type { ModelDetail, Spend } from '../../../contract/envelope/usage.ts';
import type { Kernel } from '../../calls/kernel/interface.ts';
import type { MissionMemory } from '../../calls/kernel/counts.ts';
import type { RunBroker } from '../../calls/broker/broker.ts';
import type { Budget } from '../../calls/ledger/budget.ts';

/** Counters that the usage record shows (runtime.md §11). */
export interface RunCounts {
  /** `workflow/<name>` or `mission/<name>` to granted reservations. */
  readonly capabilityCalls: Readonly<Record<string, number>>;
  readonly evaluationsByMission: Readonly<Record<string, number>>;
  readonly protocolErrors: number;
  readonly agentProtocolErrors: number;
  readonly sourceChecks: number;
  readonly isEvaluating: boolean;
  readonly capabilityRefusals: Readonly<Record<string, number>>;
  readonly capabilityDenials: Readonly<Record<string, number>>;
  readonly memories: readonly MissionMemory[];
  /** Null where the run has none. */
  readonly tokens: Budget | null;
  readonly cost: Budget | null;
  readonly spend: Spend;
  readonly models: ModelDetail;
  readonly lastEvaluationError: EvaluationError | null;
}

/** The counts of a run now; final once both are closed. */
export function countsOf(broker: Pick<RunBroker, 'counts' | 'models'>, kernel: Pick<Kernel, 'counts'>): RunCounts {
  const { capabilityCalls, protocolErrors, refusals, denials, tokens, cost } = broker.counts();
  return {
    ...kernel.counts(),
    capabilityCalls,
    protocolErrors,
    capabilityRefusals: refusals,
    capabilityDenials: denials,
    tokens,
    cost,
    spend: broker.models.spend(),
    models: broker.models.detail(),
  };
}
