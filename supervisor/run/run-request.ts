import type { Outcome } from '../../contract/outcome.ts';
import type { EffectGate } from '../../contract/effect.ts';
import type { RunReference } from '../../contract/run-reference.ts';
import type { Sandbox } from '../../sandbox/pool/interface.ts';
import type { Clock } from '../../system/clock.ts';
import type { RunObserver } from '../evidence/live/observer.ts';
import type { Publication } from '../evidence/publication/protocol.ts';
import type { ReservationTools } from '../evidence/publication/reservation.ts';
import type { RunnableApplication } from './application.ts';
import type { ProjectArtifacts } from '../documents/project/artifacts.ts';
import type { ArtifactsRequested, ExplicitDestinations } from './destinations.ts';
import type { OpenEnvironments } from './environments.ts';
import type { RunApprovals } from './run-approvals.ts';
import type { RunProgram } from './run-program.ts';
import type { RunSession } from './run-session.ts';

/** What evaluates. */
export interface EvaluationTools {
  readonly sandbox: () => Promise<Sandbox>;
  readonly clock: Clock;
}

/** What runs act with that leave something behind. */
export interface RunTools extends EvaluationTools {
  readonly publication: ReservationTools;
}

/** What every run is asked for with, whatever is evaluated in it. */
export interface RunTerms {
  readonly runRef: RunReference;
  /** Whose workflow this is: isolates share a process only within one domain (sandbox/pool/interface.ts). */
  readonly trustDomain: string;
  /** Aborted to stop the run in the order of runtime.md §10. */
  readonly signal: AbortSignal;
  /** Milliseconds of the monotonic clock at which the run has to be over, if that is before its own limit. */
  readonly deadlineAt?: number;
  /**
   * Asked before a call leaves that may have this effect: it does not where the answer is false. Must not reject.
   * Absent: all may.
   */
  readonly effectGate?: EffectGate;
  /** Of the person who asked for it, well formed; absent: nobody says. */
  readonly traceparent?: string;
  /** Name of the file that was given as its input, where that may be known; absent: it is not reported. */
  readonly inputName?: string;
  /** Called with the run while it goes on; absent: nobody is. Must not throw. */
  readonly observer?: RunObserver;
  /** Who is asked about calls that need a person's yes; absent: nobody can be. */
  readonly approvals?: RunApprovals;
  /** Which run of a session it is (code-mode.md §5), from 1; absent: of none. */
  readonly session?: RunSession;
}

/** One run of an application's entry, from its documents to its published artifacts. */
export interface EntryRunRequest extends RunTerms {
  readonly source: RunSource;
  readonly explicit: ExplicitDestinations;
  /** What is evaluated; absent: the entry of the application. */
  readonly program?: RunProgram;
  /** Called once the run evaluates nothing further, before its artifacts are published. */
  readonly onEvaluated: () => void;
  /**
   * Hands on what was published before the run's end is reported; what it says was published. Must not reject. Absent:
   * it stays where it is.
   */
  readonly upload?: (published: Publication) => Promise<Publication>;
}

/** What is run, in the steps that lead to it: documents that have a name, or an application that is at hand. */
export interface RunSource {
  /** Finds what was named, and what it asks to be written (runtime.md §1 step 2). */
  locate(): Promise<Outcome<LocatedRun>>;
}

export interface LocatedRun {
  readonly project: ProjectArtifacts | null;
  /** Reads, checks and compiles it: steps 6 to 9. */
  load(requested: ArtifactsRequested): Promise<Outcome<LoadedRun>>;
}

export interface LoadedRun {
  readonly application: RunnableApplication;
  /** Steps 11 and 13 to 15. */
  readonly openEnvironments: OpenEnvironments;
}
