import { explanationOf, placeAlone, type FailureExplanation } from '../../../contract/diagnostics/explanation.ts';
import {
  HOST_LOST_REMEDY,
  hostLostProblem,
  INSPECT_HINT,
  NESTING_REMEDY,
} from '../../../contract/diagnostics/messages/remedies.ts';
import type { ProviderWords } from '../../../contract/provider-protocol/provider-words.ts';
import { NO_ADVICE, type Advice, type Failed } from '../../../contract/outcome.ts';
import { explainFault } from '../../calls/evaluation/explain-fault.ts';
import { VALUE_DEPTH } from '../../calls/evaluation/guest-json.ts';
import type { RunnableApplication } from '../application.ts';
import type { WorkflowEnd } from '../workflow-end.ts';
import {
  NO_WAITS,
  explainLateCall,
  explainLimit,
  explainLoopLimit,
  explainMemory,
  explainParallelTimeout,
  explainTimeout,
  type Waits,
} from './limit-faults.ts';
import { sourcesOf } from './own-sources.ts';

export interface FailedRun {
  readonly application: RunnableApplication;
  /** Whether an inspection artifact was asked for. */
  readonly isInspected: boolean;
  /** What the evaluation waited for, and how long it lasted; absent: nothing is known of it. */
  readonly waits?: Waits;
}

/**
 * What people read about an end of the workflow beside its diagnostic; of a private run the place alone (cli.md §4).
 */
export function failureAdvice(end: WorkflowEnd, { application, isInspected, waits = NO_WAITS }: FailedRun): Advice {
  const hint = keepsMore(end) && !isInspected ? INSPECT_HINT : null;
  return { ...NO_ADVICE, hint, faults: shownFaults(application, explained(end, application, waits)) };
}

/**
 * What people are shown where a limit of this name failed the run, whatever its workflow came to; nothing where it is
 * none.
 */
export function limitAdvice(name: unknown, application: RunnableApplication, value?: unknown): Advice {
  return { ...NO_ADVICE, faults: shownFaults(application, explainLimit({ name, value }, application)) };
}

/** What is known of a failure, with the time that the call had which ended the run, where it had no more. */
export function withLateCall(
  faults: FailureExplanation | null,
  { alias, late }: ProviderWords,
  application: RunnableApplication,
): FailureExplanation | null {
  if (late === undefined) return faults;
  const explained = explainLateCall({ alias, late }, application);
  const [first, ...others] = faults?.faults ?? [];
  const [{ problem, remedy } = { problem: null, remedy: null }] = explained.faults;
  if (first === undefined) return explained;
  return {
    omitted: faults?.omitted ?? 0,
    faults: [{ ...first, problem: first.problem ?? problem, remedy: first.remedy ?? remedy }, ...others],
  };
}

/** What people read about a value that a guard of the run refused. */
export function guardAdvice({ diagnostic: { code }, advice }: Failed, application: RunnableApplication): Advice {
  const known = advice?.faults ?? null;
  if (known !== null) return { ...NO_ADVICE, faults: shownFaults(application, known) };
  if (code === 'result_limit_exceeded') return limitAdvice('terminal_result_bytes', application);
  // A guest writes nothing but JSON, so that only its depth can be wrong.
  const faults = explanationOf({
    problem: `the value is nested deeper than ${String(VALUE_DEPTH)} levels`,
    remedy: NESTING_REMEDY,
  });
  return code === 'result_invalid' ? { ...NO_ADVICE, faults: shownFaults(application, faults) } : NO_ADVICE;
}

function shownFaults(
  { artifactClass }: RunnableApplication,
  faults: FailureExplanation | null,
): FailureExplanation | null {
  return faults !== null && artifactClass === 'private' ? placeAlone(faults) : faults;
}

/** Whether an inspection artifact holds more of such an end (evidence.md §6). */
function keepsMore({ kind }: WorkflowEnd): boolean {
  return kind === 'evaluation_error' || kind === 'failed';
}

function explained(end: WorkflowEnd, application: RunnableApplication, waits: Waits): FailureExplanation | null {
  switch (end.kind) {
    case 'evaluation_error':
      return end.fault.reason === 'loop_limit_exceeded'
        ? explainLoopLimit(end.fault, application)
        : explainFault(end.fault, sourcesOf(application));
    case 'value_unrepresentable':
    case 'failed':
      return end.fault === undefined || end.fault === null ? null : explainFault(end.fault, sourcesOf(application));
    case 'timeout':
      return explainTimeout(end, application, waits);
    case 'memory_exceeded':
      return explainMemory(end.fault, application);
    case 'parallel_timeout':
      return explainParallelTimeout(application);
    case 'host_lost':
      return explanationOf({ problem: hostLostProblem(end.signal), remedy: HOST_LOST_REMEDY });
    default:
      return null;
  }
}
