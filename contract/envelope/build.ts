import type { Diagnostic, Phase } from '../diagnostics/diagnostic.ts';
import { NAME, wholeMatch } from '../diagnostics/grammar.ts';
import type { JsonValue } from '../json/value.ts';
import type { DoctorFailedResult } from './doctor.ts';
import type { ExecutionRecord, FinishedOk } from './execution.ts';
import type { CommandResults } from './results.ts';
import {
  ENVELOPE_VERSION,
  MODEL_UNCATALOGED,
  SECONDARY_ERRORS_MAX,
  UNPUBLISHED_STATES,
  WARNINGS_MAX,
  type ArtifactClass,
  type CapacityRunFailure,
  type ClassifiedRunFailure,
  type CommandFailure,
  type CommandSuccess,
  type DoctorFailure,
  type EnvelopeCommand,
  type FailureArtifacts,
  type PlainCommand,
  type PrivateSuccessArtifacts,
  type ResultCommand,
  type RunFailure,
  type RunSuccess,
  type SuccessArtifacts,
  type UnclassifiedRunFailure,
  type UnpublishedArtifacts,
  type Warning,
} from './types.ts';

/**
 * One builder for each variant of the envelope. All throw TypeError for a state that the interface has no place for.
 */

/** Diagnostics of these phases and without provider activity leave the run unclassified (runtime.md §3). */
export const UNCLASSIFIED_PHASES: readonly Phase[] = [
  'arguments',
  'project',
  'host',
  'application',
  'bundle',
  'provider_declaration',
  'destination',
  'internal',
];

/** Publication codes that explain a result kept in its recovery file (runtime.md §3). */
export const RECOVERY_CODES = [
  'trace_publication_failed',
  'inspection_publication_failed',
  'result_publication_failed',
  'destination_collision',
] as const;

/** Publication codes that explain a result whose link could not be proved (runtime.md §3). */
export const UNCERTAIN_CODES = ['result_publication_failed'] as const;

export const RUN_REFERENCE_PATTERN = 'cmd-[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}';
const RUN_REFERENCE = wholeMatch(RUN_REFERENCE_PATTERN);
const PROVIDER_NAME = wholeMatch(NAME);
/** Characters of a warning's model (interface.md §1.2.2). */
export const WARNING_MODEL_LENGTH_MAX = 256;

function head<Command extends EnvelopeCommand, Status extends 'ok' | 'error'>(
  command: Command,
  status: Status,
  runReference: string,
) {
  requireMember(RUN_REFERENCE.test(runReference), 'the run reference has its published form');
  return { schema_version: ENVELOPE_VERSION, command, status, run_ref: runReference } as const;
}

function requireMember(holds: boolean, rule: string): void {
  if (!holds) throw new TypeError(`envelope: ${rule}`);
}

function warningList(warnings: readonly Warning[]): readonly Warning[] {
  requireMember(warnings.length <= WARNINGS_MAX, 'at most 128 warnings');
  return warnings;
}

/** `model`: the selector if it may be shown, else null. */
export function modelUncataloged(provider: string, model: string | null): Warning {
  requireMember(PROVIDER_NAME.test(provider), 'a warning names an installation');
  requireMember(
    model === null || (model.length >= 1 && model.length <= WARNING_MODEL_LENGTH_MAX),
    'a model has 1 to 256 characters',
  );
  return { code: 'model_uncataloged', message: MODEL_UNCATALOGED, provider, model };
}

/**
 * The envelope of a command that ended well (interface.md); not for `run`. Throws TypeError where a fact breaks its
 * bounds.
 */
export function commandSuccess<Command extends ResultCommand>(
  command: Command,
  runReference: string,
  result: CommandResults[Command],
): CommandSuccess<Command> {
  return { ...head(command, 'ok', runReference), result, secondary_errors: [], warnings: [] };
}

/** Not for `run`, whose failures say more: see `runFailure`. */
export function commandFailure<Command extends PlainCommand>(
  command: Command,
  runReference: string,
  error: Diagnostic,
): CommandFailure<Command> {
  return { ...head(command, 'error', runReference), error, secondary_errors: [], warnings: [] };
}

/** A doctor that could make its report, and found a failure. */
export function doctorFailure(facts: {
  readonly runReference: string;
  readonly error: Diagnostic;
  readonly secondaryErrors: readonly Diagnostic[];
  readonly warnings: readonly Warning[];
  readonly result: DoctorFailedResult;
}): DoctorFailure {
  requireMember(facts.secondaryErrors.length <= SECONDARY_ERRORS_MAX, 'at most 6 secondary errors');
  return {
    ...head('doctor', 'error', facts.runReference),
    error: facts.error,
    result: facts.result,
    secondary_errors: facts.secondaryErrors,
    warnings: warningList(facts.warnings),
  };
}

/**
 * What a successful run has to report: normal with its value, null where the caller keeps it elsewhere, or private
 * without (interface.md).
 */
export type RunSuccessFacts = {
  readonly runReference: string;
  readonly warnings: readonly Warning[];
  readonly execution: FinishedOk;
} & (
  | { readonly artifactClass: 'normal'; readonly artifactState: SuccessArtifacts; readonly value?: JsonValue }
  | { readonly artifactClass: 'private'; readonly artifactState: PrivateSuccessArtifacts }
);

/**
 * The envelope of a run that ended well (interface.md §1.2.9). Of a private run no value, and its
 * result is written. Throws TypeError for more than 128 warnings.
 */
export function runSuccess(facts: RunSuccessFacts): RunSuccess {
  const shared = {
    ...head('run', 'ok', facts.runReference),
    secondary_errors: [],
    warnings: warningList(facts.warnings),
    execution: facts.execution,
  } as const;
  if (facts.artifactClass === 'private') {
    return {
      ...shared,
      result: { result_class: 'private' },
      artifact_class: 'private',
      artifact_state: facts.artifactState,
    };
  }
  const value = facts.value === undefined ? {} : { value: facts.value };
  return {
    ...shared,
    result: { result_class: 'normal', ...value },
    artifact_class: 'normal',
    artifact_state: facts.artifactState,
  };
}

interface RunFailureShared {
  readonly runReference: string;
  readonly error: Diagnostic;
  readonly warnings: readonly Warning[];
}

/** What a run that failed before its class was known has to report. */
export interface UnclassifiedFacts extends RunFailureShared {
  readonly artifactState: UnpublishedArtifacts;
}

/** What a run that failed once its class was known has to report; at most six secondary errors. */
export interface ClassifiedFacts extends RunFailureShared {
  readonly artifactClass: ArtifactClass;
  readonly secondaryErrors: readonly Diagnostic[];
  readonly artifactState: FailureArtifacts;
  readonly execution: ExecutionRecord;
}

/** Whether a run that fails with this diagnostic before it was under way has no class (runtime.md §3). */
export function isUnclassified(error: Diagnostic): boolean {
  return (
    UNCLASSIFIED_PHASES.includes(error.phase) && !error.provider_activity && error.code !== 'limit_capacity_invalid'
  );
}

/**
 * A run that failed. The variant follows from the facts (runtime.md §3): capacity for `limit_capacity_invalid`,
 * unclassified for the inert phases while nothing had started, classified for all else. Facts that the variant has no
 * place for (a published artifact of a run that never began) throw.
 */
export function runFailure(facts: ClassifiedFacts): RunFailure {
  if (facts.error.code === 'limit_capacity_invalid') return capacityRunFailure(facts);
  if (isUnclassified(facts.error) && facts.execution.state === 'not_started') {
    requireMember(facts.secondaryErrors.length === 0, 'an unclassified run has no secondary errors');
    return unclassifiedRunFailure({ ...facts, artifactState: unpublished(facts.artifactState) });
  }
  return classifiedRunFailure(facts);
}

/**
 * The envelope of a run that failed before it had a class (runtime.md §3). Throws TypeError for a diagnostic that
 * leaves no run unclassified.
 */
export function unclassifiedRunFailure(facts: UnclassifiedFacts): UnclassifiedRunFailure {
  requireMember(isUnclassified(facts.error), 'only an inert failure leaves a run unclassified');
  return {
    ...head('run', 'error', facts.runReference),
    error: facts.error,
    secondary_errors: [],
    warnings: warningList(facts.warnings),
    artifact_state: facts.artifactState,
    artifact_class: 'unclassified',
    execution: { state: 'not_started' },
  };
}

function capacityRunFailure(facts: ClassifiedFacts): CapacityRunFailure {
  const { execution } = facts;
  if (execution.state === 'finished')
    throw new TypeError('envelope: a capacity failure comes before the execution ends');
  requireMember(facts.secondaryErrors.length === 0, 'a capacity failure has no secondary errors');
  return {
    ...head('run', 'error', facts.runReference),
    error: facts.error,
    secondary_errors: [],
    warnings: warningList(facts.warnings),
    artifact_state: unpublished(facts.artifactState),
    artifact_class: facts.artifactClass,
    execution: withoutPrivateError(execution, facts.artifactClass),
  };
}

function classifiedRunFailure(facts: ClassifiedFacts): ClassifiedRunFailure {
  requireMember(facts.secondaryErrors.length <= SECONDARY_ERRORS_MAX, 'at most 6 secondary errors');
  const { execution, artifactClass, artifactState } = facts;
  const explains = (codes: readonly string[]): boolean =>
    [facts.error, ...facts.secondaryErrors].some(({ phase, code }) => phase === 'publication' && codes.includes(code));
  const { result } = artifactState;
  requireMember(
    result !== 'recovery_written' || explains(RECOVERY_CODES),
    'a recovered result has its publication diagnostic',
  );
  requireMember(
    result !== 'finalization_uncertain' || explains(UNCERTAIN_CODES),
    'an uncertain result has its publication diagnostic',
  );
  return {
    ...head('run', 'error', facts.runReference),
    error: facts.error,
    secondary_errors: facts.secondaryErrors,
    warnings: warningList(facts.warnings),
    artifact_state: artifactState,
    artifact_class: artifactClass,
    execution: withoutPrivateError(execution, artifactClass),
  };
}

/** A private run never says how an evaluation failed (interface.md §1.2.6). */
function withoutPrivateError<Record extends ExecutionRecord>(execution: Record, artifactClass: ArtifactClass): Record {
  return artifactClass === 'private' && 'last_evaluation_error' in execution
    ? { ...execution, last_evaluation_error: null }
    : execution;
}

function isUnpublished(state: string): state is (typeof UNPUBLISHED_STATES)[number] {
  return UNPUBLISHED_STATES.some((unpublishedState) => unpublishedState === state);
}

function unpublished(states: FailureArtifacts): UnpublishedArtifacts {
  const { trace, inspection, result } = states;
  if (!isUnpublished(trace) || !isUnpublished(inspection) || !isUnpublished(result)) {
    throw new TypeError('envelope: this run published nothing');
  }
  return { trace, inspection, result };
}
