import { expect } from 'chai';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { text } from 'node:stream/consumers';
import { until } from '../../../conformance/until.ts';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CERTIFICATES } from '../../../conformance/servers/http/listen.ts';
import { startObjectServer } from '../../../conformance/servers/s3/server.ts';
import {
  openDirectoryArtifacts,
  createStoredJob,
  openObjectArtifacts,
  openPostgresJournal,
  readStoredEnvelope,
} from '../../api/engine.ts';
import type { Database } from '../../service/engine/database.ts';
import { openEngine, type DatabaseEngine } from '../../service/engine/engine.ts';
import { openPostgresDatabase } from '../../service/engine/postgres-database.ts';
import { SCHEMA } from '../../service/engine/schema.ts';
import { jobFor } from '../../service/engine/testing/engine-contract.ts';
import { findPostgresFor, startPostgres, type PostgresServer } from './postgres-server.ts';
import { SHORT_TIMES } from './short-times.ts';

const root = join(import.meta.dirname, '../../..');
const pause = async (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

const programs = findPostgresFor('`svc runner` processes on one database');
if (programs !== null) {
  describe('`svc runner` processes on one database', () => {
    let server: PostgresServer;
    let database: Database;
    let engine: DatabaseEngine;
    let url: string;
    const children = new Set<ChildProcess>();

    beforeEach(async () => {
      server = await startPostgres(programs);
      url = server.newDatabase();
      database = openPostgresDatabase(url, { connections: 4 });
      engine = await openEngine(database, SHORT_TIMES);
    });
    afterEach(async () => {
      for (const child of children) child.kill('SIGKILL');
      children.clear();
      await engine.close().catch(() => undefined);
      await database.close();
      await server.close();
    });

    const start = async (args: readonly string[]): Promise<ChildProcess> => {
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
      children.add(child);
      child.once('exit', () => children.delete(child));
      await Promise.race([once(child.stderr, 'data'), once(child, 'exit')]);
      child.stderr.resume();
      return child;
    };

    it('leaves artifacts, takes long inputs and keeps long envelopes in the store that runners share', async function () {
      this.timeout(300_000);
      const folder = await mkdtemp(join(tmpdir(), 'svc-runner-'));
      const server = await startObjectServer();
      try {
        await writeFile(
          join(folder, 'svc.json'),
          JSON.stringify({
            version: 1,
            workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
            missions: {},
            limits: { terminal_result_bytes: 3_000_000 },
            input: { value: { text: '' } },
          }),
        );
        await writeFile(join(folder, 'main.clj'), '(ns main)\n(defn run [input] (get input "text"))\n');
        const credentials = {
          AWS_ACCESS_KEY_ID: server.credentials.accessKeyId,
          AWS_SECRET_ACCESS_KEY: server.credentials.secretAccessKey,
          AWS_REGION: server.region,
        };
        const { url: endpoint, bucket, region, credentials: keys } = server;
        for (const [place, store] of [
          [join(folder, 'left'), openDirectoryArtifacts(join(folder, 'left'))],
          [`${endpoint}/${bucket}`, openObjectArtifacts({ endpoint, bucket, region, credentials: keys })],
        ] as const) {
          const runner = spawn(
            process.execPath,
            [
              join(root, 'dist/svc.cjs'),
              'runner',
              join(folder, 'svc.json'),
              '--database',
              url,
              '--artifact-store',
              place,
            ],
            { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...credentials } },
          );
          children.add(runner);
          const [line]: unknown[] = await once(runner.stderr, 'data');
          const applicationDigest = /takes runs of (\S+)/.exec(String(line))?.[1] ?? '';
          const text = 'x'.repeat(1_100_000);
          const job = await createStoredJob(
            { tenant: 'acme', applicationDigest, input: { text }, artifacts: { trace: true, result: true } },
            store,
          );
          expect(job.inputRef?.kind).to.equal('stored');
          await engine.enqueue(job);
          const journal = openPostgresJournal(database);
          let record = await journal.get(job.runRef);
          for (; record?.state !== 'finished'; record = await journal.get(job.runRef)) await pause(50);
          expect(record.envelope).to.have.property('stored', 'envelope.json');
          expect(
            await readStoredEnvelope(record.envelope, { tenant: 'acme', runRef: job.runRef, epoch: 1 }, store),
          ).to.have.nested.property('result.value', text);
          const names: string[] = [];
          for await (const { epoch, name } of store.list({ tenant: 'acme', runRef: job.runRef }))
            names.push(`${epoch}/${name}`);
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

    it('has credentials and grants of each tenant from their folder, which the next run sees changed', async function () {
      this.timeout(300_000);
      const child = join(root, 'adapters/test/tools/grants-child.ts');
      const { stdout } = await promisify(execFile)(process.execPath, [child, 'runner', url], {
        env: { ...process.env, SSL_CERT_FILE: join(CERTIFICATES, 'authority.pem') },
      });
      const sunny = { status: 'ok', value: { text: ['sunny'] } };
      expect(JSON.parse(stdout)).to.deep.equal({
        own: sunny,
        others: ['authorization_required', sunny, 'authorization_required'],
        shared: 'credential_unavailable',
        rotated: sunny,
        revoked: 'authorization_required',
        anew: { kind: 'granted' },
        again: sunny,
        without: 'credential_unavailable',
      });
    });

    it('shows what waits, for how long and whether anybody takes it; its health; and ends with 0 after a clean stop, as asked otherwise', async function () {
      this.timeout(300_000);
      const folder = await mkdtemp(join(tmpdir(), 'svc-runner-'));
      const svc = async (
        ...args: string[]
      ): Promise<{ readonly status: number | null; readonly stdout: string; readonly stderr: string }> => {
        const child = spawn(process.execPath, [join(root, 'dist/svc.cjs'), ...args], {
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        const [stdout, stderr] = [text(child.stdout), text(child.stderr)];
        const [status]: (number | null)[] = await once(child, 'close');
        return { status: status ?? null, stdout: await stdout, stderr: await stderr };
      };
      const status = async (): Promise<Readonly<Record<string, unknown>>> =>
        JSON.parse((await svc('runner', 'status', '--database', url, '--format', 'json')).stdout);
      try {
        await writeFile(
          join(folder, 'svc.json'),
          JSON.stringify({
            version: 1,
            workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
            missions: {},
            limits: { workflow_timeout_ms: 60_000, run_duration_ms: 60_000 },
            input: { value: { n: 1 } },
          }),
        );
        await writeFile(
          join(folder, 'main.clj'),
          '(ns main)\n(defn run [input] (if (get input "for-ever") (loop [] (recur)) 1))\n',
        );
        const nobodys = jobFor({ applicationDigest: 'sha256:nobody' });
        await engine.enqueue(nobodys);
        expect(await status()).to.deep.include({
          runs: { accepted: 1, claimed: 0, running: 0, finished: 0, cancelled: 0, lost: 0 },
          runners: [],
        });
        const plain = await svc('runner', 'status', '--database', url);
        expect(plain.stdout).to.match(
          /^runs: 1 waiting, 0 running, 0 finished, 0 cancelled, 0 lost\nrunners: 0, 0 of 0 slots in use\napplication sha256:nobody: 1 waiting \(the oldest for \d+ s\), 0 running, no runner takes them\ntenant acme: 1 waiting \(the oldest for \d+ s\), 0 running\n$/,
        );
        await engine.cancel(nobodys.runRef);

        const start = async (...options: string[]) => {
          const child = spawn(
            process.execPath,
            [
              join(root, 'dist/svc.cjs'),
              'runner',
              join(folder, 'svc.json'),
              '--database',
              url,
              '--slots',
              '3',
              '--metrics',
              '0',
              ...options,
            ],
            { stdio: ['ignore', 'ignore', 'pipe'] },
          );
          children.add(child);
          const [line]: unknown[] = await once(child.stderr, 'data');
          const [, applicationDigest = '', address = ''] =
            /takes runs of (\S+); figures at (\S+)\/metrics/.exec(String(line)) ?? [];
          return { child, applicationDigest, get: async (path: string) => fetch(`${address}${path}`) };
        };
        const { child, applicationDigest, get } = await start('--grace-ms', '0');
        for (const [path, code, body] of [
          ['/health/live', 200, '{"status":"live"}'],
          ['/health/ready', 200, '{"status":"ready"}'],
          ['/other', 404, ''],
        ] as const) {
          const answer = await get(path);
          expect([answer.status, await answer.text()], path).to.deep.equal([code, body]);
        }
        const endless = jobFor({ applicationDigest, inputRef: { kind: 'inline', json: '{"for-ever":true}' } });
        await engine.enqueue(endless);
        await until('the run goes on', async () =>
          (await openPostgresJournal(database).get(endless.runRef))?.state === 'running' ? true : undefined,
        );
        const figures = await (await get('/metrics')).text();
        for (const line of [
          'svc_runner_slots 3',
          'svc_engine_up 1',
          'svc_engine_runs{state="running"} 1',
          'svc_engine_runs{state="cancelled"} 1',
          `svc_engine_workers{application="${applicationDigest}"} 1`,
          `svc_engine_oldest_waiting_seconds{application="${applicationDigest}"} 0`,
        ])
          expect(figures.split('\n')).to.include(line);
        expect(await status()).to.deep.include({
          applications: [
            { application_digest: applicationDigest, waiting: 0, running: 1, oldest_waiting_seconds: null, runners: 1 },
          ],
        });
        const stopped = once(child, 'exit');
        child.kill('SIGTERM');
        expect((await stopped)[0], 'a run had to be stopped').to.equal(143);
        expect((await status())['runners'], 'it has left').to.deep.equal([]);

        const again = await start();
        const over = once(again.child, 'exit');
        again.child.kill('SIGTERM');
        expect((await over)[0]).to.equal(0);
        const unknown = await svc('runner', 'status', '--database', server.newDatabase());
        expect([unknown.status, unknown.stdout]).to.deep.equal([70, '']);
        expect(unknown.stderr).to.contain('no runner has made its tables');
        expect((await svc('runner', 'status', '--database', url, '--slots', '2')).status).to.equal(2);
        expect((await svc('runner', join(folder, 'svc.json'), '--database', url, '--format', 'json')).status).to.equal(
          2,
        );
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });

    it('hands the run of a killed `svc runner` to another one', async function () {
      this.timeout(300_000);
      const folder = await mkdtemp(join(tmpdir(), 'svc-runner-'));
      try {
        await writeFile(
          join(folder, 'svc.json'),
          JSON.stringify({
            version: 1,
            workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
            missions: {},
            input: { value: { n: 1 } },
          }),
        );
        await writeFile(
          join(folder, 'main.clj'),
          '(ns main)\n(defn run [input] {:sum (reduce + (range (get input "n")))})\n',
        );
        const args = [
          join(root, 'dist/svc.cjs'),
          'runner',
          join(folder, 'svc.json'),
          '--database',
          url,
          '--slots',
          '2',
        ];
        const first = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
        children.add(first);
        const [line]: unknown[] = await once(first.stderr, 'data');
        const applicationDigest = /takes runs of (\S+)/.exec(String(line))?.[1] ?? '';
        expect(applicationDigest).to.match(/^sha256:/);
        const job = (n: number) =>
          jobFor({ applicationDigest, inputRef: { kind: 'inline', json: JSON.stringify({ n }) } });
        const [quick, long] = [job(10), job(3_000_000)];
        await engine.enqueue(quick);
        const stateOf = async (runRef: string): Promise<Readonly<Record<string, unknown>>> =>
          (await database.query(`select state, epoch, envelope from ${SCHEMA}.runs where run_ref = '${runRef}'`))[0] ??
          {};
        for (let row = await stateOf(quick.runRef); row['state'] !== 'finished'; row = await stateOf(quick.runRef))
          await pause(50);
        expect((await stateOf(quick.runRef))['envelope']).to.have.nested.property('result.value.sum', 45);
        await engine.enqueue(long);
        for (let row = await stateOf(long.runRef); row['state'] !== 'running'; row = await stateOf(long.runRef))
          await pause(5);
        first.kill('SIGKILL');
        const second = await start(args);
        for (let row = await stateOf(long.runRef); row['state'] !== 'finished'; row = await stateOf(long.runRef))
          await pause(100);
        expect(await stateOf(long.runRef)).to.include({ epoch: 2 });
        const ended = once(second, 'exit');
        second.kill('SIGTERM');
        expect((await ended)[0], 'nothing had to be stopped').to.equal(0);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
  });
}
