/** What earlier runs left: `svc runs`, `svc explain`, `svc transcript`, `svc prune` (cli.md §10). */
export {
  findProjectRun,
  listProjectRuns,
  type FoundRun,
  type ProjectRunsOptions,
} from '../history/runs/project-runs.ts';
export type { RunList } from '../history/runs/run-list.ts';
export type { RunRow } from '../history/runs/run-row.ts';
export { explainRun } from '../history/explain/explain-run.ts';
export type { Explanation } from '../history/explain/explain.ts';
export { performTranscript } from '../history/transcript/transcript-command.ts';
export { pruneProject } from '../history/prune/prune-project.ts';
export { storedCodeRuns } from '../code/own-artifacts.ts';
export type { RefusedOnProject } from '../documents/project/load-project.ts';

/** What a face may show a person of a fault beside its envelope (documents.md §14). */
export type { TargetDocument } from '../../contract/outcome.ts';
