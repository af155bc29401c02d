import { PgBoss } from 'pg-boss';
import type { Database, Sql } from './database.ts';
import { isServed, servedText } from './fair-claim.ts';
import type { Served } from './interface.ts';
import { ENGINE_SCHEMA, SCHEMA } from './schema.ts';
import { readTextColumn } from './transitions.ts';

/**
 * A run may wait and last as long as the engine can hold it; what it forgets before is delivered again by the reaper.
 */
const ACQUIRED = {
  retryLimit: 0,
  expireInSeconds: 86_400,
  retentionSeconds: 1_209_600,
  deleteAfterSeconds: 3600,
} as const;

/**
 * Delivers jobs, each a run of one tenant: in the order of their coming but for what had started, and at most once
 * (pg-boss).
 */
export interface Delivery {
  /** Makes the queue of a tenant where there is none. Before a transaction that uses it. */
  prepare(tenant: string): Promise<void>;
  /** `isAgain`: a run that had started, which goes before those that have not. */
  send(
    sql: Sql,
    job: { readonly tenant: string; readonly jobId: string; readonly runRef: string; readonly isAgain: boolean },
  ): Promise<void>;
  /** The next job of a tenant that the worker serves, which nobody else gets; null without one. `served` null: all. */
  take(
    sql: Sql,
    tenant: string,
    served: readonly Served[] | null,
  ): Promise<{ readonly jobId: string; readonly runRef: string } | null>;
  /** Jobs that are not wanted any more. */
  drop(sql: Sql, tenant: string, jobId: string): Promise<void>;
  /** Query for the ids of jobs that are still to be delivered. */
  readonly waitingJobs: string;
  close(): Promise<void>;
}

export async function openDelivery(database: Database): Promise<Delivery> {
  const over = (sql: Sql) => ({
    executeSql: async (text: string, values?: unknown[]) => ({ rows: [...(await sql.query(text, values))] }),
  });
  const boss = new PgBoss({
    db: over(database),
    backend: database.backend,
    schema: ENGINE_SCHEMA,
    schedule: false,
    supervise: true,
  });
  // Its maintenance comes again; what a call of ours meets is reported to its caller.
  boss.on('error', () => undefined);
  boss.on('warning', () => undefined);
  await boss.start();
  const prepared = new Map<string, Promise<void>>();
  const queueOf = (tenant: string): string => `runs/${tenant}`;
  return {
    prepare: async (tenant) => {
      const known = prepared.get(tenant) ?? boss.createQueue(queueOf(tenant), ACQUIRED);
      prepared.set(tenant, known);
      await known.catch((error: unknown) => {
        prepared.delete(tenant);
        throw error;
      });
    },
    send: async (sql, { tenant, jobId, runRef, isAgain }) => {
      await boss.send(queueOf(tenant), { runRef }, { id: jobId, priority: isAgain ? 1 : 0, db: over(sql) });
    },
    take: async (sql, tenant, served) => {
      // The engine gives the next job of a queue whatever it is of: the row of the run says whether it is served.
      const [next] = await sql.query(
        `select r.run_ref, r.job_id from ${SCHEMA}.runs r join ${ENGINE_SCHEMA}.job j on j.id = r.job_id
         where r.tenant = $1 and r.state = 'accepted' and j.name = $2 and j.state in ('created', 'retry')
           and ${isServed(3)}
         order by j.priority desc, j.created_on, j.id limit 1 for update of r skip locked`,
        [tenant, queueOf(tenant), servedText(served)],
      );
      if (next === undefined) return null;
      const [jobId, runRef] = [readTextColumn(next, 'job_id'), readTextColumn(next, 'run_ref')];
      // What is taken is delivered: the lease of its row holds it from here on, and the reaper delivers it again.
      await boss.deleteJob(queueOf(tenant), jobId, { db: over(sql) });
      return { jobId, runRef };
    },
    drop: async (sql, tenant, jobId) => {
      await boss.deleteJob(queueOf(tenant), jobId, { db: over(sql) });
    },
    waitingJobs: `select id from ${ENGINE_SCHEMA}.job where state in ('created', 'retry')`,
    close: async () => boss.stop({ close: false, graceful: false }),
  };
}
