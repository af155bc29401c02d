/** The face of the package for clients of runners, `@svc-lisp/svc/engine` (gateway.md §19, docs/guides/runners.md). */
export type { Database, Sql } from '../service/engine/database.ts';
export { openEngine } from '../service/engine/engine.ts';
export type {
  DatabaseEngine,
  EngineOptions,
  EngineStatus,
  EngineTiming,
  QueueStatus,
  Retention,
} from '../service/engine/engine.ts';
export type * from '../service/engine/interface.ts';
export { newJob, createStoredJob } from '../service/engine/new-job.ts';
export { openPgliteDatabase } from '../service/engine/pglite-database.ts';
export type { PgliteInstance } from '../service/engine/pglite-database.ts';
export { openPostgresApprovals } from '../service/engine/postgres-approvals.ts';
export { openPostgresDatabase } from '../service/engine/postgres-database.ts';
export { openPostgresJournal } from '../service/engine/postgres-journal.ts';
export { openDirectoryArtifacts } from '../service/stores/directory-stores.ts';
export type { ApprovalStore, DecisionOutcome, StoredApproval } from '../service/stores/approval-store.ts';
export { StoreError } from '../service/stores/interface.ts';
export { readStoredEnvelope } from '../service/stores/stored-envelope.ts';
export { openObjectArtifacts } from '../service/stores/object-artifacts.ts';
export type { ObjectStoreOptions } from '../service/stores/object-artifacts.ts';
export type {
  ArtifactKey,
  ArtifactStore,
  NewRun,
  RunJournal,
  RunRecord,
  RunScan,
} from '../service/stores/interface.ts';
