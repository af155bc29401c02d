/** The face of the package for clients of runners, `svc/engine` (gateway.md §19, docs/runners.md). */
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
export { newJob, newStoredJob } from '../service/engine/new-job.ts';
export { pgliteDatabase } from '../service/engine/pglite-database.ts';
export type { PgliteInstance } from '../service/engine/pglite-database.ts';
export { postgresDatabase } from '../service/engine/postgres-database.ts';
export { postgresJournal } from '../service/engine/postgres-journal.ts';
export { directoryArtifacts } from '../service/stores/directory-stores.ts';
export { StoreError } from '../service/stores/interface.ts';
export { readKeptEnvelope } from '../service/stores/kept-envelope.ts';
export { objectArtifacts } from '../service/stores/object-artifacts.ts';
export type { ObjectStoreOptions } from '../service/stores/object-artifacts.ts';
export type {
  ArtifactKey,
  ArtifactStore,
  NewRun,
  RunJournal,
  RunRecord,
  RunScan,
} from '../service/stores/interface.ts';
