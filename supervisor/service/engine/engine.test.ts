import { PGlite } from '@electric-sql/pglite';
import { holdsJournalContract } from '../stores/testing/journal-contract.ts';
import { openPgliteDatabase } from './pglite-database.ts';
import { openPostgresJournal } from './postgres-journal.ts';
import { ENGINE_SCHEMA, SCHEMA, makeTables } from './schema.ts';
import { holdsApprovalContract } from '../stores/testing/approval-contract.ts';
import { approvalsOver } from './testing/approvals-under-test.ts';
import { holdsEngineContract } from './testing/engine-contract.ts';
import { enginesOver } from './testing/database-under-test.ts';

describe('runs as jobs in the embedded database', () => {
  let pglite: PGlite;
  before(async () => {
    pglite = await PGlite.create();
  });
  after(async () => pglite.close());

  describe('the engine', () => {
    holdsEngineContract(async () => {
      await pglite.exec(`drop schema if exists ${SCHEMA} cascade; drop schema if exists ${ENGINE_SCHEMA} cascade`);
      return enginesOver(openPgliteDatabase(pglite), openPgliteDatabase(pglite), async () => undefined);
    });
  });

  describe('the questions of runs', () => {
    holdsApprovalContract(async () => {
      await pglite.exec(`drop schema if exists ${SCHEMA} cascade`);
      const database = openPgliteDatabase(pglite);
      await makeTables(database);
      return approvalsOver(database, database);
    });
  });

  describe('the record of runs', () => {
    holdsJournalContract(async () => {
      await pglite.exec(`drop schema if exists ${SCHEMA} cascade`);
      await makeTables(openPgliteDatabase(pglite));
      return openPostgresJournal(openPgliteDatabase(pglite));
    });
  });
});
