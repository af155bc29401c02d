import { expect } from 'chai';
import { holdsEngineContract } from '../../service/engine/testing/engine-contract.ts';
import { enginesOver } from '../../service/engine/testing/database-under-test.ts';
import { openEngine } from '../../service/engine/engine.ts';
import { openPostgresDatabase } from '../../service/engine/postgres-database.ts';
import { openPostgresJournal } from '../../service/engine/postgres-journal.ts';
import { makeTables } from '../../service/engine/schema.ts';
import { holdsJournalContract } from '../../service/stores/testing/journal-contract.ts';
import type { Database } from '../../service/engine/database.ts';
import { findPostgresFor, startPostgres, type PostgresServer } from './postgres-server.ts';

const programs = findPostgresFor('runs as jobs on PostgreSQL');

if (programs !== null) {
  describe('runs as jobs on PostgreSQL', () => {
    let server: PostgresServer;
    const opened: Database[] = [];
    const connect = (url: string): Database => {
      const database = openPostgresDatabase(url, { connections: 4 });
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

    /** As many processes as a deployment starts at once: nobody made the schemas before them. */
    const TOGETHER = 6;
    it('opens for all that start together on an empty database', async function () {
      this.timeout(120_000);
      for (const width of [1, 2, 4]) {
        const url = server.newDatabase();
        const databases = Array.from({ length: TOGETHER }, () => {
          const database = openPostgresDatabase(url, { connections: width });
          opened.push(database);
          return database;
        });
        const outcomes = await Promise.allSettled(databases.map((database) => openEngine(database)));
        const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []));
        await Promise.all(
          outcomes.map(async (outcome) => (outcome.status === 'fulfilled' ? outcome.value.close() : undefined)),
        );
        expect(reasons, `${width} connections each`).to.deep.equal([]);
        const [first] = databases;
        const left = await first?.query('select count(*)::int as locks from pg_locks where locktype = $1', [
          'advisory',
        ]);
        expect(left, 'no lock stays').to.deep.equal([{ locks: 0 }]);
      }
    });

    describe('the record of runs', () => {
      holdsJournalContract(async () => {
        const database = connect(server.newDatabase());
        await makeTables(database);
        return openPostgresJournal(database);
      });
    });
  });
}
