import type { Sql } from './database.ts';
import type { Served } from './interface.ts';
import { SCHEMA } from './schema.ts';
import { intOf, readTextColumn, setPlace, type Attempt } from './transitions.ts';

/** Tenants that a claim looks at before it comes again. */
const CANDIDATES = 8;

/** Condition on a row `r` of runs: a worker serves it. Parameter `number` is that of `servedText`. */
export function isServed(number: number): string {
  return `($${number}::json is null or exists (
    select 1 from json_to_recordset($${number}::json) as takes("applicationDigest" text, "tenant" text)
    where takes."applicationDigest" = r.application_digest and coalesce(takes."tenant", r.tenant) = r.tenant))`;
}

/** The parameter of `isServed`; null: everything is served. */
export function servedText(served: readonly Served[] | null): string | null {
  return served === null ? null : JSON.stringify(served);
}

/**
 * The order of tenants (gateway.md §18): next comes who was served least for its weight, among those that have runs
 * waiting which the worker serves, and are below their bound. A tenant that had nothing to do is not owed for the time
 * that it rested.
 */
export async function findNextTenants(sql: Sql, served: readonly Served[] | null): Promise<readonly string[]> {
  const rows = await sql.query(
    `select tenant from ${SCHEMA}.tenants as t
     where exists (
         select 1 from ${SCHEMA}.runs r
         where r.tenant = t.tenant and r.state = 'accepted' and r.job_id is not null and ${isServed(2)})
       and (
         select count(*) from ${SCHEMA}.runs r
         where r.tenant = t.tenant and r.state in ('claimed', 'running') and r.place <> 'left') < t.max_runs
     order by served, tenant limit $1`,
    [CANDIDATES, servedText(served)],
  );
  return rows.map((row) => readTextColumn(row, 'tenant'));
}

/**
 * Takes the turn of a tenant for the rest of the transaction: false where another claim has it, or it is at its bound.
 * Two statements, for the second sees what a claim committed while the first waited for its snapshot.
 */
export async function takeTurn(sql: Sql, tenant: string): Promise<boolean> {
  const [locked] = await sql.query(`select max_runs from ${SCHEMA}.tenants where tenant = $1 for update skip locked`, [
    tenant,
  ]);
  if (locked === undefined) return false;
  const [acquired] = await sql.query(
    `select count(*)::int as runs from ${SCHEMA}.runs where tenant = $1 and state in ('claimed', 'running') and place <> 'left'`,
    [tenant],
  );
  return acquired !== undefined && intOf(acquired, 'runs') < intOf(locked, 'max_runs');
}

/**
 * Gives a run its place again that gave it up: true where its tenant has one left, and where the run is no longer that
 * of this attempt, which then waits for nothing. Within a transaction.
 */
export async function takePlaceAgain(sql: Sql, tenant: string, attempt: Attempt): Promise<boolean> {
  const [bound] = await sql.query(`select max_runs from ${SCHEMA}.tenants where tenant = $1 for update`, [tenant]);
  const [acquired] = await sql.query(
    `select count(*)::int as runs from ${SCHEMA}.runs where tenant = $1 and state in ('claimed', 'running') and place = 'held'`,
    [tenant],
  );
  if (bound !== undefined && acquired !== undefined && intOf(acquired, 'runs') >= intOf(bound, 'max_runs'))
    return false;
  await setPlace(sql, attempt, 'held');
  return true;
}

/** Notes that a tenant was served one run. */
export async function countServed(sql: Sql, tenant: string): Promise<void> {
  await sql.query(`update ${SCHEMA}.tenants set served = served + 1.0 / weight where tenant = $1`, [tenant]);
}

/** Enters a tenant, or what it may have now; before its run is entered. */
export async function enterTenant(
  sql: Sql,
  { tenant, weight, maxRuns }: { readonly tenant: string; readonly weight: number; readonly maxRuns: number },
): Promise<void> {
  await sql.query(
    `with now_served as (
       select coalesce(
         (select served from ${SCHEMA}.tenants t
          where exists (
            select 1 from ${SCHEMA}.runs r
            where r.tenant = t.tenant and r.state = 'accepted' and r.job_id is not null)
          order by served limit 1),
         (select max(served) from ${SCHEMA}.tenants),
         0) as served
     )
     insert into ${SCHEMA}.tenants as t (tenant, weight, max_runs, served) select $1, $2, $3, served from now_served
     on conflict (tenant) do update set weight = excluded.weight, max_runs = excluded.max_runs,
       served = case
         when exists (
           select 1 from ${SCHEMA}.runs r
           where r.tenant = t.tenant and r.state in ('accepted', 'claimed', 'running')) then t.served
         else greatest(t.served, excluded.served) end`,
    [tenant, weight, maxRuns],
  );
}
