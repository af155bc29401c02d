import { worstEffect } from '../../../contract/effect.ts';
import { isJsonObject } from '../../../contract/json/value.ts';
import { compareUtf8 } from '../../../contract/json/utf8.ts';
import type { EffectiveLimits } from '../../../contract/limits/effective.ts';
import type { CapabilityCall } from '../../../contract/sandbox-protocol.ts';
import type { RunClock } from '../../platform/run-clock/run-clock.ts';
import { openLedger, type Ledger, type LedgerCounts, type LedgerLimits } from '../ledger/ledger.ts';
import { modelUsageFold, type ModelUsageFold } from '../../evidence/model-usage.ts';
import { callCapability } from './call.ts';
import { CallLocations } from './call-location.ts';
import { RUN_CLOSED, type CallRun, type EvaluationCaller, type CallerRecord } from './call-run.ts';
import type { Capability } from './capability.ts';
import { errorAnswer, replyText, type CallAnswer } from './envelope.ts';
import type { Broker } from './broker-interface.ts';
import type { CallScope, CallingEvaluation, ScopeRecord } from './call-scope.ts';
import type { Route } from './route.ts';
import type { RunEnding } from './run-ending.ts';
import { failedCalls, type FailedCalls } from './failed-calls.ts';
import { issuedRefusals } from './issued.ts';
import { recordedFailures, type RecordedFailures } from './provider-failures.ts';
import {
  ANNOTATE,
  SHARED_ROUTES,
  WAIT,
  annotate,
  isOwnRoute,
  callKernelRoute,
  callOwnRoute,
  callWait,
} from './routes.ts';

/** Why what was started is over. Without a reason node makes an error with its stack for each. */
const CLOSED = 'closed';

/** What one environment may call, by name. */
export type CapabilitySet = ReadonlyMap<string, Capability>;

export interface BrokerOptions {
  readonly limits: EffectiveLimits;
  readonly runDeadlineAt: number;
  readonly clock: RunClock;
  readonly events: CallRun['events'];
  readonly inspection: CallRun['inspection'];
  readonly capabilities: { readonly workflow: CapabilitySet; readonly missions: ReadonlyMap<string, CapabilitySet> };
  /** `kernel-*`, which the workflow alone may call; the compiler keeps the private ones to their component. */
  readonly routes: ReadonlyMap<string, Route>;
  /** Asked before a call leaves; absent or null: every one may. */
  readonly effectGate?: CallRun['effectGate'];
  /** Absent or null: nobody can be asked for a yes. */
  readonly approvals?: CallRun['approvals'];
  /** The run's usage so far, for `runtime-usage`. */
  readonly usage: () => Readonly<Record<string, unknown>>;
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
  const { limits, clock, capabilities, routes } = options;
  const ledger = openLedger(ledgerLimits(limits, options.runDeadlineAt));
  const models = modelUsageFold();
  const issued = issuedRefusals();
  const failures = recordedFailures();
  const failed = failedCalls();
  const over = new AbortController();
  const scopes = new Set<Scope>();
  let ending: RunEnding | null = null;
  let hasReached = false;
  let opened = 0;
  let issuedIds = 0;

  const run: CallRun = {
    ledger,
    limits,
    runDeadlineAt: options.runDeadlineAt,
    clock,
    events: options.events,
    inspection: options.inspection,
    models,
    issued,
    failures,
    failed,
    signal: over.signal,
    effectGate: options.effectGate ?? null,
    approvals: options.approvals ?? null,
    reportedLimits: new Set(),
    newCapabilityId: () => {
      issuedIds += 1;
      return `capability-${issuedIds}`;
    },
    stop: (reason) => {
      ending ??= reason;
      shut();
    },
    reached: () => {
      hasReached = true;
    },
  };

  function shut(): void {
    ledger.close();
    over.abort(CLOSED);
  }

  const granted = (mission: string | null): CapabilitySet =>
    mission === null ? capabilities.workflow : (capabilities.missions.get(mission) ?? new Map());

  const tools = (mission: string | null): readonly string[] => {
    const own = mission === null ? [...routes.keys(), ANNOTATE, WAIT] : [];
    return [...granted(mission).keys(), ...SHARED_ROUTES, ...own].toSorted(compareUtf8);
  };

  const answer = async (caller: EvaluationCaller, { name, arguments: text }: CapabilityCall): Promise<CallAnswer> => {
    if (ledger.isClosed(clock.monotonic())) return RUN_CLOSED;
    if (!ledger.isOpen(caller.key)) return errorAnswer('capability_denied', 'stale_evaluation');
    const { mission } = caller.evaluation;
    const capability = granted(mission).get(name);
    if (capability !== undefined) return callCapability(run, caller, capability, text);
    if (isOwnRoute(name))
      return callOwnRoute(run, caller, name, { usage: options.usage, capabilities: granted(mission) }, text);
    const route = mission === null ? routes.get(name) : undefined;
    if (route !== undefined) return callKernelRoute(run, caller, name, route, text);
    if (mission === null && name === WAIT) return callWait(run, caller, text);
    if (mission === null && name === ANNOTATE) return annotate(run, caller, text);
    return errorAnswer('capability_denied', 'capability_absent');
  };

  return {
    models,
    failures,
    failed,
    tools,
    issued: (json) => issued.find(json),
    denied: (reason) => ledger.countDenial(reason),
    stop: (reason) => run.stop(reason),
    ending: () => ending,
    counts: () => ledger.counts(),
    providerActivity: () => hasReached,
    open: (evaluation) => {
      opened += 1;
      const key = `${evaluation.evaluationId}#${opened}`;
      const scope = openScope({
        evaluation,
        key,
        runSignal: over.signal,
        tools: tools(evaluation.mission),
        argumentNames: (tool) => argumentNames(granted(evaluation.mission).get(tool)),
        answer,
        ledger,
      });
      scopes.add(scope);
      return {
        ...scope,
        end: async () => {
          const record = await scope.end();
          scopes.delete(scope);
          return record;
        },
      };
    },
    close: async () => {
      shut();
      await Promise.all([...scopes].map((scope) => scope.end()));
      ledger.seal();
    },
  };
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

/** Names of arguments that a message lists at most, and characters of each. */
const ARGUMENT_NAMES_MAX = 32;
const ARGUMENT_NAME_LENGTH_MAX = 128;

function argumentNames(capability: Capability | undefined): readonly string[] {
  if (capability?.isModelVisible !== true || !isJsonObject(capability.inputSchema)) return [];
  const properties = capability.inputSchema.get('properties');
  const names = isJsonObject(properties) ? [...properties.keys()] : [];
  const isShort = names.every((name) => name.length <= ARGUMENT_NAME_LENGTH_MAX && name.isWellFormed());
  return names.length <= ARGUMENT_NAMES_MAX && isShort ? names.toSorted(compareUtf8) : [];
}

type Scope = CallScope;

/** The outermost of the branches that a call is in, from 1. */
function outermost(path = '', sizes = ''): EvaluationCaller['branch'] {
  const index = Number.parseInt(path, 10);
  const of = Number.parseInt(sizes, 10);
  return Number.isNaN(index) || Number.isNaN(of) ? null : { index: index + 1, of };
}

interface ScopeFacts {
  readonly evaluation: CallingEvaluation;
  readonly key: string;
  readonly runSignal: AbortSignal;
  readonly tools: readonly string[];
  readonly argumentNames: CallScope['argumentNames'];
  readonly answer: (caller: EvaluationCaller, call: CapabilityCall) => Promise<CallAnswer>;
  readonly ledger: Ledger;
}

function openScope({ evaluation, key, runSignal, tools, argumentNames: namesOf, answer, ledger }: ScopeFacts): Scope {
  const controller = new AbortController();
  const runIsOver = (): void => controller.abort(CLOSED);
  runSignal.addEventListener('abort', runIsOver);
  if (runSignal.aborted) runIsOver();
  const record: CallerRecord = { effects: new Set(), terminalProviderFailure: null, terminalHostFailure: null };
  const callers = new Map<string, EvaluationCaller>();
  const inFlight = new Set<Promise<unknown>>();
  const locations = new CallLocations();
  let last: CallAnswer | null = null;
  let ended: Promise<ScopeRecord> | null = null;

  /** Each branch holds one reservation of its own at a time. */
  function callerOf({ branch, branchOf }: Pick<CapabilityCall, 'branch' | 'branchOf'>): EvaluationCaller {
    const name = branch === undefined ? key : `${key}/${branch}`;
    const known = callers.get(name);
    if (known !== undefined) return known;
    const caller: EvaluationCaller = {
      evaluation,
      key: name,
      signal: controller.signal,
      branch: outermost(branch, branchOf),
      locate: async () => null,
      record,
    };
    callers.set(name, caller);
    if (ended === null) ledger.openCaller(name);
    return caller;
  }

  const end = async (): Promise<ScopeRecord> => {
    for (const name of callers.keys()) ledger.closeCaller(name);
    controller.abort(CLOSED);
    runSignal.removeEventListener('abort', runIsOver);
    await Promise.allSettled(inFlight);
    return {
      reached: worstEffect(record.effects),
      lastEnvelope: last?.kind === 'ok' || last?.kind === 'error' ? Object.fromEntries(last.envelope.value) : null,
      terminalProviderFailure: record.terminalProviderFailure,
      terminalHostFailure: record.terminalHostFailure,
    };
  };

  callerOf({});
  return {
    tools,
    argumentNames: namesOf,
    branches: { take: (wanted) => ledger.takeBranches(wanted), release: (count) => ledger.releaseBranches(count) },
    call: async (call) => {
      const caller = callerOf(call);
      // The call of a branch is over when the branch is, which may be long before its evaluation (runtime.md §8).
      const isOfBranch = call.branch !== undefined && call.ended !== undefined;
      const signal = isOfBranch ? AbortSignal.any([caller.signal, call.ended]) : caller.signal;
      const asked = { program: isOfBranch ? (evaluation.program ?? null) : null, gone: signal };
      const first = await locations.answer(caller.key, call, asked, (locate) => {
        const answering = answer({ ...caller, signal, locate }, call);
        inFlight.add(answering);
        return answering.finally(() => inFlight.delete(answering));
      });
      if ('question' in first) return first.question;
      // What a branch was given last is not what its caller holds.
      last = call.branch === undefined ? first.answer : null;
      return replyText(first.answer);
    },
    end: () => {
      ended ??= end();
      return ended;
    },
  };
}
