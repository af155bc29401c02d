import type { ArtifactClass, Warning } from '../../contract/envelope/types.ts';
import type { ArtifactsRequested } from './destinations.ts';
import type { RunEnvironments } from './environments.ts';

/** What is known of a run at some point, for anyone who concludes it there. */
export interface KnownRun {
  readonly requested: ArtifactsRequested;
  /** None until the application is known. */
  readonly warnings: readonly Warning[];
  /** Null until the run is classified. */
  readonly artifactClass: ArtifactClass | null;
  /** Null until they are open. */
  readonly environments: RunEnvironments | null;
  /** The workflow may have started. */
  readonly hasStarted: boolean;
}

/** Of a run of which nothing is known but what its command and its project ask for. */
export function knownRun(requested: ArtifactsRequested): KnownRun {
  return { requested, warnings: [], artifactClass: null, environments: null, hasStarted: false };
}
