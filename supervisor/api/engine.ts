/** The face of the package for clients of runners, `svc/engine` (gateway.md §19, docs/runners.md). */
export type { Database, Sql } from '../engine/database.ts';
export { openEngine } from '../engine/engine.ts';
export type { DatabaseEngine, EngineTiming } from '../engine/engine.ts';
export type * from '../engine/interface.ts';
export { newJob } from '../engine/new-job.ts';
export type { JobRequest } from '../engine/new-job.ts';
export { pgliteDatabase } from '../engine/pglite-database.ts';
export type { PgliteInstance } from '../engine/pglite-database.ts';
export { postgresDatabase } from '../engine/postgres-database.ts';
export { postgresJournal } from '../engine/postgres-journal.ts';
export type { NewRun, RunJournal, RunRecord, RunScan } from '../stores/interface.ts';
