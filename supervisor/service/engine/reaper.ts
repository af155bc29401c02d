import type { Database, Sql } from './database.ts';
import type { Delivery } from './delivery.ts';
import { lostRecord } from '../stores/lost-record.ts';
import { SCHEMA } from './schema.ts';
import { intOf, reapRuns, readTextColumn, writeRecord, type Reaped } from './transitions.ts';

/** Runs that one round takes; more wait for the next. */
const ROUND = 100;

/** What one round did. */
export interface ReapReport {
  readonly reaped: readonly Reaped[];
  /** Runs that waited without a job and have one again. */
  readonly delivered: number;
}

/**
 * One round of what any number of runners do beside each other (gateway.md §19): runs whose lease ran out are started
 * again or reported lost, and accepted ones that the engine forgot are delivered again.
 */
export async function reap(database: Database, delivery: Delivery): Promise<ReapReport> {
  for (const row of await database.query(
    `select distinct tenant from ${SCHEMA}.runs where state in ('accepted', 'claimed', 'running') and job_id is not null`,
  ))
    await delivery.prepare(readTextColumn(row, 'tenant'));
  return database.transaction(async (sql) => {
    const reaped = await reapRuns(sql, ROUND);
    for (const run of reaped) {
      if (run.state === 'lost') await writeRecord(sql, run, lostRecord(run.runRef));
    }
    // In the same transaction: a tenant's next run would take the place of one that it takes over.
    return { reaped, delivered: await deliverOrphaned(sql, delivery) };
  });
}

async function deliverOrphaned(sql: Sql, delivery: Delivery): Promise<number> {
  const dropped = await sql.query(
    `select run_ref, tenant, job_id, epoch from ${SCHEMA}.runs
     where state = 'accepted' and job_id is not null and job_id not in (${delivery.waitingJobs})
     order by epoch = 0, accepted_at limit $1 for update skip locked`,
    [ROUND],
  );
  for (const row of dropped) {
    const [fresh] = await sql.query(
      `update ${SCHEMA}.runs set job_id = gen_random_uuid() where run_ref = $1 returning job_id`,
      [row['run_ref']],
    );
    if (fresh !== undefined)
      await delivery.send(sql, {
        tenant: readTextColumn(row, 'tenant'),
        jobId: readTextColumn(fresh, 'job_id'),
        runRef: readTextColumn(row, 'run_ref'),
        isAgain: intOf(row, 'epoch') > 0,
      });
  }
  return dropped.length;
}
