import { expect } from 'chai';
import { until } from '../../../conformance/until.ts';
import { newJob, openPostgresJournal } from '../../api/engine.ts';
import type { Supervisor } from '../../api/supervisor.ts';
import type { Database } from '../../service/engine/database.ts';
import { openEngine, type DatabaseEngine } from '../../service/engine/engine.ts';
import type { Lease, Worker } from '../../service/engine/interface.ts';
import { openPostgresDatabase } from '../../service/engine/postgres-database.ts';
import { SCHEMA } from '../../service/engine/schema.ts';
import { jobFor } from '../../service/engine/testing/engine-contract.ts';
import { supervise } from '../capabilities/supervised.ts';
import { findPostgresFor, startPostgres, type PostgresServer } from './postgres-server.ts';
import { severableLink, type Cut, type Link } from './severed-link.ts';

/** Of who is cut off: the proportions of gateway.md §19, a sixth as long or more. */
const SHORT = { extendMs: 500, leaseMs: 5000, selfKillMs: 2500, reapMs: 500, pollMs: 100 } as const;
/** Of who is not: a busy machine takes nothing from it. */
const PATIENT = { leaseMs: 600_000, selfKillMs: 500_000, reapMs: 200, pollMs: 50 } as const;

/** What is cut, whether a gate of writes is asked for meanwhile, and what becomes of the run. */
const CASES: readonly (readonly [cut: Cut, asksGate: boolean, state: 'finished' | 'lost', epoch: number])[] = [
  ['both', false, 'finished', 2],
  ['both', true, 'finished', 2],
  ['requests', false, 'finished', 2],
  ['requests', true, 'finished', 2],
  ['answers', false, 'finished', 2],
  // Who asked was not answered and wrote nothing; nobody else can know.
  ['answers', true, 'lost', 1],
];

const programs = findPostgresFor('a runner that is cut off from its database');
if (programs !== null) {
  describe('a runner that is cut off from its database (gateway.md §20)', function () {
    this.timeout(300_000);
    let server: PostgresServer;
    let link: Link;
    let direct: Database;
    let severed: Database;
    let engines: DatabaseEngine[] = [];
    let workers: Worker[] = [];
    let supervisors: Supervisor[] = [];
    before(async () => {
      server = await startPostgres(programs);
    });
    after(async () => server.close());
    beforeEach(async () => {
      const url = server.newDatabase();
      link = await severableLink(server.socket);
      direct = openPostgresDatabase(url, { connections: 4 });
      severed = openPostgresDatabase(
        `postgres://svc@127.0.0.1:${link.port}${new URL(url.replace('svc@/', 'svc@host/')).pathname}`,
        { connections: 4 },
      );
    });
    afterEach(async () => {
      link.mend();
      await Promise.all(supervisors.splice(0).map((own) => own.close()));
      await Promise.all(workers.splice(0).map((worker) => worker.close({ graceMs: 0 })));
      await Promise.all(engines.splice(0).map((engine) => engine.close().catch(() => undefined)));
      await Promise.all([direct.close(), severed.close()]);
      await link.close();
    });

    const opened = async (database: Database, timing: Parameters<typeof openEngine>[1]): Promise<DatabaseEngine> => {
      const engine = await openEngine(database, timing);
      engines.push(engine);
      return engine;
    };
    const rowOf = async (runRef: string): Promise<Readonly<Record<string, unknown>>> =>
      (
        await direct.query(`select state, epoch, effect, envelope from ${SCHEMA}.runs where run_ref = $1`, [runRef])
      )[0] ?? {};
    const endOf = async (runRef: string): Promise<Readonly<Record<string, unknown>>> =>
      until('the end of the run', async () => {
        const row = await rowOf(runRef);
        return row['state'] === 'finished' || row['state'] === 'lost' ? row : undefined;
      });

    for (const [cut, asksGate, state, epoch] of CASES) {
      it(`${cut === 'both' ? 'both ways' : `for its ${cut} alone`}${asksGate ? ', and asks to write' : ''}, gives its run up before another has it, and comes back to nothing`, async () => {
        const [near, far] = [await opened(direct, PATIENT), await opened(severed, SHORT)];
        const reported: string[] = [];
        const acquired = Promise.withResolvers<Lease>();
        const gate = Promise.withResolvers<boolean>();
        const job = jobFor({});
        await near.enqueue(job);
        workers.push(
          far.work({ slots: 1 }, async (lease) => {
            acquired.resolve(lease);
            await new Promise((resolve) => {
              lease.signal.addEventListener('abort', resolve, { once: true });
            });
            reported.push('given up');
            return { state: 'finished', envelope: { by: lease.attempt } };
          }),
        );
        const lease = await acquired.promise;
        link.cut(cut);
        if (asksGate) void lease.gate('write_open').then(gate.resolve);
        else gate.resolve(false);
        workers.push(
          near.work({ slots: 1 }, async ({ attempt }) => {
            reported.push('taken over');
            return { state: 'finished', envelope: { by: attempt } };
          }),
        );
        const row = await endOf(job.runRef);
        expect(row).to.include({ state, epoch });
        expect(reported).to.deep.equal(state === 'lost' ? ['given up'] : ['given up', 'taken over']);
        expect(lease.signal.reason).to.equal('lease_lost');

        link.mend();
        expect(await gate.promise, 'a gate that was asked for behind the cut').to.equal(false);
        expect([
          await lease.gate('dispatched'),
          await lease.gate('write_open'),
          await lease.extend(),
          await lease.note({ tokens: 1 }),
        ]).to.deep.equal([false, false, false, false]);
        // What was held up has arrived once a later question of the same way is answered.
        await severed.query('select 1');
        expect(await rowOf(job.runRef), 'as it was before').to.deep.equal(row);
      });
    }

    it('in the middle of a claim holds up nobody else of its tenant', async () => {
      let isArmed = true;
      const cutting: Database = {
        ...severed,
        transaction: async (work) =>
          severed.transaction(async (sql) =>
            work({
              query: async (text, values) => {
                const rows = await sql.query(text, values);
                if (isArmed && rows.length > 0 && text.includes('for update skip locked') && text.includes('tenants')) {
                  isArmed = false;
                  link.cut('both');
                }
                return rows;
              },
            }),
          ),
      };
      const [near, far] = [await opened(direct, PATIENT), await opened(cutting, SHORT)];
      const job = jobFor({});
      await near.enqueue(job);
      workers.push(far.work({ slots: 1 }, async () => ({ state: 'finished', envelope: { by: 'far' } })));
      await until('the cut', () => (isArmed ? undefined : true));
      workers.push(near.work({ slots: 1 }, async () => ({ state: 'finished', envelope: { by: 'near' } })));
      expect(await endOf(job.runRef)).to.deep.include({ state: 'finished', epoch: 1, envelope: { by: 'near' } });
    });

    it('ends what it evaluates, and is told of by whoever takes it over', async () => {
      const files = new Map(
        Object.entries({
          'svc.json': JSON.stringify({
            version: 1,
            workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
            missions: {},
            limits: { run_duration_ms: 600_000, workflow_timeout_ms: 600_000 },
            input: { value: {} },
          }),
          'main.clj': '(ns main)\n(defn run [input] (loop [] (recur)))\n',
        }).map(([name, text]) => [name, Buffer.from(text)] as const),
      );
      const far = await supervise({
        engine: await opened(severed, SHORT),
        stores: { journal: openPostgresJournal(severed) },
      });
      supervisors.push(far);
      const { contentDigest } = await far.prepare({ kind: 'memory', files });
      const near = await opened(direct, PATIENT);
      const job = newJob({ tenant: 'acme', applicationDigest: contentDigest });
      await near.enqueue(job);
      await until('its evaluation', () => (far.snapshot().runs.running === 1 ? true : undefined));
      await until('its lease', async () => ((await rowOf(job.runRef))['state'] === 'running' ? true : undefined));
      link.cut('both');
      await until('the end of its evaluation', () => (far.snapshot().runs.running === 0 ? true : undefined));
      workers.push(near.work({ slots: 1 }, async ({ attempt }) => ({ state: 'finished', envelope: { by: attempt } })));
      expect(await endOf(job.runRef)).to.deep.include({
        state: 'finished',
        epoch: 2,
        effect: 'none',
        envelope: { by: 2 },
      });
    });
  });
}
