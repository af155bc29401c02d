import type { Sql } from './database.ts';
import { SCHEMA } from './schema.ts';

/** How long runs that have ended stay on record. */
export interface Retention {
  /** Days since they ended; null: for ever. */
  readonly keepDays: number | null;
  /** Bytes of their jobs and envelopes in all, the newest first; null: no bound. */
  readonly keepBytes: number | null;
}

export const RETENTION: Retention = { keepDays: 30, keepBytes: null };
/** What has just ended is still asked for. */
const LEAST = `interval '1 hour'`;
/** Rows that one round removes; more wait for the next. */
const ROUND = 1000;
const ENDED = `state in ('finished', 'cancelled', 'lost')`;

/**
 * Removes the record of runs that ended long ago, or that there is no room for; any number of processes beside each
 * other. Gives how many.
 */
export async function deleteOldRuns(sql: Sql, { keepDays, keepBytes }: Retention): Promise<number> {
  let deleted = 0;
  if (keepDays !== null) {
    deleted += await remove(
      sql,
      `select run_ref from ${SCHEMA}.runs where ${ENDED} and changed_at < clock_timestamp() - greatest($1 * interval '1 day', ${LEAST})`,
      keepDays,
    );
  }
  if (keepBytes !== null) {
    deleted += await remove(
      sql,
      `select run_ref from (
      select run_ref, changed_at,
        sum(coalesce(pg_column_size(job), 0) + coalesce(pg_column_size(envelope), 0))
          over (order by changed_at desc, run_ref) as kept
      from ${SCHEMA}.runs where ${ENDED}) as ended where kept > $1 and changed_at < clock_timestamp() - ${LEAST}`,
      keepBytes,
    );
  }
  return deleted;
}

async function remove(sql: Sql, which: string, bound: number): Promise<number> {
  const rows = await sql.query(
    `delete from ${SCHEMA}.runs where run_ref in (select run_ref from ${SCHEMA}.runs where run_ref in (${which}) and ${ENDED} order by changed_at limit ${ROUND} for update skip locked) returning run_ref`,
    [bound],
  );
  return rows.length;
}
