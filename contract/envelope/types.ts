import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { JsonValue } from '../json/value.ts';
import type { DoctorFailedResult } from './doctor.ts';
import type { ExecutionRecord, FinishedOk, Incomplete, NotStarted } from './execution.ts';
import type { CommandResults } from './results.ts';

/** The command envelope, version 5: how one command ended (interface.md §1.2.1). */

export const ENVELOPE_VERSION = 5;

/** Commands whose success has a result of its own, in the order of interface.md. */
export const RESULT_COMMANDS = [
  'help',
  'version',
  'docs',
  'init',
  'validate',
  'doctor',
  'models',
  'catalog',
  'materialize',
  'transcript',
] as const satisfies readonly (keyof CommandResults)[];
/** A command whose success carries a result. */
export type ResultCommand = (typeof RESULT_COMMANDS)[number];

/** `unknown`: argv named no command that has envelopes. */
export type PlainCommand = ResultCommand | 'unknown';
/** Any command that an envelope can be of. */
export type EnvelopeCommand = PlainCommand | 'run';

/** At most so many secondary errors and warnings (interface.md §1.8). */
export const SECONDARY_ERRORS_MAX = 6;
export const WARNINGS_MAX = 128;

export const MODEL_UNCATALOGED =
  'the configured model is not an exact catalog entry; pricing, limits, token estimation, and capability detection may be incomplete';

/**
 * A model that the catalogue does not have: nobody knows its bounds and prices; `model` is null where it may not be
 * shown.
 */
export interface Warning {
  readonly code: 'model_uncataloged';
  readonly message: typeof MODEL_UNCATALOGED;
  readonly provider: string;
  readonly model: string | null;
}

type None = readonly never[];

interface Head<Command extends EnvelopeCommand, Status extends 'ok' | 'error'> {
  readonly schema_version: typeof ENVELOPE_VERSION;
  readonly command: Command;
  readonly status: Status;
  readonly run_ref: string;
}

/** A command other than `run` that succeeded. */
export interface CommandSuccess<Command extends ResultCommand = ResultCommand> extends Head<Command, 'ok'> {
  readonly result: CommandResults[Command];
  readonly secondary_errors: None;
  readonly warnings: None;
}

/** A command other than `run` that failed, or one that nobody knows. */
export interface CommandFailure<Command extends PlainCommand = PlainCommand> extends Head<Command, 'error'> {
  readonly error: Diagnostic;
  readonly secondary_errors: None;
  readonly warnings: None;
}

/** A doctor that made its report and found a failure; at most six secondary errors. */
export interface DoctorFailure extends Head<'doctor', 'error'> {
  readonly error: Diagnostic;
  readonly result: DoctorFailedResult;
  readonly secondary_errors: readonly Diagnostic[];
  readonly warnings: readonly Warning[];
}

/** Whether artifacts may be read by others than their owner (runtime.md §12). */
export type ArtifactClass = 'normal' | 'private';

export const SUCCESS_STATES = ['not_requested', 'written'] as const;
export const UNPUBLISHED_STATES = ['not_requested', 'not_written'] as const;
export const ARTIFACT_STATES = ['not_requested', 'not_written', 'written', 'failed'] as const;
type SuccessState = (typeof SUCCESS_STATES)[number];
type UnpublishedState = (typeof UNPUBLISHED_STATES)[number];
/** What became of one artifact (runtime.md §12). */
export type ArtifactState = (typeof ARTIFACT_STATES)[number];
/** Only a result can be kept in its recovery file, or end unproved. */
export type ResultState = ArtifactState | 'recovery_written' | 'finalization_uncertain';

/** The states of the artifacts of one run. */
export interface ArtifactStates<State, Result = State> {
  readonly trace: State;
  readonly inspection: State;
  readonly result: Result;
}

/** Of a normal run that succeeded. */
export type SuccessArtifacts = ArtifactStates<SuccessState>;
/** Of a private run that succeeded: its result was written. */
export type PrivateSuccessArtifacts = ArtifactStates<SuccessState, 'written'>;
/** Of a run that published nothing. */
export type UnpublishedArtifacts = ArtifactStates<UnpublishedState>;
/** Of a run that failed; the result has states of its own (runtime.md §12). */
export type FailureArtifacts = ArtifactStates<ArtifactState, ResultState>;

interface RunSuccessHead extends Head<'run', 'ok'> {
  readonly secondary_errors: None;
  readonly warnings: readonly Warning[];
  readonly execution: FinishedOk;
}

/** A normal run that succeeded (interface.md). */
export interface NormalRunSuccess extends RunSuccessHead {
  /** `value` is left out where the caller keeps it elsewhere. */
  readonly result: { readonly result_class: 'normal'; readonly value?: JsonValue };
  readonly artifact_class: 'normal';
  readonly artifact_state: SuccessArtifacts;
}

/** A private run that succeeded: the envelope has no value (interface.md). */
export interface PrivateRunSuccess extends RunSuccessHead {
  readonly result: { readonly result_class: 'private' };
  readonly artifact_class: 'private';
  readonly artifact_state: PrivateSuccessArtifacts;
}

interface RunFailureHead extends Head<'run', 'error'> {
  readonly error: Diagnostic;
  readonly warnings: readonly Warning[];
}

/** The run's data class was never decided: nothing was reserved and no provider touched. */
export interface UnclassifiedRunFailure extends RunFailureHead {
  readonly secondary_errors: None;
  readonly artifact_class: 'unclassified';
  readonly artifact_state: UnpublishedArtifacts;
  readonly execution: NotStarted;
}

/** `limit_capacity_invalid`: the application cannot fit its own evidence. */
export interface CapacityRunFailure extends RunFailureHead {
  readonly secondary_errors: None;
  readonly artifact_class: ArtifactClass;
  readonly artifact_state: UnpublishedArtifacts;
  readonly execution: NotStarted | Incomplete;
}

/** Every other failure; also the two whose result state needs a matching publication diagnostic. */
export interface ClassifiedRunFailure extends RunFailureHead {
  readonly secondary_errors: readonly Diagnostic[];
  readonly artifact_class: ArtifactClass;
  readonly artifact_state: FailureArtifacts;
  readonly execution: ExecutionRecord;
}

/** Any run that succeeded. */
export type RunSuccess = NormalRunSuccess | PrivateRunSuccess;
/** Any run that failed. */
export type RunFailure = UnclassifiedRunFailure | CapacityRunFailure | ClassifiedRunFailure;

/** What a command answers, version 5 (interface.md); one JSON line. */
export type Envelope =
  | { readonly [Command in ResultCommand]: CommandSuccess<Command> }[ResultCommand]
  | CommandFailure
  | DoctorFailure
  | RunSuccess
  | RunFailure;
