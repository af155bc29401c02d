import type { RunReference } from '../../contract/run-reference.ts';
import type { Sandbox } from '../../sandbox/pool/interface.ts';
import type { Clock } from '../evidence/clock.ts';
import type { RunObserver } from '../live/observer.ts';
import type { ReservationTools } from '../publication/reservation.ts';
import type { ExplicitDestinations, ProjectArtifacts } from './destinations.ts';
import type { OpenEnvironments } from './environments.ts';

/** What a run acts with. */
export interface RunTools {
  readonly sandbox: Sandbox;
  readonly publication: ReservationTools;
  readonly clock: Clock;
  /** Aborted to stop the run in the order of runtime.md §10. */
  readonly signal: AbortSignal;
  readonly openEnvironments: OpenEnvironments;
  /** Called once the run evaluates nothing further, before its artifacts are published. */
  readonly onEvaluated: () => void;
  /** Told of the run while it goes on; absent: nobody is. Must not throw. */
  readonly observer?: RunObserver;
}

export interface RunRequest {
  readonly runRef: RunReference;
  readonly explicit: ExplicitDestinations;
  readonly project: ProjectArtifacts | null;
  /** Whose workflow this is: isolates share a process only within one domain (sandbox/pool/interface.ts). */
  readonly trustDomain: string;
}
