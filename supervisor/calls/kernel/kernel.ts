import type { KernelRouteName } from '../../../contract/routes.ts';
import type { Kernel } from './interface.ts';
import type { Route } from '../broker/route.ts';
import { openMissionSession } from './missions/room.ts';
import { missionCounts } from './missions/state.ts';
import type { KernelOptions } from './options.ts';
import { outcomeTokens } from './outcome-tokens.ts';
import { agentConfigFailureRoute } from './routes/agent-config.ts';
import { agentOutcomeRoute } from './routes/agent-outcome.ts';
import { answerValue, unproven } from './routes/answers.ts';
import { hasForm } from './routes/arguments.ts';
import { checkSourceRoute } from './routes/check-source.ts';
import {
  phaseReturnContractFailureRoute,
  resultContractFailureRoute,
  resultContractRoute,
} from './routes/contracts.ts';
import { evaluateRoute } from './routes/evaluate.ts';
import { runtimeLimitFailureRoute } from './routes/limit-failure.ts';
import { inventoryRoute, modelContextRoute } from './routes/mission-texts.ts';
import { providerFailureRoute } from './routes/provider-failure.ts';
import { workspaceRoute } from './routes/workspace.ts';

/** The kernel of one run, with what a run does for it before it is asked. */
export interface RunKernel extends Kernel {
  /** Makes an isolate for the first mission, so that the first evaluation need not wait for a process. */
  prepare(): void;
}

/** Opens the kernel of one run (runtime.md §6). */
export function openKernel(options: KernelOptions): RunKernel {
  const { missions, contracts, limits } = options;
  const room = openMissionSession(options);
  const claimLastError = (evaluationId: string | null): void => room.note({ event: 'claimed', evaluationId });

  const agentProtocolError: Route = async ({ json }) => {
    if (!hasForm(json, { required: {} })) return unproven('invalid_agent_protocol_error');
    room.note({ event: 'agent_protocol_error' });
    return answerValue(true);
  };

  const routes: Readonly<Record<KernelRouteName, Route>> = {
    'kernel-eval': evaluateRoute({ room, missions, argumentBytes: limits.capability_argument_bytes }),
    'kernel-check-source': checkSourceRoute(room, missions),
    'kernel-mission-inventory': inventoryRoute(missions),
    'kernel-mission-model-context': modelContextRoute(room, missions),
    'kernel-workspace': workspaceRoute(room, missions),
    'kernel-result-contract': resultContractRoute(contracts),
    'kernel-runtime-limit-failure': runtimeLimitFailureRoute({
      proofs: room.proofs,
      evaluations: limits.subordinate_evaluations,
      argumentBytes: limits.capability_argument_bytes,
      claimLastError,
    }),
    'kernel-llm-provider-failure': providerFailureRoute(options.providerFailures),
    'kernel-result-contract-failure': resultContractFailureRoute(contracts),
    'kernel-phase-return-contract-failure': phaseReturnContractFailureRoute(contracts),
    'kernel-agent-config-failure': agentConfigFailureRoute(),
    'kernel-agent-outcome-failure': agentOutcomeRoute({
      tokens: outcomeTokens(options.random),
      contracts,
      claimLastError,
    }),
    'kernel-agent-protocol-error': agentProtocolError,
  };

  return {
    routes: new Map(Object.entries(routes)),
    prepare() {
      const [first] = missions.keys();
      if (first !== undefined) room.isolates.prepare(first, limits.evaluation_timeout_ms);
    },
    counts: () => ({ ...missionCounts(room.state(), [...missions.keys()]), isEvaluating: room.lease.isHeld() }),
    producerOf: (value) => room.produced.producerOf(value),
    close: room.close,
  };
}
