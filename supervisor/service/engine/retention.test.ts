import { PGlite } from '@electric-sql/pglite';
import { expect } from 'chai';
import { openEngine } from './engine.ts';
import { openPgliteDatabase } from './pglite-database.ts';
import { deleteOldRuns } from './retention.ts';
import { SCHEMA, makeTables } from './schema.ts';
import { announceWorker, withdrawWorker } from './presence.ts';
import { readEngineStatus } from './status.ts';

describe('runs that have ended stay on record for a while (gateway.md §19)', () => {
  let pglite: PGlite;
  before(async () => {
    pglite = await PGlite.create();
  });
  after(async () => pglite.close());
  beforeEach(async () => {
    await pglite.exec(`drop schema if exists ${SCHEMA} cascade`);
    await makeTables(openPgliteDatabase(pglite));
  });

  const database = () => openPgliteDatabase(pglite);
  const entered = async (
    name: string,
    {
      state = 'finished',
      age = '0 seconds',
      envelope = '{}',
      digest = 'sha256:aa',
      tenant = 'acme',
      isDelivered = true,
    }: {
      readonly state?: string;
      readonly age?: string;
      readonly envelope?: string;
      readonly digest?: string;
      readonly tenant?: string;
      readonly isDelivered?: boolean;
    } = {},
  ): Promise<void> => {
    await pglite.query(
      `insert into ${SCHEMA}.runs (run_ref, tenant, request_hash, state, envelope, application_digest, job_id, changed_at, accepted_at)
       values ($1, $2, 'h', $3, $4::json, $5, case when $7 then gen_random_uuid() end, 
         clock_timestamp() - $6::interval, clock_timestamp() - $6::interval)`,
      [name, tenant, state, envelope, digest, age, isDelivered],
    );
  };
  const left = async (): Promise<readonly unknown[]> =>
    (await database().query(`select run_ref from ${SCHEMA}.runs order by run_ref`)).map((row) => row['run_ref']);

  it('for so many days, and only those that have ended', async () => {
    for (const state of ['finished', 'cancelled', 'lost', 'accepted', 'claimed', 'running'])
      await entered(`old ${state}`, { state, age: '3 days 1 minute' });
    await entered('almost', { age: '2 days 23 hours 59 minutes' });
    expect(await deleteOldRuns(database(), { keepDays: null, keepBytes: null })).to.equal(0);
    expect(await deleteOldRuns(database(), { keepDays: 3, keepBytes: null })).to.equal(3);
    expect(await left()).to.deep.equal(['almost', 'old accepted', 'old claimed', 'old running']);
    expect(await deleteOldRuns(database(), { keepDays: 3, keepBytes: null })).to.equal(0);
  });

  it('in so many bytes, the newest first, and none that has only just ended', async () => {
    for (const [index, name] of ['newest', 'middle', 'oldest'].entries())
      await entered(name, { age: `${index + 2} hours`, envelope: JSON.stringify('x'.repeat(200)) });
    await entered('just now', { envelope: JSON.stringify('x'.repeat(10_000)) });
    const sizes = await database().query(`select run_ref, pg_column_size(envelope)::int as bytes from ${SCHEMA}.runs`);
    const bytesOf = (...names: string[]): number =>
      sizes.reduce((sum, row) => sum + (names.includes(String(row['run_ref'])) ? Number(row['bytes']) : 0), 0);
    const all = bytesOf('just now', 'newest', 'middle', 'oldest');
    expect(await deleteOldRuns(database(), { keepDays: null, keepBytes: all + 1 })).to.equal(0);
    expect(await deleteOldRuns(database(), { keepDays: null, keepBytes: all })).to.equal(0);
    expect(await deleteOldRuns(database(), { keepDays: null, keepBytes: all - 1 })).to.equal(1);
    expect(await left()).to.deep.equal(['just now', 'middle', 'newest']);
    expect(await deleteOldRuns(database(), { keepDays: null, keepBytes: 1 })).to.equal(2);
    expect(await left()).to.deep.equal(['just now']);
  });

  it('a thousand in a round, the oldest first', async () => {
    await pglite.exec(
      `insert into ${SCHEMA}.runs (run_ref, tenant, request_hash, state, changed_at) select 'r' || n, 'acme', 'h', 'finished', clock_timestamp() - interval '9 days' - n * interval '1 second' from generate_series(1, 1001) as n`,
    );
    expect(await deleteOldRuns(database(), { keepDays: 1, keepBytes: null })).to.equal(1000);
    expect(await left()).to.deep.equal(['r1']);
    expect(await deleteOldRuns(database(), { keepDays: 1, keepBytes: null })).to.equal(1);
  });

  it('while any worker is there, which looks for them itself', async () => {
    await pglite.exec('drop schema if exists svc_engine cascade');
    await entered('old', { age: '31 days' });
    await entered('kept', { age: '29 days' });
    const engine = await openEngine(database());
    const worker = engine.work({ slots: 1 }, async () => ({ state: 'finished', envelope: null }));
    try {
      while ((await left()).length > 1)
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
      expect(await left(), '30 days where nothing is said').to.deep.equal(['kept']);
      expect(await engine.deleteOld()).to.equal(0);
    } finally {
      await worker.close();
      await engine.close();
    }
  });

  it('and what waits is to be seen, with who takes it', async () => {
    await entered('a', { state: 'accepted', age: '90 seconds' });
    await entered('b', { state: 'accepted', age: '10 seconds', tenant: 'other' });
    await entered('c', { state: 'running', digest: 'sha256:bb' });
    await entered('d', { state: 'accepted', age: '200 seconds', digest: 'sha256:cc', isDelivered: false });
    await entered('e', { state: 'finished', digest: 'sha256:dd' });
    const [one, any, closed] = [
      '00000000-0000-0000-0000-000000000001',
      '00000000-0000-0000-0000-000000000002',
      '00000000-0000-0000-0000-000000000003',
    ] as const;
    await announceWorker(database(), { worker: one, applicationDigest: 'sha256:bb', slots: 4, running: 0 });
    await announceWorker(database(), { worker: one, applicationDigest: 'sha256:bb', slots: 4, running: 1 });
    await announceWorker(database(), { worker: closed, applicationDigest: 'sha256:aa', slots: 4, running: 1 });
    await pglite.query(
      `update ${SCHEMA}.workers set seen_at = clock_timestamp() - interval '31 seconds' where worker = $1`,
      [closed],
    );
    const { runs, applications, tenants, workers } = await readEngineStatus(database());
    expect(runs).to.deep.equal({ accepted: 3, claimed: 0, running: 1, finished: 1, cancelled: 0, lost: 0 });
    expect(
      applications.map(({ oldestWaitingSeconds, ...rest }) => ({
        ...rest,
        seconds: oldestWaitingSeconds === null ? null : oldestWaitingSeconds >= 90 && oldestWaitingSeconds < 200,
      })),
    ).to.deep.equal([
      { applicationDigest: 'sha256:aa', waiting: 2, running: 0, workers: 0, seconds: true },
      { applicationDigest: 'sha256:bb', waiting: 0, running: 1, workers: 1, seconds: null },
    ]);
    expect(tenants.map(({ tenant, waiting, running }) => [tenant, waiting, running])).to.deep.equal([
      ['acme', 1, 1],
      ['other', 1, 0],
    ]);
    expect(workers).to.deep.equal([{ applicationDigest: 'sha256:bb', slots: 4, running: 1 }]);
    await announceWorker(database(), { worker: any, applicationDigest: null, slots: 1, running: 0 });
    expect((await readEngineStatus(database())).applications.map((found) => found.workers)).to.deep.equal([1, 2]);
    await withdrawWorker(database(), any);
    await withdrawWorker(database(), one);
    expect((await readEngineStatus(database())).workers).to.deep.equal([]);
  });
});
