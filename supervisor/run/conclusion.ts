import { diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { severalFailures } from '../../contract/diagnostics/several.ts';
import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { runFailure, runSuccess } from '../../contract/envelope/build.ts';
import { incomplete, notStarted } from '../../contract/envelope/execution.ts';
import type { ExecutionRecord } from '../../contract/envelope/execution.ts';
import type { ArtifactClass, FailureArtifacts, RunFailure, RunSuccess } from '../../contract/envelope/types.ts';
import type { RunReference } from '../../contract/run-reference.ts';
import type { ArtifactName, Publication } from '../publication/protocol.ts';
import { publicationFailures } from './publication-failure.ts';
import type { SealedRun } from './seal.ts';

export interface Conclusion {
  readonly envelope: RunSuccess | RunFailure;
  /** Canonical text of a normal run's value, for standard output; null without one that may be shown. */
  readonly valueText: string | null;
  /** What a step threw; null unless there is a bug. */
  readonly unexpected: unknown;
}

/** How far a run has come, for the one place that must conclude it whatever happened. */
export interface RunProgress {
  readonly runRef: RunReference;
  requested: Readonly<Record<ArtifactName, boolean>>;
  /** Null until the run is classified. */
  artifactClass: ArtifactClass | null;
  /** The workflow may have begun. */
  hasBegun: boolean;
  /** Whether a provider may have been reached by now; absent while none was opened. */
  providerActivity?: () => boolean;
}

/**
 * A failure before the workflow ran: nothing is published (runtime.md §3). `later` is what went wrong while the opened
 * providers were released, and stays secondary (providers.md §3).
 */
export function concludeEarly(progress: RunProgress, error: Diagnostic, later: readonly Diagnostic[] = []): Conclusion {
  const execution = error.provider_activity ? incomplete({ usage: null, evaluationMemory: null }) : notStarted();
  return failed(progress, error, execution, later);
}

/** A bug in some step, and likewise an interruption, is `internal_error` (runtime.md §1, §10). */
export function concludeInternal(progress: RunProgress, unexpected: unknown): Conclusion {
  const providerActivity = progress.providerActivity?.() ?? false;
  const execution = progress.hasBegun || providerActivity ? incomplete({ usage: null, evaluationMemory: null }) : notStarted();
  return { ...failed(progress, diagnostic('internal_error', { cause: 'unexpected_exception', providerActivity }), execution), unexpected };
}

function failed(progress: RunProgress, error: Diagnostic, execution: ExecutionRecord, later: readonly Diagnostic[] = []): Conclusion {
  const envelope = runFailure({
    runReference: progress.runRef,
    error,
    warnings: [],
    // Unclassified envelopes carry no class of their own, whatever is said here.
    artifactClass: progress.artifactClass ?? 'normal',
    secondaryErrors: error.code === 'limit_capacity_invalid' ? [] : later,
    artifactState: unpublished(progress.requested),
    execution,
  });
  return { envelope, valueText: null, unexpected: null };
}

function unpublished(requested: Readonly<Record<ArtifactName, boolean>>): FailureArtifacts {
  const state = (artifact: ArtifactName) => (requested[artifact] ? 'not_written' : 'not_requested');
  return { trace: state('trace'), inspection: state('inspection'), result: state('result') };
}

export interface SealedConclusion {
  readonly artifactClass: ArtifactClass;
  readonly sealed: SealedRun;
  readonly publication: Publication;
  readonly providerActivity: boolean;
}

/** The end of a run whose records are sealed and whose artifacts were published as far as they could be. */
export function concludeSealed(progress: RunProgress, facts: SealedConclusion): Conclusion {
  const { artifactClass, sealed, publication, providerActivity } = facts;
  const [first, ...further] = [...sealed.failures, ...publicationFailures(publication, providerActivity)];
  if (first === undefined) return succeeded(progress.runRef, facts);
  const failures = severalFailures([first, ...further]);
  const envelope = runFailure({
    runReference: progress.runRef,
    error: failures.error,
    warnings: [],
    artifactClass,
    secondaryErrors: failures.secondaryErrors,
    artifactState: publication.states,
    execution: sealed.execution,
  });
  return { envelope, valueText: null, unexpected: null };
}

function succeeded(runReference: RunReference, { artifactClass, sealed, publication }: SealedConclusion): Conclusion {
  const { execution, result } = sealed;
  const { trace, inspection, result: resultState } = publication.states;
  if (execution.state !== 'finished' || execution.outcome !== 'ok' || result === null) throw new Error('a run without failure has a result');
  if (!isSuccess(trace) || !isSuccess(inspection) || !isSuccess(resultState)) throw new Error('a run without failure published all it was asked for');
  const shared = { runReference, warnings: [], execution } as const;
  if (artifactClass === 'private') {
    if (resultState !== 'written') throw new Error('a private run that succeeds has written its result');
    const artifactState = { trace, inspection, result: resultState };
    return { envelope: runSuccess({ ...shared, artifactClass, artifactState }), valueText: null, unexpected: null };
  }
  const artifactState = { trace, inspection, result: resultState };
  return { envelope: runSuccess({ ...shared, artifactClass, artifactState, value: result.value }), valueText: result.text, unexpected: null };
}

function isSuccess(state: string): state is 'not_requested' | 'written' {
  return state === 'not_requested' || state === 'written';
}
