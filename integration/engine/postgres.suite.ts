import { holdsEngineContract } from '../../supervisor/engine/testing/engine-contract.ts';
import { enginesOver } from '../../supervisor/engine/testing/database-under-test.ts';
import { postgresDatabase } from '../../supervisor/engine/postgres-database.ts';
import { postgresJournal } from '../../supervisor/engine/postgres-journal.ts';
import { makeTables } from '../../supervisor/engine/schema.ts';
import { holdsJournalContract } from '../../supervisor/stores/testing/journal-contract.ts';
import type { Database } from '../../supervisor/engine/database.ts';
import { findPostgresFor, startPostgres } from './postgres-server.ts';
import type { PostgresServer } from './postgres-server.ts';

const programs = findPostgresFor('runs as jobs on PostgreSQL');

if (programs !== null) {
  describe('runs as jobs on PostgreSQL', () => {
    let server: PostgresServer;
    const opened: Database[] = [];
    const connect = (url: string): Database => {
      const database = postgresDatabase(url, { connections: 4 });
      opened.push(database);
      return database;
    };
    before(async () => {
      server = await startPostgres(programs);
    });
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((database) => database.close()));
    });
    after(async () => server.close());

    describe('the engine', () => {
      holdsEngineContract(async () => {
        const url = server.newDatabase();
        return enginesOver(connect(url), connect(url), async () => undefined);
      });
    });

    describe('the record of runs', () => {
      holdsJournalContract(async () => {
        const database = connect(server.newDatabase());
        await makeTables(database);
        return postgresJournal(database);
      });
    });
  });
}
