import { expect } from 'chai';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startObjectServer } from '../../conformance/servers/s3/server.ts';
import { directoryArtifacts, newStoredJob, objectArtifacts, postgresJournal, readKeptEnvelope } from '../../supervisor/api/engine.ts';
import type { Database } from '../../supervisor/engine/database.ts';
import { openEngine } from '../../supervisor/engine/engine.ts';
import type { DatabaseEngine } from '../../supervisor/engine/engine.ts';
import { postgresDatabase } from '../../supervisor/engine/postgres-database.ts';
import { SCHEMA } from '../../supervisor/engine/schema.ts';
import { jobFor } from '../../supervisor/engine/testing/engine-contract.ts';
import { findPostgres, startPostgres } from './postgres-server.ts';
import type { PostgresServer } from './postgres-server.ts';
import { SHORT_TIMES } from './short-times.ts';

const JOBS = Number(process.env['SVC_RUNNER_JOBS'] ?? 2000);
const RUNNERS = 3;
const TENANTS = ['acme', 'globex', 'initech'] as const;
const root = join(import.meta.dirname, '../..');
const pause = async (ms: number): Promise<void> => new Promise((resolve) => { setTimeout(resolve, ms); });

const programs = findPostgres();
if (programs !== null) {
  describe('runners that are killed, stopped and lose their database', () => {
    let server: PostgresServer;
    let database: Database;
    let engine: DatabaseEngine;
    let url: string;
    const children = new Set<ChildProcess>();

    beforeEach(async () => {
      server = await startPostgres(programs);
      url = server.newDatabase();
      database = postgresDatabase(url, { connections: 4 });
      engine = await openEngine(database, SHORT_TIMES);
    });
    afterEach(async () => {
      for (const child of children) child.kill('SIGKILL');
      children.clear();
      await engine.close().catch(() => undefined);
      await database.close();
      await server.close();
    });

    const start = async (args: readonly string[], stream: 'stdout' | 'stderr'): Promise<ChildProcess> => {
      const child = spawn(process.execPath, args, { stdio: ['ignore', stream === 'stdout' ? 'pipe' : 'ignore', stream === 'stderr' ? 'pipe' : 'ignore'] });
      children.add(child);
      child.once('exit', () => children.delete(child));
      const told = child[stream];
      if (told === null) throw new Error('a runner tells that it is there');
      await Promise.race([once(told, 'data'), once(child, 'exit')]);
      told.resume();
      return child;
    };
    const startRunner = async (): Promise<ChildProcess> => start([join(import.meta.dirname, 'runner-child.ts'), url, '4'], 'stdout');
    const asked = async (text: string): Promise<readonly Readonly<Record<string, unknown>>[]> => {
      for (;;) {
        const rows = await database.query(text).catch(() => null);
        if (rows !== null) return rows;
        await pause(100);
      }
    };

    it(`ends each of ${JOBS} runs once, and no two attempts at one write`, async function () {
      this.timeout(600_000);
      await database.query('create table writes (run_ref text, epoch int, pid int)');
      for (let count = 0; count < JOBS; count += 1) await engine.enqueue(jobFor({ tenant: TENANTS[count % TENANTS.length] ?? 'acme', limits: { maxRuns: 100, rerunDispatched: true } }));
      const runners = await Promise.all(Array.from({ length: RUNNERS }, startRunner));
      let harms = { killed: 0, stopped: 0, restarts: 0 };
      for (let left = JOBS, round = 0; left > 0; round += 1) {
        const index = round % RUNNERS;
        const runner = runners[index];
        if (runner === undefined) throw new Error('a runner');
        if (round % 5 === 2 && harms.restarts < 2) {
          await server.crash();
          await pause(200);
          await server.start();
          harms = { ...harms, restarts: harms.restarts + 1 };
        } else if (round % 2 === 0) {
          runner.kill('SIGKILL');
          runners[index] = await startRunner();
          harms = { ...harms, killed: harms.killed + 1 };
        } else {
          // For longer than its leases.
          runner.kill('SIGSTOP');
          setTimeout(() => runner.kill('SIGCONT'), SHORT_TIMES.leaseMs + 1000);
          harms = { ...harms, stopped: harms.stopped + 1 };
        }
        await pause(400);
        const [rest] = await asked(`select count(*)::int as runs from ${SCHEMA}.runs where state in ('accepted', 'claimed', 'running')`);
        left = Number(rest?.['runs']);
      }
      // Those that were stopped come back late, before anything is counted.
      await pause(SHORT_TIMES.leaseMs + 2000);
      const states = await asked(`select state, effect, count(*)::int as runs, max(epoch) as attempts from ${SCHEMA}.runs group by state, effect order by 1, 2`);
      process.stdout.write(`        ${JSON.stringify(harms)} ${states.map((row) => `${String(row['state'])} ${String(row['effect'])} ${String(row['runs'])} (${String(row['attempts'])})`).join(', ')}\n`);
      expect(await asked(`select run_ref from ${SCHEMA}.runs where state not in ('finished', 'lost') or envelope is null`), 'runs without an end').to.deep.equal([]);
      const [runs] = await asked(`select count(*)::int as runs from ${SCHEMA}.runs`);
      expect(runs).to.deep.equal({ runs: JOBS });
      expect(await asked('select run_ref from writes group by run_ref having count(*) > 1'), 'runs that wrote twice').to.deep.equal([]);
      expect(await asked(`select r.run_ref from ${SCHEMA}.runs r join writes w using (run_ref) where w.epoch <> r.epoch`), 'runs that went on after a write').to.deep.equal([]);
      expect(await asked(`select run_ref from ${SCHEMA}.runs where state = 'finished' and (envelope ->> 'by')::int <> epoch`), 'records of other attempts').to.deep.equal([]);
      expect(await asked(`select run_ref from ${SCHEMA}.runs where state = 'lost' and effect = 'none' and epoch < 3`), 'runs lost too soon').to.deep.equal([]);
    });

    it('leaves artifacts, takes long inputs and keeps long envelopes in the store that runners share', async function () {
      this.timeout(300_000);
      const folder = await mkdtemp(join(tmpdir(), 'svc-runner-'));
      const server = await startObjectServer();
      try {
        await writeFile(join(folder, 'svc.json'), JSON.stringify({ version: 1, workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' }, missions: {}, limits: { terminal_result_bytes: 3_000_000 }, input: { value: { text: '' } } }));
        await writeFile(join(folder, 'main.clj'), '(ns main)\n(defn run [input] (get input "text"))\n');
        const credentials = { AWS_ACCESS_KEY_ID: server.credentials.accessKeyId, AWS_SECRET_ACCESS_KEY: server.credentials.secretAccessKey, AWS_REGION: server.region };
        for (const [place, store] of [[join(folder, 'left'), directoryArtifacts(join(folder, 'left'))], [`${server.url}/${server.bucket}`, objectArtifacts({ ...server, endpoint: server.url })]] as const) {
          const runner = spawn(process.execPath, [join(root, 'dist/svc.cjs'), 'runner', join(folder, 'svc.json'), '--database', url, '--artifact-store', place], { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...credentials } });
          children.add(runner);
          const [line]: unknown[] = await once(runner.stderr, 'data');
          const applicationDigest = /takes runs of (\S+)/.exec(String(line))?.[1] ?? '';
          const text = 'x'.repeat(1_100_000);
          const job = await newStoredJob({ tenant: 'acme', applicationDigest, input: { text }, artifacts: { trace: true, result: true } }, store);
          expect(job.inputRef?.kind).to.equal('stored');
          await engine.enqueue(job);
          const journal = postgresJournal(database);
          let record = await journal.get(job.runRef);
          for (; record?.state !== 'finished'; record = await journal.get(job.runRef)) await pause(50);
          expect(record.envelope).to.have.property('stored', 'envelope.json');
          expect(await readKeptEnvelope(record.envelope, { tenant: 'acme', runRef: job.runRef, epoch: 1 }, store)).to.have.nested.property('result.value', text);
          const names: string[] = [];
          for await (const { epoch, name } of store.list({ tenant: 'acme', runRef: job.runRef })) names.push(`${epoch}/${name}`);
          expect(names).to.deep.equal(['0/input.json', '1/envelope.json', '1/result.json', '1/trace.jsonl']);
          const ended = once(runner, 'exit');
          runner.kill('SIGTERM');
          await ended;
        }
      } finally {
        await server.close();
        await rm(folder, { recursive: true, force: true });
      }
    });

    it('hands the run of a killed `svc runner` to another one', async function () {
      this.timeout(300_000);
      const folder = await mkdtemp(join(tmpdir(), 'svc-runner-'));
      try {
        await writeFile(join(folder, 'svc.json'), JSON.stringify({ version: 1, workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' }, missions: {}, input: { value: { n: 1 } } }));
        await writeFile(join(folder, 'main.clj'), '(ns main)\n(defn run [input] {:sum (reduce + (range (get input "n")))})\n');
        const args = [join(root, 'dist/svc.cjs'), 'runner', join(folder, 'svc.json'), '--database', url, '--slots', '2'];
        const first = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
        children.add(first);
        const [line]: unknown[] = await once(first.stderr, 'data');
        const applicationDigest = /takes runs of (\S+)/.exec(String(line))?.[1] ?? '';
        expect(applicationDigest).to.match(/^sha256:/);
        const job = (n: number) => jobFor({ applicationDigest, inputRef: { kind: 'inline', json: JSON.stringify({ n }) } });
        const [quick, long] = [job(10), job(3_000_000)];
        await engine.enqueue(quick);
        const stateOf = async (runRef: string): Promise<Readonly<Record<string, unknown>>> => (await asked(`select state, epoch, envelope from ${SCHEMA}.runs where run_ref = '${runRef}'`))[0] ?? {};
        for (let row = await stateOf(quick.runRef); row['state'] !== 'finished'; row = await stateOf(quick.runRef)) await pause(50);
        expect((await stateOf(quick.runRef))['envelope']).to.have.nested.property('result.value.sum', 45);
        await engine.enqueue(long);
        for (let row = await stateOf(long.runRef); row['state'] !== 'running'; row = await stateOf(long.runRef)) await pause(5);
        first.kill('SIGKILL');
        const second = await start(args, 'stderr');
        for (let row = await stateOf(long.runRef); row['state'] !== 'finished'; row = await stateOf(long.runRef)) await pause(100);
        expect(await stateOf(long.runRef)).to.include({ epoch: 2 });
        const ended = once(second, 'exit');
        second.kill('SIGTERM');
        expect((await ended)[0]).to.equal(143);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
  });
}
