import type { RunReference } from '../../contract/run-reference.ts';
import type { Sandbox } from '../../sandbox/pool/interface.ts';
import type { Clock } from '../evidence/clock.ts';
import type { TraceRecorder } from '../evidence/recorder.ts';
import type { RunDeadline } from './deadlines.ts';
import type { InspectionSession } from './inspection.ts';

/** What a run has once its sinks are open: all that its environments are made with (runtime.md §1 step 12). */
export interface RunContext {
  readonly runRef: RunReference;
  readonly sandbox: Sandbox;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly recorder: TraceRecorder;
  readonly inspection: InspectionSession;
  readonly runDeadline: RunDeadline;
}
