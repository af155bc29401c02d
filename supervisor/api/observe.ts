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
