import type { ArtifactClass, Warning } from '../../contract/envelope/types.ts';
import type { FailedCallCount } from '../calls/broker/failed-calls.ts';
import type { EventLoss } from '../evidence/recorder.ts';
import type { InterruptedRun } from '../publication/journal/sweep.ts';
import type { MissedRequest } from '../providers/source/installed-provider.ts';
import type { ArtifactRoot } from '../publication/artifact-root.ts';
import type { ArtifactsRequested, ProjectArtifacts } from './destinations.ts';
import type { RunEnvironments } from './environments.ts';

/** Events that a trace lacks. */
export interface LostEvents extends EventLoss {
  readonly events: number;
}

/** How far a run has come, for the one place that must tell of it whatever happened. Each step notes its own part. */
export interface RunProgress {
  requested: ArtifactsRequested;
  /** Null until the project is found, and without one. */
  project: ProjectArtifacts | null;
  /** Where the project's artifacts go, held since the project was found; null where it asks for none. */
  artifactRoot: ArtifactRoot | null;
  isRootRefused: boolean;
  /** Earlier runs of the project that died with a sealed value (runtime.md §15.1). */
  interrupted: readonly InterruptedRun[];
  /** Requests that no fixture answered, of a normal run. */
  readonly misses: MissedRequest[];
  /** The limit for which the trace of a normal run lacks events, and how many; null where it lacks none. */
  eventLoss: LostEvents | null;
  /** Calls of a normal run that were answered with an error; none before it has ended. */
  failedCalls: readonly FailedCallCount[];
  /** None until the application is known. */
  warnings: readonly Warning[];
  /** Null until the run is classified. */
  artifactClass: ArtifactClass | null;
  /** Null until they are open. */
  environments: RunEnvironments | null;
  /** The workflow may have begun. */
  hasBegun: boolean;
}

/** Of a run of which nothing is known but what its command asks for. */
export function newProgress(requested: ArtifactsRequested): RunProgress {
  return {
    requested,
    project: null,
    artifactRoot: null,
    isRootRefused: false,
    interrupted: [],
    misses: [],
    eventLoss: null,
    failedCalls: [],
    warnings: [],
    artifactClass: null,
    environments: null,
    hasBegun: false,
  };
}
