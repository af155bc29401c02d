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
