import type { Database } from './database.ts';

/** Where our tables are; those of the engine have a schema of their own. */
export const SCHEMA = 'svc';
export const ENGINE_SCHEMA = 'svc_engine';

/** Changes when the tables do. */
const TABLES = `
create schema if not exists ${SCHEMA};
create table if not exists ${SCHEMA}.runs (
  run_ref text primary key,
  tenant text not null,
  request_hash text not null,
  -- Documents are kept as the text they came as: the binary form has no place for a NUL.
  -- Null for runs of a supervisor that delivers them itself.
  job json,
  application_digest text,
  job_id uuid,
  state text not null default 'accepted'
    check (state in ('accepted', 'claimed', 'running', 'finished', 'cancelled', 'lost')),
  effect text not null default 'none' check (effect in ('none', 'dispatched', 'write_open')),
  epoch int not null default 0,
  dispatched_reruns int not null default 0,
  lease_until timestamptz,
  cancel_requested boolean not null default false,
  rerun_dispatched boolean not null default false,
  spent json,
  envelope json,
  accepted_at timestamptz not null default clock_timestamp(),
  changed_at timestamptz not null default clock_timestamp()
);
-- Tables that were made before it was kept.
alter table ${SCHEMA}.runs add column if not exists application_digest text;
-- Whether it counts among the runs of its tenant that go on; wanted: it did not, and is to before new ones begin.
alter table ${SCHEMA}.runs add column if not exists place text not null default 'held'
  check (place in ('held', 'left', 'wanted'));
create index if not exists runs_waiting on ${SCHEMA}.runs (tenant) where state = 'accepted' and job_id is not null;
create index if not exists runs_held on ${SCHEMA}.runs (tenant) where state in ('claimed', 'running');
create index if not exists runs_poisoned on ${SCHEMA}.runs (application_digest, changed_at)
  where state = 'lost' and effect = 'none';
create index if not exists runs_leased on ${SCHEMA}.runs (lease_until) where state in ('claimed', 'running');
create index if not exists runs_ended on ${SCHEMA}.runs (changed_at) where state in ('finished', 'cancelled', 'lost');
-- Who takes runs, by what they said last.
create table if not exists ${SCHEMA}.workers (
  worker uuid primary key,
  -- Null: of any application.
  application_digest text,
  slots int not null,
  running int not null,
  seen_at timestamptz not null default clock_timestamp()
);
create table if not exists ${SCHEMA}.tenants (
  tenant text primary key,
  weight int not null check (weight between 1 and 100),
  max_runs int not null check (max_runs >= 1),
  -- What it was served so far, in runs of weight 1: who has least comes next.
  served double precision not null default 0
);
create index if not exists tenants_served on ${SCHEMA}.tenants (served, tenant);
-- Questions that wait for a person (approvals.md §7).
create table if not exists ${SCHEMA}.approvals (
  approval_id text primary key,
  run_ref text not null,
  -- Of the attempt that asks; null: its run is in no table of ours.
  epoch int,
  -- Null: of runs that name none.
  tenant text,
  request text not null,
  decision text,
  decided_at timestamptz,
  expires_at timestamptz not null
);
create index if not exists approvals_decided on ${SCHEMA}.approvals (decided_at) where decided_at is not null;
create index if not exists approvals_expired on ${SCHEMA}.approvals (expires_at);
`;

/**
 * Makes the tables where there are none, all or none (gateway.md §19). Within a turn of `exclusively` where others may
 * start too.
 */
export async function makeTables(database: Database): Promise<void> {
  await database.transaction(async (sql) => {
    await sql.query(TABLES);
  });
}
