import { RUN_EFFECTS, type RunEffect } from '../stores/interface.ts';
import type { Row, Sql } from './database.ts';
import { SCHEMA } from './schema.ts';

/**
 * Every change of a run, each one statement that compares and sets on (run_ref, epoch, state) by the clock of the
 * database (gateway.md §19). Anyone who comes too late changes nothing, and learns it.
 */

/** gateway.md §19: attempts at a run of which nothing went out. */
export const ATTEMPTS = 3;
/** Runs of one application that were lost so within that time: no further one is started until they are older. */
const POISONED_RUNS = 5;
const POISONED_MINUTES = 10;
/** Of one that was only read for, where its tenant allows it. */
const DISPATCHED_RERUNS = 1;

/** One attempt at a run. */
export interface Attempt {
  readonly runRef: string;
  readonly epoch: number;
}

export interface ClaimedRun {
  readonly epoch: number;
  readonly job: unknown;
  readonly spent: unknown;
  /** Milliseconds since 1970 by the clock of the database. */
  readonly claimedAt: number;
}

/** accepted -> claimed, with the next epoch: by whom its job was delivered to. */
export async function takeRun(
  sql: Sql,
  { runRef, jobId, leaseMs }: { readonly runRef: string; readonly jobId: string; readonly leaseMs: number },
): Promise<ClaimedRun | null> {
  const [row] = await sql.query(
    `update ${SCHEMA}.runs
     set state = 'claimed', place = 'held', epoch = epoch + 1,
       lease_until = clock_timestamp() + $3 * interval '1 millisecond', changed_at = clock_timestamp()
     where run_ref = $1 and job_id = $2 and state = 'accepted'
     returning epoch, job, spent, (extract(epoch from clock_timestamp()) * 1000)::float8 as taken_at`,
    [runRef, jobId, leaseMs],
  );
  return row === undefined
    ? null
    : { epoch: intOf(row, 'epoch'), job: row['job'], spent: row['spent'] ?? null, claimedAt: Number(row['taken_at']) };
}

/** Whether runs of the same application have ended so many runners that it is taken for the reason (gateway.md §20). */
export async function isPoisonous(sql: Sql, runRef: string): Promise<boolean> {
  const [row] = await sql.query(
    `select count(*)::int as runs from ${SCHEMA}.runs lost join ${SCHEMA}.runs asked using (application_digest)
     where asked.run_ref = $1 and lost.state = 'lost' and lost.effect = 'none'
       and lost.changed_at > clock_timestamp() - interval '${POISONED_MINUTES} minutes'`,
    [runRef],
  );
  return row !== undefined && intOf(row, 'runs') >= POISONED_RUNS;
}

/** claimed -> running. */
export async function startRun(sql: Sql, { runRef, epoch }: Attempt): Promise<boolean> {
  return hasChanged(
    sql,
    `state = 'running'`,
    `state = 'claimed' and lease_until > clock_timestamp() and not cancel_requested`,
    [runRef, epoch],
  );
}

/** Holds a lease that still lives for longer. `cancelled`: it is ours, and somebody wants it to end. */
export async function extendLease(
  sql: Sql,
  { runRef, epoch }: Attempt,
  leaseMs: number,
): Promise<'extended' | 'cancelled' | 'lost'> {
  const [row] = await sql.query(
    `update ${SCHEMA}.runs set lease_until = clock_timestamp() + $3 * interval '1 millisecond'
     where run_ref = $1 and epoch = $2 and state in ('claimed', 'running') and lease_until > clock_timestamp()
     returning cancel_requested`,
    [runRef, epoch, leaseMs],
  );
  if (row === undefined) return 'lost';
  return row['cancel_requested'] === true ? 'cancelled' : 'extended';
}

/** Notes that an effect may follow, while the lease lives: what is not noted does not happen. */
export async function openGate(
  sql: Sql,
  { runRef, epoch }: Attempt,
  effect: Exclude<RunEffect, 'none'>,
): Promise<boolean> {
  const set = `effect = case when effect = 'write_open' then effect else $3 end`;
  return hasChanged(sql, set, `state = 'running' and lease_until > clock_timestamp() and not cancel_requested`, [
    runRef,
    epoch,
    effect,
  ]);
}

/** What was spent so far, for an attempt after this one. */
export async function noteSpent(sql: Sql, { runRef, epoch }: Attempt, spent: unknown): Promise<boolean> {
  return hasChanged(sql, 'spent = $3::json', `state in ('claimed', 'running')`, [runRef, epoch, JSON.stringify(spent)]);
}

/** Whether it counts among the runs of its tenant that go on. */
export async function setPlace(
  sql: Sql,
  { runRef, epoch }: Attempt,
  place: 'held' | 'left' | 'wanted',
): Promise<boolean> {
  return hasChanged(sql, 'place = $3', `state = 'running'`, [runRef, epoch, place]);
}

/** -> finished | cancelled: the one record of how it ended, by the attempt that holds the run. */
export async function settleRun(
  sql: Sql,
  { runRef, epoch }: Attempt,
  { state, envelope }: { readonly state: 'finished' | 'cancelled'; readonly envelope: unknown },
): Promise<boolean> {
  return hasChanged(sql, 'state = $3, envelope = $4::json, lease_until = null', `state in ('claimed', 'running')`, [
    runRef,
    epoch,
    state,
    JSON.stringify(envelope),
  ]);
}

/**
 * accepted -> cancelled at once, with the job that is no longer wanted; a run that goes on is marked. Within a
 * transaction.
 */
export async function cancelRun(
  sql: Sql,
  runRef: string,
): Promise<
  | { readonly outcome: 'queued'; readonly jobId: string | null; readonly tenant: string }
  | { readonly outcome: 'signalled' | 'finished' | 'unknown' }
> {
  // Held for the rest of the transaction: a run that changes between two looks would be found by neither.
  await sql.query(`select run_ref from ${SCHEMA}.runs where run_ref = $1 for update`, [runRef]);
  const [queued] = await sql.query(
    `update ${SCHEMA}.runs set state = 'cancelled', changed_at = clock_timestamp() where run_ref = $1 and state = 'accepted' returning job_id, tenant`,
    [runRef],
  );
  if (queued !== undefined)
    return { outcome: 'queued', jobId: textOrNull(queued, 'job_id'), tenant: readTextColumn(queued, 'tenant') };
  const [marked] = await sql.query(
    `update ${SCHEMA}.runs set cancel_requested = true where run_ref = $1 and state in ('claimed', 'running') returning run_ref`,
    [runRef],
  );
  if (marked !== undefined) return { outcome: 'signalled' };
  const [known] = await sql.query(`select run_ref from ${SCHEMA}.runs where run_ref = $1`, [runRef]);
  return { outcome: known === undefined ? 'unknown' : 'finished' };
}

/** What became of a run whose lease ran out. */
export interface Reaped {
  readonly runRef: string;
  readonly tenant: string;
  readonly epoch: number;
  readonly state: 'accepted' | 'cancelled' | 'lost';
  readonly effect: RunEffect;
}

/**
 * Takes runs from attempts whose lease ran out, at most `limit`: what nobody knows the end of is `lost` once a write
 * may have happened; else it is started again as often as gateway.md §19 gives, under a job that does not exist yet.
 */
export async function reapRuns(sql: Sql, limit: number): Promise<readonly Reaped[]> {
  const rows = await sql.query(
    `with expired as (
       select run_ref from ${SCHEMA}.runs where state in ('claimed', 'running') and lease_until <= clock_timestamp()
       order by lease_until limit $1 for update skip locked
     )
     update ${SCHEMA}.runs as run
     set state = case
           when effect = 'write_open' then 'lost'
           when cancel_requested then 'cancelled'
           when effect = 'dispatched'
             and (dispatched_reruns >= ${DISPATCHED_RERUNS} or not rerun_dispatched) then 'lost'
           when epoch >= ${ATTEMPTS} then 'lost'
           else 'accepted'
         end,
         dispatched_reruns = dispatched_reruns + case when effect = 'dispatched' then 1 else 0 end,
         lease_until = null, job_id = gen_random_uuid(), changed_at = clock_timestamp()
     from expired where run.run_ref = expired.run_ref
     returning run.run_ref, run.tenant, run.epoch, run.state, run.effect`,
    [limit],
  );
  return rows.map((row) => ({
    runRef: readTextColumn(row, 'run_ref'),
    tenant: readTextColumn(row, 'tenant'),
    epoch: intOf(row, 'epoch'),
    state: reapedState(row),
    effect: effectOf(row),
  }));
}

/** The envelope that a reaper writes for a run that it found lost or cancelled; never over another. */
export async function writeRecord(sql: Sql, { runRef, epoch }: Attempt, envelope: unknown): Promise<boolean> {
  return hasChanged(sql, 'envelope = $3::json', `state in ('lost', 'cancelled') and envelope is null`, [
    runRef,
    epoch,
    JSON.stringify(envelope),
  ]);
}

async function hasChanged(sql: Sql, set: string, where: string, values: readonly unknown[]): Promise<boolean> {
  const rows = await sql.query(
    `update ${SCHEMA}.runs set ${set}, changed_at = clock_timestamp() where run_ref = $1 and epoch = $2 and ${where} returning run_ref`,
    values,
  );
  return rows.length > 0;
}

function reapedState(row: Row): Reaped['state'] {
  const state = (['accepted', 'cancelled', 'lost'] as const).find((word) => word === row['state']);
  if (state === undefined) throw new TypeError('a state that no reaper gives');
  return state;
}

export function effectOf(row: Row): RunEffect {
  const effect = RUN_EFFECTS.find((word) => word === row['effect']);
  if (effect === undefined) throw new TypeError('an effect that no run has');
  return effect;
}

export function readTextColumn(row: Row, column: string): string {
  const text = row[column];
  if (typeof text !== 'string') throw new TypeError(`column ${column} holds a text`);
  return text;
}

export function textOrNull(row: Row, column: string): string | null {
  return row[column] === null ? null : readTextColumn(row, column);
}

export function intOf(row: Row, column: string): number {
  const number = row[column];
  if (typeof number !== 'number' || !Number.isSafeInteger(number))
    throw new TypeError(`column ${column} holds an integer`);
  return number;
}
