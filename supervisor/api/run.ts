/** `svc run`: one run of a named application, from its documents to its report (runtime.md §1). */
export type { RunApprovals } from '../run/run-approvals.ts';
export {
  runApplication,
  type InputStream,
  type InterruptedRun,
  type MissedRequest,
  type RunOptions,
  type RunReport,
  type StreamRead,
} from '../run/named-run.ts';

/** What watches a run while it goes on: progress, the viewer, telemetry (evidence.md §10). */
export {
  EMPTY_VIEW,
  guardedObserver,
  reporterOf,
  withEvent,
  withProgram,
  type AgentView,
  type LiveLimits,
  type RunObserver,
  type RunView,
} from '../evidence/live/start-reporter.ts';
export { telemetryOf } from '../evidence/telemetry/observe-run.ts';
