import { randomUUID } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import { isRunReference } from '../../../contract/run-reference.ts';
import { checkArguments, nonEmptyText } from '../../platform/arguments/checks.ts';
import { aDatabase, aHandler, aJob, engineOptions, workOptions } from './arguments.ts';
import type { Database } from './database.ts';
import { openDelivery, type Delivery } from './delivery.ts';
import { countServed, enterTenant, findNextTenants, takeTurn } from './fair-claim.ts';
import type { Job, JobEngine, Served, Settle, WorkOptions } from './interface.ts';
import { announceWorker, withdrawWorker } from './presence.ts';
import { readJob } from './job.ts';
import { ENGINE_TIMING, keepLease, type EngineTiming, type WorkerLease } from './lease-keeper.ts';
import { enterRun } from './postgres-journal.ts';
import { reap, type ReapReport } from './reaper.ts';
import { RETENTION, deleteOldRuns, type Retention } from './retention.ts';
import { SCHEMA, makeTables } from './schema.ts';
import { readEngineStatus, type EngineStatus } from './status.ts';
import { startRun, cancelRun, isPoisonous, settleRun, takeRun, readTextColumn, textOrNull } from './transitions.ts';
import { startWorker, type WorkSource } from './worker.ts';

export type { EngineTiming } from './lease-keeper.ts';
export type { Retention } from './retention.ts';
export type { EngineStatus, QueueStatus } from './status.ts';

const CHANNEL = 'svc_runs';
const WORK = 'work';
/** Between two tries to write how a run ended, while the database is away. */
const SETTLE_AGAIN_MS = 1000;
const ENVELOPE_BYTES = 1_048_576;
const CLEANUP_MS = 60_000;

/** The engine over a database, and one round of its reaper for anyone who does not wait for it. */
export interface DatabaseEngine extends JobEngine {
  reap(): Promise<ReapReport>;
  /** What waits, goes on and is kept, and who takes runs. */
  status(): Promise<EngineStatus>;
  /** Removes the record of runs that ended long ago, as workers do every minute; gives how many. */
  deleteOld(): Promise<number>;
}

/** Times and bounds of an engine, those that are left out as usual. */
export type EngineOptions = Partial<EngineTiming & Retention>;

/**
 * Runs as jobs on PostgreSQL (gateway.md §19): the table `runs` is the source of truth, pg-boss delivers within the
 * same transactions. Makes its tables; rejects where the database does not let it. The caller closes the database after
 * the engine.
 */
export async function openEngine(database: Database, input: EngineOptions = {}): Promise<DatabaseEngine> {
  checkArguments('openEngine', { database: [database, aDatabase], options: [input, engineOptions] });
  const timing = { ...ENGINE_TIMING, ...input };
  const retention: Retention = { ...RETENTION, ...input };
  // Runners are started together: one of them makes both schemas, and the others find them made.
  const delivery = await database.exclusively(async () => {
    await makeTables(database);
    return openDelivery(database);
  });
  const rounds = retirement(database, retention);
  return {
    enqueue: async (job) => {
      checkArguments('engine.enqueue', { job: [job, aJob] });
      return enqueue(database, delivery, job);
    },
    work: (options, handle) => {
      checkArguments('engine.work', { options: [options, workOptions], handle: [handle, aHandler] });
      return startWorker(
        workSource({ database, delivery, timing, deleteOld: rounds }, options),
        timing,
        options.slots,
        handle,
      );
    },
    cancel: async (runRef) => {
      checkArguments('engine.cancel', { runRef: [runRef, nonEmptyText] });
      const [known] = await database.query(`select tenant from ${SCHEMA}.runs where run_ref = $1`, [runRef]);
      if (known === undefined) return 'unknown';
      await delivery.prepare(readTextColumn(known, 'tenant'));
      const cancelled = await database.transaction(async (sql) => {
        const found = await cancelRun(sql, runRef);
        if (found.outcome === 'queued' && found.jobId !== null) await delivery.drop(sql, found.tenant, found.jobId);
        if (found.outcome === 'signalled') await sql.query('select pg_notify($1, $2)', [CHANNEL, runRef]);
        return found;
      });
      return cancelled.outcome;
    },
    reap: async () => reap(database, delivery),
    status: async () => readEngineStatus(database),
    deleteOld: async () => deleteOldRuns(database, retention),
    close: async () => delivery.close(),
  };
}

async function enqueue(
  database: Database,
  delivery: Delivery,
  job: Job,
): Promise<'accepted' | 'duplicate' | 'conflict'> {
  const { runRef, tenant, requestHash, weight, limits } = job;
  if (!isRunReference(runRef)) throw new TypeError('a job has the name of a run');
  await delivery.prepare(tenant);
  const jobId = randomUUID();
  const entered = await database.transaction(async (sql) => {
    await enterTenant(sql, { tenant, weight, maxRuns: limits.maxRuns });
    const outcome = await enterRun(sql, {
      runRef,
      tenant,
      requestHash,
      job,
      applicationDigest: job.applicationDigest,
      jobId,
      rerunDispatched: limits.rerunDispatched,
    });
    if (outcome !== 'new') return outcome;
    await delivery.send(sql, { tenant, jobId, runRef, isAgain: false });
    await sql.query('select pg_notify($1, $2)', [CHANNEL, WORK]);
    return outcome;
  });
  return entered === 'new' ? 'accepted' : entered === 'same' ? 'duplicate' : 'conflict';
}

/** A round each minute at most, however many workers this process has. */
function retirement(database: Database, retention: Retention): () => Promise<void> {
  let last = -Infinity;
  return async () => {
    if (performance.now() - last < CLEANUP_MS) return;
    last = performance.now();
    await deleteOldRuns(database, retention);
  };
}

interface SourceSetting {
  readonly database: Database;
  readonly delivery: Delivery;
  readonly timing: EngineTiming;
  readonly deleteOld: () => Promise<void>;
}

function workSource(
  { database, delivery, timing, deleteOld }: SourceSetting,
  { slots, applicationDigest: digest, serves }: WorkOptions,
): WorkSource {
  const applicationDigest = digest ?? null;
  const served = (): readonly Served[] | null =>
    digest === undefined ? (serves?.() ?? null) : [{ applicationDigest: digest }];
  return {
    claim: async () => claim({ database, delivery, timing, served: served() }),
    settle: async (workerLease, settle) => settleUntilKnown(database, delivery, workerLease, settle),
    reap: async () => {
      await reap(database, delivery);
      await deleteOld();
    },
    announce: async (worker, running) => announceWorker(database, { worker, applicationDigest, slots, running }),
    withdraw: async (worker) => withdrawWorker(database, worker),
    listen: async (onWork, onCancelled) =>
      database.listen(CHANNEL, (payload) => (payload === WORK ? onWork() : onCancelled(payload))),
  };
}

/** Nothing ran of a run whose application has cost too many runners: it may be asked for again later. */
const BROKEN = { refused: 'unavailable', diagnostic: null };

async function claim({
  database,
  delivery,
  timing,
  served,
}: Pick<SourceSetting, 'database' | 'delivery' | 'timing'> & { readonly served: readonly Served[] | null }): Promise<
  WorkerLease | 'busy' | null
> {
  const tenants = await findNextTenants(database, served);
  for (const tenant of tenants) {
    await delivery.prepare(tenant);
    const claimedAt = performance.now();
    const claimed = await database.transaction(async (sql) => {
      if (!(await takeTurn(sql, tenant))) return null;
      const delivered = await delivery.take(sql, tenant, served);
      if (delivered === null) return null;
      const run = await takeRun(sql, { ...delivered, leaseMs: timing.leaseMs });
      if (run === null) {
        // A job of which the row knows nothing any more.
        await delivery.drop(sql, tenant, delivered.jobId);
        return null;
      }
      if (await isPoisonous(sql, delivered.runRef)) {
        await settleRun(sql, { ...delivered, epoch: run.epoch }, { state: 'finished', envelope: BROKEN });
        await delivery.drop(sql, tenant, delivered.jobId);
        return null;
      }
      await countServed(sql, tenant);
      return { ...run, runRef: delivered.runRef };
    });
    if (claimed === null) continue;
    const job = readJob(claimed.job);
    const deadlineMs = job.deadline === null ? null : Math.max(0, job.deadline - claimed.claimedAt);
    const workerLease = keepLease(database, timing, {
      runRef: claimed.runRef,
      epoch: claimed.epoch,
      job,
      spent: claimed.spent,
      deadlineMs,
      acquiredAt: claimedAt,
    });
    if (await startRun(database, claimed).catch(() => false)) return workerLease;
    await giveBack(database, delivery, workerLease);
    return 'busy';
  }
  return tenants.length === 0 ? null : 'busy';
}

/** A run that was cancelled between its claim and its begin ends so; any other is the reaper's. */
async function giveBack(database: Database, delivery: Delivery, workerLease: WorkerLease): Promise<void> {
  await workerLease.lease.extend();
  workerLease.release();
  if (workerLease.ended() === 'cancelled')
    await settleUntilKnown(database, delivery, workerLease, { state: 'cancelled', envelope: null });
}

async function settleUntilKnown(
  database: Database,
  delivery: Delivery,
  workerLease: WorkerLease,
  settle: Settle,
): Promise<void> {
  if (Buffer.byteLength(JSON.stringify(settle.envelope)) > ENVELOPE_BYTES)
    throw new RangeError('an envelope in a record has 1 MiB at most');
  // Anyone who closes the worker does not wait for a database that is gone: the reaper of another finds the run.
  while (workerLease.ended() !== 'closing') {
    if (await settleOnce(database, delivery, workerLease, settle).catch(() => false)) return;
    await after(SETTLE_AGAIN_MS);
  }
}

/** True once the row says how the run ended, by us or by somebody else. */
async function settleOnce(
  database: Database,
  delivery: Delivery,
  { lease }: WorkerLease,
  settle: Settle,
): Promise<boolean> {
  const { runRef, tenant } = lease.job;
  return database.transaction(async (sql) => {
    const [row] = await sql.query(`select job_id from ${SCHEMA}.runs where run_ref = $1 and epoch = $2`, [
      runRef,
      lease.attempt,
    ]);
    const isOurs = row !== undefined && (await settleRun(sql, { runRef, epoch: lease.attempt }, settle));
    const jobId = isOurs ? textOrNull(row, 'job_id') : null;
    if (jobId !== null) await delivery.drop(sql, tenant, jobId);
    return true;
  });
}
