import { setTimeout as wait } from 'node:timers/promises';
import type { ApprovalDecision, ApprovalRequest } from '../../../contract/approval.ts';
import { checkArguments } from '../../platform/arguments/checks.ts';
import { timestampOf } from '../../../system/clock.ts';
import {
  byAge,
  decisionText,
  EXPIRED,
  isApprovalId,
  ENDED_RETENTION_MS,
  readApproval,
  readApprovalDecision,
  requestText,
  type ApprovalQuery,
  type ApprovalStore,
  type DecisionOutcome,
  type StoredApproval,
} from '../stores/approval-store.ts';
import { StoreError } from '../stores/store-error.ts';
import { aDatabase } from './arguments.ts';
import type { Database, Row } from './database.ts';
import { makeTables, SCHEMA } from './schema.ts';
import { readTextColumn, textOrNull } from './transitions.ts';

/** Between two looks for decisions: one leaves within half a second (approvals.md §12). */
const LOOK_MS = 300;
/** A decision is seen so long after its time: a transaction lasts no longer (postgres-database.ts). */
const LATE_MS = 30_000;
const SWEEP_MS = 3_600_000;

/**
 * Questions in the database of the runs (approvals.md §7), for any number of processes. A question is entered, decided
 * and read together with the row of its run: nobody decides for an attempt that has ended, was cancelled or has lost
 * its lease. A question expires by the clock of the database. Makes its tables when it is first used.
 */
export function openPostgresApprovals(database: Database): ApprovalStore {
  checkArguments('openPostgresApprovals', { database: [database, aDatabase] });
  return postgresApprovals(database);
}

/** `now`: an expression for the time of the database, which tests move. */
export function postgresApprovals(database: Database, now = 'clock_timestamp()'): ApprovalStore {
  return new PostgresApprovals(database, now);
}

class PostgresApprovals implements ApprovalStore {
  readonly #database: Database;
  readonly #now: string;
  readonly #columns: string;
  #tables: Promise<void> | null = null;
  #sweptAt = -Infinity;
  /** When the questions of a set were looked at, by the monotonic clock: later looks ask for what is new. */
  readonly #looks = new WeakMap<ReadonlySet<string>, number>();

  constructor(database: Database, now: string) {
    this.#database = database;
    this.#now = now;
    // A run that is in no table of ours is the caller' own business.
    this.#columns = `request, decision, (decision is null and (${now} >= expires_at or not ${isAttemptOpen(now)})) as is_expired`;
  }

  async put(request: ApprovalRequest): Promise<'new' | 'same'> {
    const { approvalId, runRef, tenant, askedAt, expiresAt } = request;
    await this.#sweep();
    // A later attempt that asks the same has the question from then on.
    const [entered] = await this.#query(
      `with run as (select epoch from ${SCHEMA}.runs r where run_ref = $2 and ${isLive(this.#now)} for share),
            known as (select 1 from ${SCHEMA}.runs where run_ref = $2)
       insert into ${SCHEMA}.approvals as a (approval_id, run_ref, tenant, request, expires_at, epoch)
       select $1, $2, $3, $4, ${this.#now} + $5 * interval '1 millisecond', (select epoch from run)
       where exists (select 1 from run) or not exists (select 1 from known)
       on conflict (approval_id) do update set epoch = excluded.epoch
         where a.tenant is not distinct from excluded.tenant
       returning xmax = 0 as is_new`,
      [approvalId, runRef, tenant, requestText(request), Date.parse(expiresAt) - Date.parse(askedAt)],
    );
    // Its run has ended under it: nobody can be asked.
    if (entered === undefined) throw new StoreError('unavailable');
    return entered['is_new'] === true ? 'new' : 'same';
  }

  async decide(id: string, tenant: string | null, decision: ApprovalDecision): Promise<DecisionOutcome> {
    const storedApproval = await this.get(id);
    if (storedApproval === null || storedApproval.request.tenant !== tenant) return 'unknown';
    if (await this.#end(storedApproval.request, decision, `${this.#now} < expires_at and ${isAttemptOpen(this.#now)}`))
      return 'decided';
    return (await this.get(id))?.isExpired === false ? 'already' : 'expired';
  }

  async expire(id: string): Promise<ApprovalDecision | null> {
    const storedApproval = await this.get(id);
    if (storedApproval === null || storedApproval.decision !== null) return storedApproval?.decision ?? null;
    await this.#end(storedApproval.request, EXPIRED, 'true');
    // One that came first stays.
    return (await this.get(id))?.decision ?? null;
  }

  async get(id: string): Promise<StoredApproval | null> {
    if (!isApprovalId(id)) return null;
    const [row] = await this.#query(`select ${this.#columns} from ${SCHEMA}.approvals a where approval_id = $1`, [id]);
    return row === undefined ? null : storedApproval(row);
  }

  async list({ tenant }: ApprovalQuery): Promise<readonly StoredApproval[]> {
    const rows = await this.#query(
      `select ${this.#columns} from ${SCHEMA}.approvals a where $1::text is null or tenant = $1`,
      [tenant],
    );
    return rows.map(storedApproval).toSorted(byAge);
  }

  async watch(ids: ReadonlySet<string>, signal: AbortSignal): Promise<readonly string[]> {
    while (!signal.aborted) {
      const found = await this.#look(ids);
      if (found.length > 0) return found;
      await wait(LOOK_MS, undefined, { signal }).catch(() => undefined);
    }
    return [];
  }

  async remove(id: string): Promise<void> {
    await this.#query(`delete from ${SCHEMA}.approvals where approval_id = $1`, [id]);
  }

  /** One row for each decision of late, however many questions wait. */
  async #look(ids: ReadonlySet<string>): Promise<readonly string[]> {
    const at = performance.now();
    const lookedAt = this.#looks.get(ids);
    const rows =
      lookedAt === undefined
        ? await this.#query(
            `select approval_id from ${SCHEMA}.approvals where decision is not null and approval_id = any($1::text[])`,
            [[...ids]],
          )
        : await this.#query(
            `select approval_id from ${SCHEMA}.approvals where decided_at > clock_timestamp() - $1 * interval '1 millisecond'`,
            [at - lookedAt + LATE_MS],
          );
    this.#looks.set(ids, at);
    return rows.map((row) => readTextColumn(row, 'approval_id')).filter((id) => ids.has(id));
  }

  async #end(request: ApprovalRequest, decision: ApprovalDecision, condition: string): Promise<boolean> {
    const rows = await this.#query(
      `update ${SCHEMA}.approvals a set decision = $2, decided_at = clock_timestamp()
       where approval_id = $1 and decision is null and ${condition} returning approval_id`,
      [request.approvalId, decisionText(request, decision, timestampOf(Date.now()))],
    );
    return rows.length > 0;
  }

  /** Those that ended long ago go when the next question comes. */
  async #sweep(): Promise<void> {
    if (performance.now() - this.#sweptAt < SWEEP_MS) return;
    this.#sweptAt = performance.now();
    await this.#query(
      `delete from ${SCHEMA}.approvals where expires_at < ${this.#now} - ${ENDED_RETENTION_MS} * interval '1 millisecond'`,
      [],
    );
  }

  /** Where they are nothing is declared again: that would wait for statements of others, which may wait for it. */
  async #makeTables(): Promise<void> {
    const areThere = async (): Promise<boolean> => {
      const [row] = await this.#database.query(`select to_regclass('${SCHEMA}.approvals') is not null as there`, []);
      return row?.['there'] === true;
    };
    if (await areThere()) return;
    await this.#database.exclusively(async () => {
      if (!(await areThere())) await makeTables(this.#database);
    });
  }

  async #query(text: string, values: readonly unknown[]): Promise<readonly Row[]> {
    try {
      await (this.#tables ??= this.#makeTables());
    } catch {
      this.#tables = null;
      throw new StoreError('unavailable');
    }
    return this.#database.query(text, values).catch(() => {
      throw new StoreError('unavailable');
    });
  }
}

/** Whether the attempt that asks, a row `a`, goes on. */
function isAttemptOpen(now: string): string {
  return `(a.epoch is null or exists (select 1 from ${SCHEMA}.runs r where r.run_ref = a.run_ref and r.epoch = a.epoch and ${isLive(now)}))`;
}

/** Whether the attempt at a run, a row `r`, goes on. */
function isLive(now: string): string {
  return `(r.state in ('claimed', 'running') and not r.cancel_requested and (r.lease_until is null or r.lease_until > ${now}))`;
}

function storedApproval(row: Row): StoredApproval {
  const request = readApproval(readTextColumn(row, 'request'));
  if (request === null) throw new StoreError('damaged');
  const text = textOrNull(row, 'decision');
  const decision = text === null ? null : readApprovalDecision(text, request);
  if (text !== null && decision === null) throw new StoreError('damaged');
  const hasEnded = decision?.by === 'expiry';
  return { request, decision: hasEnded ? null : decision, isExpired: hasEnded || row['is_expired'] === true };
}
