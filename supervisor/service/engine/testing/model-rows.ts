import type { Database } from '../database.ts';
import { SCHEMA } from '../schema.ts';
import {
  startRun,
  cancelRun,
  extendLease,
  openGate,
  reapRuns,
  settleRun,
  takeRun,
  writeRecord,
} from '../transitions.ts';

/** One run as its row holds it, with the clock taken out: a lease lives or has run out. */
export interface ModelRow {
  readonly state: string;
  readonly effect: string;
  readonly epoch: number;
  readonly reruns: number;
  readonly lease: 'live' | 'expired' | null;
  readonly cancelled: boolean;
  readonly hasRecord: boolean;
}

export interface Step {
  readonly row: ModelRow;
  /** What the caller was answered. */
  readonly answer: unknown;
}

/** The transitions of one run, each as a function of its row and of the epoch of who asks. */
export type Transitions = Readonly<Record<Operation, (row: ModelRow, epoch: number) => Promise<Step>>>;
export const OPERATIONS = [
  'take',
  'begin',
  'extend',
  'dispatch',
  'openWrites',
  'finish',
  'cancel',
  'reap',
  'record',
] as const;
export type Operation = (typeof OPERATIONS)[number];

const RUN = 'cmd-00000000000000000000000001';
const JOB = '00000000-0000-4000-8000-000000000001';
const LEASE_MS = 3_600_000;

export const NEW_ROW: ModelRow = {
  state: 'accepted',
  effect: 'none',
  epoch: 0,
  reruns: 0,
  lease: null,
  cancelled: false,
  hasRecord: false,
};

/** The statements that runners use, asked of a database for one row after the other; each question once. */
export function transitionsOf(database: Database, rerunDispatched: boolean): Transitions {
  const known = new Map<string, Step>();
  const requested: Readonly<Record<Operation, (epoch: number) => Promise<unknown>>> = {
    take: async () => (await takeRun(database, { runRef: RUN, jobId: JOB, leaseMs: LEASE_MS }))?.epoch ?? null,
    begin: async (epoch) => startRun(database, { runRef: RUN, epoch }),
    extend: async (epoch) => extendLease(database, { runRef: RUN, epoch }, LEASE_MS),
    dispatch: async (epoch) => openGate(database, { runRef: RUN, epoch }, 'dispatched'),
    openWrites: async (epoch) => openGate(database, { runRef: RUN, epoch }, 'write_open'),
    finish: async (epoch) =>
      settleRun(database, { runRef: RUN, epoch }, { state: 'finished', envelope: { by: epoch } }),
    cancel: async () => (await cancelRun(database, RUN)).outcome,
    reap: async () => (await reapRuns(database, 1)).map(({ state }) => state)[0] ?? null,
    record: async (epoch) => writeRecord(database, { runRef: RUN, epoch }, { by: 'reaper' }),
  };
  async function step(operation: Operation, row: ModelRow, epoch: number): Promise<Step> {
    const question = JSON.stringify([operation, epoch, row]);
    const answered = known.get(question);
    if (answered !== undefined) return answered;
    await enter(database, row, rerunDispatched);
    const answer = await requested[operation](epoch);
    const found = { row: await read(database), answer };
    known.set(question, found);
    return found;
  }
  return {
    take: async (row, epoch) => step('take', row, epoch),
    begin: async (row, epoch) => step('begin', row, epoch),
    extend: async (row, epoch) => step('extend', row, epoch),
    dispatch: async (row, epoch) => step('dispatch', row, epoch),
    openWrites: async (row, epoch) => step('openWrites', row, epoch),
    finish: async (row, epoch) => step('finish', row, epoch),
    cancel: async (row, epoch) => step('cancel', row, epoch),
    reap: async (row, epoch) => step('reap', row, epoch),
    record: async (row, epoch) => step('record', row, epoch),
  };
}

async function enter(
  database: Database,
  { state, effect, epoch, reruns, lease, cancelled, hasRecord }: ModelRow,
  rerunDispatched: boolean,
): Promise<void> {
  await database.query(
    `insert into ${SCHEMA}.runs as run (run_ref, tenant, request_hash, job, job_id, state, effect, epoch, dispatched_reruns, lease_until, cancel_requested, envelope, rerun_dispatched)
     values ($1, 'acme', 'hash', '{}', $2, $3, $4, $5, $6, clock_timestamp() + $7 * interval '1 hour', $8, $9::json,
       $10)
     on conflict (run_ref) do update set job_id = excluded.job_id, state = excluded.state, effect = excluded.effect,
       epoch = excluded.epoch,
       dispatched_reruns = excluded.dispatched_reruns, lease_until = excluded.lease_until,
       cancel_requested = excluded.cancel_requested,
       envelope = excluded.envelope, rerun_dispatched = excluded.rerun_dispatched`,
    [
      RUN,
      JOB,
      state,
      effect,
      epoch,
      reruns,
      lease === null ? null : lease === 'live' ? 1 : -1,
      cancelled,
      hasRecord ? '{}' : null,
      rerunDispatched,
    ],
  );
}

async function read(database: Database): Promise<ModelRow> {
  const [row] = await database.query(
    `select state, effect, epoch, dispatched_reruns, cancel_requested, envelope is not null as has_record,
       case when lease_until is null then null when lease_until > clock_timestamp() then 'live' else 'expired' end
         as lease
     from ${SCHEMA}.runs where run_ref = $1`,
    [RUN],
  );
  const lease = row?.['lease'];
  return {
    state: String(row?.['state']),
    effect: String(row?.['effect']),
    epoch: Number(row?.['epoch']),
    reruns: Number(row?.['dispatched_reruns']),
    lease: lease === 'live' || lease === 'expired' ? lease : null,
    cancelled: row?.['cancel_requested'] === true,
    hasRecord: row?.['has_record'] === true,
  };
}
