/** The face of the package for clients of runners, `svc/engine` (gateway.md §19, docs/runners.md). */
export type { Database, Sql } from '../engine/database.ts';
export { openEngine } from '../engine/engine.ts';
export type { DatabaseEngine, EngineOptions, EngineStatus, EngineTiming, QueueStatus, Retention } from '../engine/engine.ts';
export type * from '../engine/interface.ts';
export { newJob, newStoredJob } from '../engine/new-job.ts';
export { pgliteDatabase } from '../engine/pglite-database.ts';
export type { PgliteInstance } from '../engine/pglite-database.ts';
export { postgresDatabase } from '../engine/postgres-database.ts';
export { postgresJournal } from '../engine/postgres-journal.ts';
export { directoryArtifacts } from './stores.ts';
export { StoreError } from '../stores/interface.ts';
export { readKeptEnvelope } from '../stores/kept-envelope.ts';
export { objectArtifacts } from '../stores/object-artifacts.ts';
export type { ObjectStoreOptions } from '../stores/object-artifacts.ts';
export type { ArtifactKey, ArtifactStore, NewRun, RunJournal, RunRecord, RunScan } from '../stores/interface.ts';
