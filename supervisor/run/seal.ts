import { diagnostic, withGenericMessage, withProviderActivity } from '../../contract/diagnostics/diagnostic.ts';
import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { finishedError, finishedOk, incomplete } from '../../contract/envelope/execution.ts';
import type { ExecutionRecord } from '../../contract/envelope/execution.ts';
import type { EvaluationMemory, Usage } from '../../contract/envelope/usage.ts';
import type { ArtifactClass } from '../../contract/envelope/types.ts';
import { runStopped } from '../evidence/event.ts';
import type { RunStoppedFacts } from '../evidence/event.ts';
import { digestOf } from '../evidence/fingerprint.ts';
import type { TraceRecorder } from '../evidence/recorder.ts';
import type { RunnableApplication } from './application.ts';
import type { RunCounts } from './counts.ts';
import type { GuardedResult } from './result-guard.ts';
import type { WorkflowFailure } from './workflow-failure.ts';
import { evaluationMemory, sealUsage, traceUsage, withoutModelDetail } from './usage.ts';

/** What the workflow and the guards behind it came to. */
export type RunOutcome =
  /** A value that passed every guard. */
  | { readonly kind: 'value'; readonly result: GuardedResult }
  /** The workflow gave a value and a later guard refused it; `stopped` are further members of the last event. */
  | { readonly kind: 'refused'; readonly error: Diagnostic; readonly stopped?: Partial<RunStoppedFacts> }
  | ({ readonly kind: 'failed'; readonly stopped?: Partial<RunStoppedFacts> } & WorkflowFailure);

export interface SealInput {
  readonly application: RunnableApplication;
  readonly artifactClass: ArtifactClass;
  readonly outcome: RunOutcome;
  readonly counts: RunCounts;
  /** Whether any provider callback may have run. */
  readonly providerActivity: boolean;
  readonly remainingMs: number;
  readonly recorder: TraceRecorder;
  /** What else went wrong after the workflow ended: clean-up, or an inspection that was lost. */
  readonly laterFailures: readonly Diagnostic[];
}

export interface SealedRun {
  readonly execution: ExecutionRecord;
  /** The failures so far, most of them none or one. */
  readonly failures: readonly Diagnostic[];
  /** What may be published; null after any failure. */
  readonly result: GuardedResult | null;
  /** The whole trace; null when its end did not fit. */
  readonly trace: Uint8Array | null;
}

/** Seals usage, writes the terminal events and freezes the trace (runtime.md §1 step 17, evidence.md §4). */
export function sealRun(input: SealInput): SealedRun {
  const { outcome, counts } = input;
  const failures = failuresOf(input);
  const [error = null] = failures;
  const usage = (eventsDropped: Readonly<Record<string, number>>): Usage =>
    sealUsage({ remainingMs: input.remainingMs, counts, eventsDropped });
  const finalized = input.recorder.finalize((dropped) =>
    runStopped({
      outcome: error === null ? 'ok' : 'error',
      reason: error === null ? null : error.code,
      usage: traceUsage(usage(dropped), counts),
      ...(outcome.kind === 'value' && error === null ? { result_hash: digestOf(outcome.result.text) } : {}),
      ...(outcome.kind === 'failed' ? outcome.failureKind : {}),
      ...(outcome.kind === 'value' ? {} : outcome.stopped),
      ...(error === null ? {} : { diagnostic: { phase: error.phase, code: error.code } }),
    }),
  );
  const sealed = usage(input.recorder.dropped());
  const memory = evaluationMemory(counts);
  if (finalized.status === 'complete') {
    return {
      execution: executionOf(input, error, sealed, memory),
      failures,
      result: outcome.kind === 'value' && error === null ? outcome.result : null,
      trace: finalized.bytes,
    };
  }
  const sink = presentable(diagnostic('event_capture_limit_exceeded'), input);
  const lost = withoutModelDetail({ ...sealed, events_dropped: { ...sealed.events_dropped, 'event-sink': 1 } });
  return {
    execution: incomplete({ usage: lost, evaluationMemory: memory }),
    failures: [...failures, sink],
    result: null,
    trace: null,
  };
}

/** The workflow's failure, then later ones unless they are the same. */
function failuresOf(input: SealInput): readonly Diagnostic[] {
  const { outcome } = input;
  const primary = outcome.kind === 'value' ? [] : [outcome.error];
  const later = input.laterFailures.filter(({ code }) => !primary.some((known) => known.code === code));
  return [...primary, ...later].map((failure) => presentable(failure, input));
}

function executionOf(input: SealInput, error: Diagnostic | null, usage: Usage, memory: EvaluationMemory): ExecutionRecord {
  const { outcome, artifactClass } = input;
  const records = { usage, evaluationMemory: memory };
  if (outcome.kind !== 'failed') return input.laterFailures.some(({ phase }) => phase === 'execution') ? incomplete(records) : finishedOk(records);
  if (error === null) throw new Error('a workflow that failed has an error');
  const lastEvaluationError = artifactClass === 'private' ? null : outcome.lastEvaluationError;
  return outcome.hasReturned
    ? finishedError(error, { ...records, lastEvaluationError })
    : incomplete({ usage, evaluationMemory: null, lastEvaluationError });
}

/** Says whether a provider was active, and on private runs no more than the code (runtime.md §7). */
export function presentable(
  error: Diagnostic,
  run: { readonly artifactClass: ArtifactClass; readonly providerActivity: boolean },
): Diagnostic {
  const told = withProviderActivity(error, error.provider_activity || run.providerActivity);
  return run.artifactClass === 'private' ? withGenericMessage(told) : told;
}
