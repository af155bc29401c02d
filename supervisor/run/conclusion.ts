import { diagnostic, type Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { severalFailures } from '../../contract/diagnostics/several.ts';
import { runFailure, runSuccess } from '../../contract/envelope/build.ts';
import { incomplete, notStarted, type ExecutionRecord } from '../../contract/envelope/execution.ts';
import type { FailureArtifacts, RunFailure, RunSuccess, Warning } from '../../contract/envelope/types.ts';
import type { RunReference } from '../../contract/run-reference.ts';
import type { ArtifactName, Publication } from '../evidence/publication/protocol.ts';
import { NO_ADVICE, type Advice, type Failed } from '../../contract/outcome.ts';
import { hasReachedProviders } from './environments.ts';
import { publicationFailures } from './failure/publication-failure.ts';
import type { ArtifactsRequested } from './destinations.ts';
import type { KnownRun } from './known-run.ts';
import type { SealedRun } from './seal.ts';

/** What is reported about a run: the envelope, and what is next to it. */
export interface Conclusion {
  readonly envelope: RunSuccess | RunFailure;
  /** Canonical text of a normal run's value, for standard output; null without one that may be shown. */
  readonly valueText: string | null;
  readonly advice: Advice;
  /** What a step threw; null unless there is a bug. */
  readonly unexpected: unknown;
}

/** A failure before the workflow ran: nothing is published (runtime.md §3). */
export function concludeEarly(
  runRef: RunReference,
  facts: KnownRun,
  { diagnostic: error, later = [], advice = NO_ADVICE }: Failed,
): Conclusion {
  const execution = error.provider_activity ? incomplete({ usage: null, evaluationMemory: null }) : notStarted();
  // A private run says what happened, and nothing of what others said of it (world.md §1.5).
  const reported = facts.artifactClass === 'private' ? { ...advice, provider: null } : advice;
  return { ...failed(runRef, facts, { error, later, execution }), advice: reported };
}

/** A bug in some step, and likewise an interruption, is `internal_error` (runtime.md §1, §10). */
export function concludeInternal(runRef: RunReference, facts: KnownRun, unexpected: unknown): Conclusion {
  const { environments, hasStarted } = facts;
  const providerActivity = environments !== null && hasReachedProviders(environments);
  const execution = hasStarted || providerActivity ? incomplete({ usage: null, evaluationMemory: null }) : notStarted();
  const error = diagnostic('internal_error', { cause: 'unexpected_exception', providerActivity });
  return { ...failed(runRef, facts, { error, later: [], execution }), unexpected };
}

interface EarlyFailure {
  readonly error: Diagnostic;
  readonly later: readonly Diagnostic[];
  readonly execution: ExecutionRecord;
}

function failed(
  runReference: RunReference,
  { requested, artifactClass, warnings }: KnownRun,
  { error, later, execution }: EarlyFailure,
): Conclusion {
  const envelope = runFailure({
    runReference,
    error,
    warnings,
    // Unclassified envelopes carry no class of their own, whatever is said here.
    artifactClass: artifactClass ?? 'normal',
    secondaryErrors: error.code === 'limit_capacity_invalid' ? [] : later,
    artifactState: unpublished(requested),
    execution,
  });
  return reported(envelope, null);
}

function reported(envelope: Conclusion['envelope'], valueText: string | null): Conclusion {
  return { envelope, valueText, advice: NO_ADVICE, unexpected: null };
}

function unpublished(requested: ArtifactsRequested): FailureArtifacts {
  const state = (artifact: ArtifactName) => (requested[artifact] ? 'not_written' : 'not_requested');
  return { trace: state('trace'), inspection: state('inspection'), result: state('result') };
}

/** The end of a run whose records are sealed and whose artifacts were published as far as they could be. */
export function concludeSealed(
  runReference: RunReference,
  { warnings }: KnownRun,
  sealed: SealedRun,
  publication: Publication,
): Conclusion {
  const { artifactClass, execution, providerActivity } = sealed;
  const [first, ...further] = [...sealed.failures, ...publicationFailures(publication, providerActivity)];
  if (first === undefined) return succeeded(runReference, warnings, sealed, publication);
  const { error, secondaryErrors } = severalFailures([first, ...further]);
  const conclusion = reported(
    runFailure({
      runReference,
      error,
      warnings,
      artifactClass,
      secondaryErrors,
      artifactState: publication.states,
      execution,
    }),
    null,
  );
  // What is known of the workflow's failure explains no other.
  return error.code === sealed.failures[0]?.code ? { ...conclusion, advice: sealed.advice } : conclusion;
}

function succeeded(
  runReference: RunReference,
  warnings: readonly Warning[],
  { artifactClass, execution, result }: SealedRun,
  { states }: Publication,
): Conclusion {
  const { trace, inspection, result: resultState } = states;
  if (execution.state !== 'finished' || execution.outcome !== 'ok' || result === null)
    throw new Error('a run without failure has a result');
  if (!isSuccess(trace) || !isSuccess(inspection) || !isSuccess(resultState))
    throw new Error('a run without failure published all it was asked for');
  const shared = { runReference, warnings, execution } as const;
  if (artifactClass === 'private') {
    if (resultState !== 'written') throw new Error('a private run that succeeds has written its result');
    return reported(
      runSuccess({ ...shared, artifactClass, artifactState: { trace, inspection, result: resultState } }),
      null,
    );
  }
  const artifactState = { trace, inspection, result: resultState };
  return reported(runSuccess({ ...shared, artifactClass, artifactState, value: result.value }), result.text);
}

function isSuccess(state: string): state is 'not_requested' | 'written' {
  return state === 'not_requested' || state === 'written';
}
