import { START, type ApprovalsUnderTest } from '../../stores/testing/approval-contract.ts';
import type { Database } from '../database.ts';
import { postgresApprovals } from '../postgres-approvals.ts';
import { SCHEMA } from '../schema.ts';

/** Questions in an empty database whose time stands still, as two processes have them. */
export async function approvalsOver(database: Database, other: Database): Promise<ApprovalsUnderTest> {
  await database.query(`create table ${SCHEMA}.test_clock (at timestamptz)`);
  await database.query(`insert into ${SCHEMA}.test_clock values ($1)`, [new Date(START).toISOString()]);
  const now = `(select at from ${SCHEMA}.test_clock)`;
  return {
    store: postgresApprovals(database, now),
    other: () => postgresApprovals(other, now),
    pass: async (milliseconds) =>
      database.query(`update ${SCHEMA}.test_clock set at = at + $1 * interval '1 millisecond'`, [milliseconds]),
  };
}
