import { expect } from 'chai';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Database } from '../../service/engine/database.ts';
import { openEngine, type DatabaseEngine } from '../../service/engine/engine.ts';
import { openPostgresDatabase } from '../../service/engine/postgres-database.ts';
import { SCHEMA } from '../../service/engine/schema.ts';
import { jobFor } from '../../service/engine/testing/engine-contract.ts';
import { findPostgresFor, startPostgres, type PostgresServer } from './postgres-server.ts';
import { severableLink, type Link } from './severed-link.ts';
import { SHORT_TIMES } from './short-times.ts';

/** 20,000 by hand. */
const JOBS = Number(process.env['SVC_RUNNER_JOBS'] ?? 600);
/** A run of the suite with the seed of another does the same harm in the same order, though not at the same moments. */
const SEED = Number(process.env['SVC_RUNNER_SEED'] ?? Date.now() % 1_000_000);
const RUNNERS = 3;
const SLOTS = '4';
const TENANTS = ['acme', 'globex', 'initech'] as const;
const RESTARTS = 2;
/** Of one process, or of one way to the database: for longer than its leases. */
const AWAY_MS = SHORT_TIMES.leaseMs + 1000;
const BETWEEN_HARMS_MS = 400;
const pause = async (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

const HARMS = ['killed', 'stopped', 'cut both ways', 'cut requests', 'cut answers', 'restarted'] as const;
type Harm = (typeof HARMS)[number];

/** Numbers from 0 to below `bound`, the same for the same seed. */
function numbersFrom(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

interface Runner {
  readonly link: Link;
  child: ChildProcess;
  /** Stopped or cut off. */
  isAway: boolean;
}

const programs = findPostgresFor('runners that are harmed at random');
if (programs !== null) {
  describe('runners that are harmed at random (gateway.md §21)', () => {
    let server: PostgresServer;
    let database: Database;
    let engine: DatabaseEngine;
    let name = '';
    let runners: Runner[] = [];
    const children = new Set<ChildProcess>();

    beforeEach(async () => {
      server = await startPostgres(programs);
      const url = server.newDatabase();
      name = new URL(url.replace('svc@/', 'svc@host/')).pathname;
      database = openPostgresDatabase(url, { connections: 8 });
      engine = await openEngine(database, SHORT_TIMES);
      await database.query(
        'create table writes (run_ref text, epoch int, pid int); create table attempts (run_ref text, epoch int, at timestamptz not null default clock_timestamp())',
      );
    });
    afterEach(async () => {
      for (const child of children) child.kill('SIGKILL');
      children.clear();
      await Promise.all(runners.splice(0).map(async ({ link }) => link.close()));
      await engine.close().catch(() => undefined);
      await database.close();
      await server.close();
    });

    async function startChild(link: Link): Promise<ChildProcess> {
      const child = spawn(
        process.execPath,
        [new URL('runner-child.ts', import.meta.url).pathname, `postgres://svc@127.0.0.1:${link.port}${name}`, SLOTS],
        { stdio: ['ignore', 'pipe', 'ignore'] },
      );
      children.add(child);
      child.once('exit', () => children.delete(child));
      await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
      child.stdout.resume();
      return child;
    }
    async function startRunner(): Promise<Runner> {
      const link = await severableLink(server.socket);
      return { link, child: await startChild(link), isAway: false };
    }
    const queryUntilAnswered = async (text: string): Promise<readonly Readonly<Record<string, unknown>>[]> => {
      for (;;) {
        const rows = await database.query(text).catch(() => null);
        if (rows !== null) return rows;
        await pause(100);
      }
    };
    async function harm(what: Harm, runner: Runner): Promise<void> {
      const back = (comeBack: () => void): void => {
        runner.isAway = true;
        setTimeout(() => {
          comeBack();
          runner.isAway = false;
        }, AWAY_MS);
      };
      if (what === 'restarted') {
        await server.crash();
        await pause(200);
        await server.start();
      } else if (what === 'killed') {
        runner.child.kill('SIGKILL');
        runner.child = await startChild(runner.link);
      } else if (what === 'stopped') {
        const { child } = runner;
        child.kill('SIGSTOP');
        back(() => child.kill('SIGCONT'));
      } else {
        runner.link.cut(what === 'cut both ways' ? 'both' : what === 'cut requests' ? 'requests' : 'answers');
        back(() => runner.link.mend());
      }
    }

    it(`end each of ${JOBS} runs once, and no two attempts at one write (seed ${SEED})`, async function () {
      this.timeout(3_600_000);
      const random = numbersFrom(SEED);
      for (let count = 0; count < JOBS; count += 8) {
        await Promise.all(
          Array.from({ length: Math.min(8, JOBS - count) }, async (_, index) =>
            engine.enqueue(
              jobFor({
                tenant: TENANTS[(count + index) % TENANTS.length] ?? 'acme',
                limits: { maxRuns: 100, rerunDispatched: true },
              }),
            ),
          ),
        );
      }
      runners = await Promise.all(Array.from({ length: RUNNERS }, startRunner));
      const done = new Map<Harm, number>();
      for (let left = JOBS; left > 0;) {
        const what = HARMS[random(HARMS.length)] ?? 'killed';
        const runner = runners[random(RUNNERS)];
        if (runner !== undefined && !runner.isAway && (what !== 'restarted' || (done.get(what) ?? 0) < RESTARTS)) {
          await harm(what, runner);
          done.set(what, (done.get(what) ?? 0) + 1);
        }
        await pause(BETWEEN_HARMS_MS);
        const [rest] = await queryUntilAnswered(
          `select count(*)::int as runs from ${SCHEMA}.runs where state in ('accepted', 'claimed', 'running')`,
        );
        left = Number(rest?.['runs']);
      }
      // Those that were away come back late, before anything is counted.
      await pause(AWAY_MS + 1000);
      const states = await queryUntilAnswered(
        `select state, effect, count(*)::int as runs, max(epoch) as attempts from ${SCHEMA}.runs group by state, effect order by 1, 2`,
      );
      const [again] = await queryUntilAnswered(
        `select count(*)::int as runs, coalesce(max(extract(epoch from later.at - first.at)), 0)::float8 as longest from attempts first join attempts later on later.run_ref = first.run_ref and later.epoch = first.epoch + 1`,
      );
      process.stdout.write(
        `        ${[...done].map(([what, count]) => `${what} ${count}`).join(', ')}; ${states.map((row) => `${String(row['state'])} ${String(row['effect'])} ${String(row['runs'])} (${String(row['attempts'])})`).join(', ')}; ${String(again?.['runs'])} taken over, at most ${Number(again?.['longest']).toFixed(1)} s after they had begun\n`,
      );
      expect(
        await queryUntilAnswered(
          `select run_ref from ${SCHEMA}.runs where state not in ('finished', 'lost') or envelope is null`,
        ),
        'runs without an end',
      ).to.deep.equal([]);
      const [runs] = await queryUntilAnswered(`select count(*)::int as runs from ${SCHEMA}.runs`);
      expect(runs).to.deep.equal({ runs: JOBS });
      expect(
        await queryUntilAnswered('select run_ref from writes group by run_ref having count(*) > 1'),
        'runs that wrote twice',
      ).to.deep.equal([]);
      expect(
        await queryUntilAnswered(
          `select r.run_ref from ${SCHEMA}.runs r join writes w using (run_ref) where w.epoch <> r.epoch`,
        ),
        'runs that went on after a write',
      ).to.deep.equal([]);
      expect(
        await queryUntilAnswered(
          `select run_ref from ${SCHEMA}.runs where state = 'finished' and (envelope ->> 'by')::int <> epoch`,
        ),
        'records of other attempts',
      ).to.deep.equal([]);
      expect(
        await queryUntilAnswered(
          `select run_ref from ${SCHEMA}.runs where state = 'lost' and effect = 'none' and epoch < 3`,
        ),
        'runs lost too soon',
      ).to.deep.equal([]);
      expect(
        await queryUntilAnswered('select run_ref from attempts group by run_ref, epoch having count(*) > 1'),
        'attempts that were made twice',
      ).to.deep.equal([]);
    });
  });
}
