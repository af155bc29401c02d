import type { Kernel, KernelCounts, Route } from '../broker/interface.ts';
import { openEvaluations } from './missions/evaluations.ts';
import { openSourceChecks } from './missions/checks.ts';
import type { KernelOptions } from './options.ts';
import { outcomeTokens } from './outcome-tokens.ts';
import { agentConfigFailureRoute } from './routes/agent-config.ts';
import { agentOutcomeRoute } from './routes/agent-outcome.ts';
import { answered, unproven } from './routes/answers.ts';
import { hasForm } from './routes/arguments.ts';
import { checkSourceRoute } from './routes/check-source.ts';
import { phaseReturnContractFailureRoute, resultContractFailureRoute, resultContractRoute } from './routes/contracts.ts';
import { evaluateRoute } from './routes/evaluate.ts';
import { runtimeLimitFailureRoute } from './routes/limit-failure.ts';
import { missionTextRoute } from './routes/mission-texts.ts';
import { providerFailureRoute } from './routes/provider-failure.ts';

/** The kernel of one run, with what a run does for it before it is asked. */
export interface RunKernel extends Kernel {
  /** Makes an isolate for the first mission, so that the first evaluation need not wait for a process. */
  prepare(): void;
}

/** Opens the kernel of one run (runtime.md §6). */
export function openKernel(options: KernelOptions): RunKernel {
  const { missions, contracts, limits } = options;
  const evaluations = openEvaluations(options, options.after ?? afterTimeout);
  const checks = openSourceChecks(options, evaluations);
  let agentProtocolErrors = 0;
  /** Whether a report said that the last evaluation failed, and of which it spoke. */
  let claimed: { readonly evaluationId: string | null } | null = null;

  const claimLastError = (evaluationId: string | null): void => {
    claimed = { evaluationId };
  };

  const agentProtocolError: Route = async ({ json }) => {
    if (!hasForm(json, { required: {} })) return unproven('invalid_agent_protocol_error');
    agentProtocolErrors += 1;
    return answered(true);
  };

  const routes = new Map<string, Route>([
    ['kernel-eval', evaluateRoute({ evaluations, missions, argumentBytes: limits.capability_argument_bytes })],
    ['kernel-check-source', checkSourceRoute(checks, missions)],
    ['kernel-mission-inventory', missionTextRoute(missions, 'inventory')],
    ['kernel-mission-model-context', missionTextRoute(missions, 'modelContext')],
    ['kernel-result-contract', resultContractRoute(contracts)],
    ['kernel-runtime-limit-failure', runtimeLimitFailureRoute({ proofs: evaluations.proofs, evaluations: limits.subordinate_evaluations, claimLastError })],
    ['kernel-llm-provider-failure', providerFailureRoute(options.providerFailures)],
    ['kernel-result-contract-failure', resultContractFailureRoute(contracts)],
    ['kernel-phase-return-contract-failure', phaseReturnContractFailureRoute(contracts)],
    ['kernel-agent-config-failure', agentConfigFailureRoute()],
    ['kernel-agent-outcome-failure', agentOutcomeRoute({ tokens: outcomeTokens(options.random), contracts, claimLastError })],
    ['kernel-agent-protocol-error', agentProtocolError],
  ]);

  function lastEvaluationError(): KernelCounts['lastEvaluationError'] {
    const last = evaluations.lastError();
    if (last === null || claimed === null) return null;
    return claimed.evaluationId === null || claimed.evaluationId === last.evaluationId ? last.error : null;
  }

  return {
    routes,
    prepare() {
      const [first] = missions.keys();
      if (first !== undefined) evaluations.isolates.prepare(first, limits.evaluation_timeout_ms);
    },
    counts: () => ({
      evaluationsByMission: evaluations.evaluationsByMission(),
      agentProtocolErrors,
      sourceChecks: checks.count(),
      isEvaluating: evaluations.isBusy(),
      memories: evaluations.memories(),
      lastEvaluationError: lastEvaluationError(),
    }),
    producerOf: evaluations.producerOf,
    close: () => evaluations.close(),
  };
}

/** A wait for the lease keeps no process alive. */
function afterTimeout(milliseconds: number, run: () => void): () => void {
  const timer = setTimeout(run, milliseconds).unref();
  return () => clearTimeout(timer);
}
