import type { Sql } from './database.ts';
import { SCHEMA } from './schema.ts';

/** What a worker says of itself, so that others see who takes runs. */
export interface WorkerPresence {
  readonly worker: string;
  /** Of the application whose runs it takes; null: of several, or of any. */
  readonly applicationDigest: string | null;
  readonly slots: number;
  readonly running: number;
}

/** One that was not heard of for longer is gone: three rounds of its reaper. */
export const PRESENT_SECONDS = 30;

export async function announceWorker(
  sql: Sql,
  { worker, applicationDigest, slots, running }: WorkerPresence,
): Promise<void> {
  await sql.query(
    `insert into ${SCHEMA}.workers as w (worker, application_digest, slots, running) values ($1::uuid, $2, $3, $4)
     on conflict (worker) do update set running = excluded.running, seen_at = clock_timestamp()`,
    [worker, applicationDigest, slots, running],
  );
  await sql.query(
    `delete from ${SCHEMA}.workers where seen_at < clock_timestamp() - interval '${PRESENT_SECONDS * 10} seconds'`,
  );
}

export async function withdrawWorker(sql: Sql, worker: string): Promise<void> {
  await sql.query(`delete from ${SCHEMA}.workers where worker = $1::uuid`, [worker]);
}
