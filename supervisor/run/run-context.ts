import type { EffectGate } from '../../contract/effect.ts';
import type { RunReference } from '../../contract/run-reference.ts';
import type { Sandbox } from '../../sandbox/pool/interface.ts';
import type { Clock } from '../../system/clock.ts';
import type { RunClock } from '../platform/run-clock/run-clock.ts';
import type { RunObserver } from '../evidence/live/observer.ts';
import type { TraceRecorder } from '../evidence/recorder.ts';
import type { MissedRequest } from '../providers/source/installed-provider.ts';
import type { RunnableApplication } from './application.ts';
import type { RunDeadline } from './deadlines.ts';
import type { RunApprovals } from './run-approvals.ts';
import type { RunInspection } from './run-inspection.ts';
import type { RunTrace } from './run-trace.ts';

/** What a run has once its sinks are open: all that its environments are made with (runtime.md §1 step 12). */
export interface RunContext {
  readonly runRef: RunReference;
  readonly traceId: string;
  /** Whose run it is. */
  readonly trustDomain: string;
  readonly application: RunnableApplication;
  readonly sandbox: Sandbox;
  /** Stands still while the run waits for a person and none of it works. */
  readonly clock: RunClock;
  readonly signal: AbortSignal;
  /** The recorder of the trace. */
  readonly recorder: TraceRecorder;
  readonly trace: RunTrace;
  readonly inspection: RunInspection;
  readonly runDeadline: RunDeadline;
  /** Called with the run while it goes on; null: nobody is. */
  readonly observer: RunObserver | null;
  /** Null: every call may leave. */
  readonly effectGate: EffectGate | null;
  /** Where calls that need a person's yes are asked about. */
  readonly approvals: RunApprovals;
  /** What the clock of the machine shows. */
  readonly machine: Clock;
  /** When the caller waits no longer, on that clock. */
  readonly callerDeadlineAt: number;
  /** Called with requests that no fixture answers. */
  readonly missed: (missed: MissedRequest) => void;
}
