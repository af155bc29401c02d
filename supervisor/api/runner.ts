/** `svc runner`: takes runs of one application from a database (gateway.md §19). */
export { serveRuns } from '../service/runner/serve-runs.ts';
export { readRunnerStatus } from '../service/engine/runner-status.ts';
export type { EngineStatus } from '../service/engine/runner-status.ts';
