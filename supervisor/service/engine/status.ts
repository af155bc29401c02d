import { RUN_ROW_STATES, type RunRowState } from '../stores/interface.ts';
import type { Row, Sql } from './database.ts';
import { PRESENT_SECONDS } from './presence.ts';
import { SCHEMA } from './schema.ts';
import { intOf, readTextColumn } from './transitions.ts';

/**
 * What waits, goes on and is kept in a database of runs: counts, names of tenants and digests, never what runs are
 * about.
 */
export interface EngineStatus {
  /** Runs by their state, those of supervisors that deliver them themselves too. */
  readonly runs: Readonly<Record<RunRowState, number>>;
  /** What waits or goes on by application, the longest wait first; 100 at most. */
  readonly applications: readonly (QueueStatus & {
    readonly applicationDigest: string;
    /** Workers that were heard of within 30 s and take its runs. */
    readonly workers: number;
  })[];
  /** The same by tenant. */
  readonly tenants: readonly (QueueStatus & { readonly tenant: string })[];
  /** Heard of within 30 s. */
  readonly workers: readonly {
    readonly applicationDigest: string | null;
    readonly slots: number;
    readonly running: number;
  }[];
}

/** How many runs wait for a runner, and how many go on. */
export interface QueueStatus {
  readonly waiting: number;
  readonly running: number;
  /** Of the run that waits longest; null: none waits. */
  readonly oldestWaitingSeconds: number | null;
}

const LISTED = 100;

export async function readEngineStatus(sql: Sql): Promise<EngineStatus> {
  const states = await sql.query(`select state, count(*)::int as runs from ${SCHEMA}.runs group by state`);
  const workers = await sql.query(
    `select application_digest, slots, running from ${SCHEMA}.workers where seen_at > clock_timestamp() - interval '${PRESENT_SECONDS} seconds' order by worker`,
  );
  const present = workers.map((row) => ({
    applicationDigest: row['application_digest'] === null ? null : readTextColumn(row, 'application_digest'),
    slots: intOf(row, 'slots'),
    running: intOf(row, 'running'),
  }));
  const takers = (digest: string): number =>
    present.filter(({ applicationDigest }) => applicationDigest === null || applicationDigest === digest).length;
  return {
    runs: counts(states),
    applications: (await readQueues(sql, 'application_digest')).map(({ name, queue }) => ({
      applicationDigest: name,
      ...queue,
      workers: takers(name),
    })),
    tenants: (await readQueues(sql, 'tenant')).map(({ name, queue }) => ({ tenant: name, ...queue })),
    workers: present,
  };
}

function counts(rows: readonly Row[]): EngineStatus['runs'] {
  const of = (state: RunRowState): number =>
    rows.reduce((sum, row) => sum + (row['state'] === state ? intOf(row, 'runs') : 0), 0);
  const [accepted, claimed, running, finished, cancelled, lost] = RUN_ROW_STATES.map(of);
  return {
    accepted: accepted ?? 0,
    claimed: claimed ?? 0,
    running: running ?? 0,
    finished: finished ?? 0,
    cancelled: cancelled ?? 0,
    lost: lost ?? 0,
  };
}

async function readQueues(
  sql: Sql,
  column: 'application_digest' | 'tenant',
): Promise<readonly { readonly name: string; readonly queue: QueueStatus }[]> {
  const rows = await sql.query(
    `select ${column} as name, (count(*) filter (where state = 'accepted'))::int as waiting, (count(*) filter (where state <> 'accepted'))::int as running,
       extract(epoch from clock_timestamp() - min(accepted_at) filter (where state = 'accepted'))::float8 as oldest
     from ${SCHEMA}.runs where state in ('accepted', 'claimed', 'running') and job_id is not null
     group by 1 order by oldest desc nulls last, 1 limit ${LISTED}`,
  );
  return rows.map((row) => ({
    name: readTextColumn(row, 'name'),
    queue: {
      waiting: intOf(row, 'waiting'),
      running: intOf(row, 'running'),
      oldestWaitingSeconds: row['oldest'] === null ? null : Math.max(0, Number(row['oldest'])),
    },
  }));
}
