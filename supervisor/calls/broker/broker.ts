import type { EffectiveLimits } from '../../../contract/limits/effective.ts';
import type { RunClock } from '../../platform/run-clock/run-clock.ts';
import { openLedger, type Ledger, type LedgerCounts, type LedgerLimits } from '../ledger/ledger.ts';
import { modelUsageFold, type ModelUsageFold } from '../../evidence/model-usage.ts';
import type { Broker } from './broker-interface.ts';
import { RUN_CLOSED, type CallRun } from './call-run.ts';
import { errorAnswer } from './envelope.ts';
import { CLOSED, OpenScopes, openScope, type ScopeFacts } from './evaluation-scope.ts';
import { failedCalls, type FailedCalls } from './failed-calls.ts';
import { callGranted, grantedArguments, grantedNames, type Grants } from './granted-calls.ts';
import { issuedRefusals } from './issued.ts';
import { recordedFailures, type RecordedFailures } from './provider-failures.ts';
import type { RunEnding } from './run-ending.ts';

export interface BrokerOptions extends Grants {
  readonly limits: EffectiveLimits;
  readonly runDeadlineAt: number;
  readonly clock: RunClock;
  readonly events: CallRun['events'];
  readonly inspection: CallRun['inspection'];
  /** Asked before a call leaves; absent or null: every one may. */
  readonly effectGate?: CallRun['effectGate'];
  /** Absent or null: nobody can be asked for a yes. */
  readonly approvals?: CallRun['approvals'];
}

/** The broker of one run, and its end. */
export interface RunBroker extends Broker {
  /** Names that an environment may call, in byte order. */
  tools(mission: string | null): readonly string[];
  /** Grants nothing more, cancels what is in flight, sees it dead and settles it (runtime.md §10). Repeatable. */
  close(): Promise<void>;
  counts(): LedgerCounts;
  readonly models: Pick<ModelUsageFold, 'spend' | 'detail'>;
  /** Evidence for authenticated reports of model failures. */
  readonly failures: Pick<RecordedFailures, 'consume' | 'isReplayMiss'>;
  /** Calls that were answered with an error, for people. */
  readonly failed: Pick<FailedCalls, 'counts' | 'last' | 'lastOfModels' | 'within'>;
  /** Whether any provider callback may have run. */
  providerActivity(): boolean;
}

export function openBroker(options: BrokerOptions): RunBroker {
  const { limits, clock } = options;
  const ledger = openLedger(ledgerLimits(limits, options.runDeadlineAt));
  const life = new RunLife(ledger);
  let hasReached = false;
  let issuedIds = 0;

  const run = {
    ledger,
    limits,
    runDeadlineAt: options.runDeadlineAt,
    clock,
    events: options.events,
    inspection: options.inspection,
    models: modelUsageFold(),
    issued: issuedRefusals(),
    failures: recordedFailures(),
    failed: failedCalls(),
    signal: life.signal,
    effectGate: options.effectGate ?? null,
    approvals: options.approvals ?? null,
    reportedLimits: new Set<string>(),
    newCapabilityId: () => {
      issuedIds += 1;
      return `capability-${issuedIds}`;
    },
    stop: (reason) => life.stop(reason),
    reached: () => {
      hasReached = true;
    },
  } satisfies CallRun;

  const answer: ScopeFacts['answer'] = async (caller, call) => {
    if (ledger.isClosed(clock.monotonic())) return RUN_CLOSED;
    if (!ledger.isOpen(caller.key)) return errorAnswer('capability_denied', 'stale_evaluation');
    return callGranted(run, options, caller, call);
  };

  const scopes = new OpenScopes((evaluation, key) =>
    openScope({
      evaluation,
      key,
      runSignal: life.signal,
      tools: grantedNames(evaluation.mission, options),
      argumentNames: (tool) => grantedArguments(evaluation.mission, tool, options),
      answer,
      ledger,
    }),
  );

  return {
    models: run.models,
    failures: run.failures,
    failed: run.failed,
    tools: (mission) => grantedNames(mission, options),
    issued: (json) => run.issued.find(json),
    denied: (reason) => ledger.countDenial(reason),
    stop: (reason) => life.stop(reason),
    ending: () => life.ending(),
    counts: () => ledger.counts(),
    providerActivity: () => hasReached,
    open: (evaluation) => scopes.open(evaluation),
    close: async () => {
      life.close();
      await scopes.endAll();
      ledger.seal();
    },
  };
}

/** Whether the calls of a run go on, and why not. */
class RunLife {
  readonly #ledger: Ledger;
  readonly #over = new AbortController();
  #ending: RunEnding | null = null;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** Aborted when the run is closed. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  ending(): RunEnding | null {
    return this.#ending;
  }

  stop(reason: RunEnding): void {
    this.#ending ??= reason;
    this.close();
  }

  /** Repeatable. */
  close(): void {
    this.#ledger.close();
    this.#over.abort(CLOSED);
  }
}

function ledgerLimits(limits: EffectiveLimits, deadlineAt: number): LedgerLimits {
  return {
    calls: {
      workflow: { total: limits.workflow_capability_calls, perName: limits.workflow_capability_calls_per_name },
      mission: { total: limits.mission_capability_calls, perName: limits.mission_capability_calls_per_name },
    },
    liveTasks: limits.live_provider_tasks,
    protocolErrors: limits.protocol_errors,
    requestOutputTokens: limits.llm_request_output_tokens,
    totalTokens: limits.llm_total_tokens,
    costMicrousd: limits.llm_cost_microusd,
    deadlineAt,
  };
}
