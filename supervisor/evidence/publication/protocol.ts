import type { ArtifactState, FailureArtifacts, ResultState } from '../../../contract/envelope/types.ts';

/**
 * The order in which a run's artifacts are published, as a pure machine: it says which effect comes next, receives the
 * result, and knows every artifact's state in between (runtime.md §12, states: §3).
 */

export type ArtifactName = 'trace' | 'inspection' | 'result';

export type PublicationCode =
  | 'trace_publication_failed'
  | 'inspection_publication_failed'
  | 'result_publication_failed'
  | 'recovery_cleanup_failed'
  | 'destination_collision';

export type PublicationStep =
  | 'keep_recovery'
  | 'remove_recovery'
  | 'publish_trace'
  | 'publish_inspection'
  | 'publish_result'
  | 'publish_recovery';

export type StepOutcome = 'done' | 'collision' | 'failed' | 'uncertain';

/** What a run brings to its publication. */
export interface PublicationRequest {
  /** Destinations that were reserved. */
  readonly requested: Readonly<Record<ArtifactName, boolean>>;
  /** The reservation of the result has a recovery file. */
  readonly hasRecovery: boolean;
  /** A value passed every guard and may be published. */
  readonly hasValue: boolean;
  /** The terminal events are complete, so a trace can be written; without it there is no inspection either. */
  readonly hasTrace: boolean;
  readonly hasInspection: boolean;
}

export interface Publication {
  readonly states: FailureArtifacts;
  /** Steps still to come, next one first. */
  readonly pending: readonly PublicationStep[];
  /** In the order they were met. */
  readonly failures: readonly PublicationCode[];
}

export function beginPublication(request: PublicationRequest): Publication {
  const { requested } = request;
  return {
    states: {
      trace: requested.trace ? 'not_written' : 'not_requested',
      inspection: requested.inspection ? 'not_written' : 'not_requested',
      result: requested.result ? 'not_written' : 'not_requested',
    },
    pending: stepsOf(request),
    failures: [],
  };
}

function stepsOf(request: PublicationRequest): readonly PublicationStep[] {
  const { requested, hasTrace } = request;
  const isTraceLost = requested.trace && !hasTrace;
  const steps: PublicationStep[] = [];
  if (request.hasRecovery) steps.push(request.hasValue ? 'keep_recovery' : 'remove_recovery');
  if (requested.trace && hasTrace) steps.push('publish_trace');
  if (requested.inspection && request.hasInspection && !isTraceLost) steps.push('publish_inspection');
  if (requested.result && request.hasValue) steps.push(request.hasRecovery ? 'publish_recovery' : 'publish_result');
  return steps;
}

/** The publication after its next step came to `outcome`. A failure ends the chain; removing an empty file does not. */
export function advance(publication: Publication, outcome: StepOutcome): Publication {
  const [step, ...rest] = publication.pending;
  if (step === undefined) return publication;
  const states = statesAfter(publication.states, step, outcome);
  if (outcome === 'done') return { ...publication, states, pending: rest };
  return {
    states,
    pending: step === 'remove_recovery' ? rest : [],
    failures: [...publication.failures, codeOf(step, outcome)],
  };
}

function statesAfter(states: FailureArtifacts, step: PublicationStep, outcome: StepOutcome): FailureArtifacts {
  const file: ArtifactState = outcome === 'done' ? 'written' : 'failed';
  switch (step) {
    case 'publish_trace':
      return { ...states, trace: file };
    case 'publish_inspection':
      return { ...states, inspection: file };
    case 'publish_result':
      return { ...states, result: outcome === 'uncertain' ? 'finalization_uncertain' : file };
    case 'keep_recovery':
      return { ...states, result: outcome === 'done' ? 'recovery_written' : 'failed' };
    case 'publish_recovery':
      return { ...states, result: recoveryState(outcome) };
    case 'remove_recovery':
      return states;
  }
}

function recoveryState(outcome: StepOutcome): ResultState {
  if (outcome === 'done') return 'written';
  return outcome === 'uncertain' ? 'finalization_uncertain' : 'recovery_written';
}

function codeOf(step: PublicationStep, outcome: StepOutcome): PublicationCode {
  if (step === 'remove_recovery') return 'recovery_cleanup_failed';
  if (outcome === 'collision') return 'destination_collision';
  switch (step) {
    case 'publish_trace':
      return 'trace_publication_failed';
    case 'publish_inspection':
      return 'inspection_publication_failed';
    case 'publish_result':
    case 'keep_recovery':
    case 'publish_recovery':
      return 'result_publication_failed';
  }
}
