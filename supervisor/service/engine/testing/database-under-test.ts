import type { RunRecord } from '../../stores/interface.ts';
import type { Database } from '../database.ts';
import { openEngine } from '../engine.ts';
import { openPostgresJournal } from '../postgres-journal.ts';
import { ENGINE_SCHEMA, SCHEMA } from '../schema.ts';
import type { EngineUnderTest } from './engine-contract.ts';

/** Leases that do not run out by themselves, and a reaper that comes when it is called. */
const PATIENT = { extendMs: 3_600_000, leaseMs: 7_200_000, selfKillMs: 5_400_000, reapMs: 3_600_000, pollMs: 20 };

/** Two engines over an empty database. */
export async function enginesOver(
  database: Database,
  other: Database,
  close: () => Promise<void>,
): Promise<EngineUnderTest> {
  const [engine, second] = [await openEngine(database, PATIENT), await openEngine(other, PATIENT)];
  const journal = openPostgresJournal(database);
  return {
    engine,
    other: second,
    record: async (runRef): Promise<RunRecord | null> => journal.get(runRef),
    expire: async () => {
      await database.query(
        `update ${SCHEMA}.runs set lease_until = clock_timestamp() - interval '1 millisecond' where lease_until is not null`,
      );
    },
    expireAllBut: async (runRef) => {
      await database.query(
        `update ${SCHEMA}.runs set lease_until = clock_timestamp() - interval '1 millisecond' where lease_until is not null and run_ref <> $1`,
        [runRef],
      );
    },
    reap: async () => {
      await engine.reap();
    },
    remove: async () => {
      await database.query(`delete from ${ENGINE_SCHEMA}.job`);
    },
    close: async () => {
      await engine.close();
      await second.close();
      await close();
    },
  };
}
