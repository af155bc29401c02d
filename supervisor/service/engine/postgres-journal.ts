import { isRunReference } from '../../../contract/run-reference.ts';
import { RUN_ROW_STATES, StoreError, type RunJournal, type RunRecord } from '../stores/interface.ts';
import { checkArguments } from '../../platform/arguments/checks.ts';
import { aDatabase } from './arguments.ts';
import { checkMove } from '../stores/moves.ts';
import { checkScan, createdAs } from '../stores/records.ts';
import type { Database, Row, Sql } from './database.ts';
import { SCHEMA } from './schema.ts';
import { effectOf, intOf, readTextColumn } from './transitions.ts';

const COLUMNS = 'run_ref, tenant, request_hash, state, effect, epoch, envelope';

/**
 * The record of all runs in the table that is their source of truth (gateway.md §19). Its tables are there
 * (`makeTables`).
 */
export function openPostgresJournal(database: Database): RunJournal {
  checkArguments('openPostgresJournal', { database: [database, aDatabase] });
  const reached = async <T>(work: Promise<T>): Promise<T> =>
    work.catch(() => {
      throw new StoreError('unavailable');
    });
  return {
    create: async ({ runRef, tenant, requestHash }) =>
      reached(
        enterRun(database, {
          runRef,
          tenant,
          requestHash,
          job: null,
          applicationDigest: null,
          jobId: null,
          rerunDispatched: false,
        }),
      ),
    cas: async (runRef, epoch, from, to) => {
      checkMove(from, to);
      const rows = await reached(
        database.query(
          `update ${SCHEMA}.runs set state = $5, effect = $6, envelope = coalesce($7::json, envelope), changed_at = clock_timestamp(),
           epoch = epoch + case when $3 = 'accepted' and $5 = 'claimed' then 1 else 0 end
         where run_ref = $1 and epoch = $2 and state = $3 and effect = $4
           and (lease_until is null or lease_until > clock_timestamp())
         returning run_ref`,
          [
            runRef,
            epoch,
            from.state,
            from.effect,
            to.state,
            to.effect,
            to.envelope === undefined ? null : JSON.stringify(to.envelope),
          ],
        ),
      );
      // A change to where it is already changes nothing: two that open one gate are distinguished by nobody.
      return rows.length > 0;
    },
    get: async (runRef) => reached(runOf(database, runRef)),
    scan: async (query) => {
      checkScan(query);
      const { tenant = null, states = null, after = '', limit } = query;
      const rows = await reached(
        database.query(
          `select ${COLUMNS} from ${SCHEMA}.runs where ($1::text is null or tenant = $1) and ($2::text[] is null or state = any($2)) and run_ref collate "C" > $3 order by run_ref collate "C" limit $4`,
          [tenant, states, after, limit],
        ),
      );
      return rows.map(recordOf);
    },
  };
}

/** A run as it is entered, with the job that delivers it where an engine does. */
export interface EnteredRun {
  readonly runRef: string;
  readonly tenant: string;
  readonly requestHash: string;
  readonly job: unknown;
  readonly applicationDigest: string | null;
  readonly jobId: string | null;
  readonly rerunDispatched: boolean;
}

export async function enterRun(
  sql: Sql,
  { runRef, tenant, requestHash, job, applicationDigest, jobId, rerunDispatched }: EnteredRun,
): Promise<'new' | 'same' | 'conflict'> {
  const entered = await sql.query(
    `insert into ${SCHEMA}.runs (run_ref, tenant, request_hash, job, job_id, rerun_dispatched, application_digest) values ($1, $2, $3, $4::json, $5::uuid, $6, $7) on conflict (run_ref) do nothing returning run_ref`,
    [runRef, tenant, requestHash, job === null ? null : JSON.stringify(job), jobId, rerunDispatched, applicationDigest],
  );
  if (entered.length > 0) return 'new';
  const known = await runOf(sql, runRef);
  return known === null ? 'conflict' : createdAs(known, { runRef: known.runRef, tenant, requestHash });
}

async function runOf(sql: Sql, runRef: string): Promise<RunRecord | null> {
  const [row] = await sql.query(`select ${COLUMNS} from ${SCHEMA}.runs where run_ref = $1`, [runRef]);
  return row === undefined ? null : recordOf(row);
}

function recordOf(row: Row): RunRecord {
  const runRef = readTextColumn(row, 'run_ref');
  const state = RUN_ROW_STATES.find((word) => word === row['state']);
  if (!isRunReference(runRef) || state === undefined) throw new TypeError('no row of a run');
  return {
    runRef,
    tenant: readTextColumn(row, 'tenant'),
    requestHash: readTextColumn(row, 'request_hash'),
    state,
    effect: effectOf(row),
    epoch: intOf(row, 'epoch'),
    envelope: row['envelope'] ?? null,
  };
}
