import { expect } from 'chai';
import { schemaThreads, type SchemaThreads, type ThreadBounds, type ThreadPool } from './schema-threads.ts';

const BOUNDS: ThreadBounds = {
  threads: 2,
  threadsOfTenant: 1,
  waiting: 8,
  waitingOfTenant: 8,
  longestMs: 60_000,
  pools: 2,
};
const FITS = { key: 'text', schema: '{"type":"string"}', value: '"b"' };
/** Takes longer than anybody has. */
const ENDLESS = { key: 'endless', schema: '{"pattern":"^(a+)+$"}', value: `"${'a'.repeat(60)}!"` };
const LONG_MS = 60_000;

/** What is known by now. */
async function now(requested: Promise<unknown>): Promise<unknown> {
  return Promise.race([
    requested,
    new Promise((resolve) => {
      setImmediate(resolve, 'waits');
    }),
  ]);
}

describe('threads for schemas, by tenant', () => {
  let threads: SchemaThreads;
  const open = (bounds: Partial<ThreadBounds> = {}): void => {
    threads = schemaThreads({ ...BOUNDS, ...bounds });
  };
  afterEach(() => threads.close());

  it('let a deadline pass in the queue as well, behind a question that takes for ever', async () => {
    const pools = fakePools();
    threads = schemaThreads(BOUNDS, pools.open);
    const first = threads.ask('a', ENDLESS, LONG_MS);
    expect([await threads.ask('a', FITS, 50), await now(first)]).to.deep.equal([null, 'waits']);
    pools.answer(0);
    expect(await first).to.deep.equal([]);
  });

  it('answer one tenant while another asks what takes for ever', async () => {
    const pools = fakePools();
    threads = schemaThreads(BOUNDS, pools.open);
    const endless = Array.from({ length: 3 }, () => threads.ask('a', ENDLESS, LONG_MS));
    const other = threads.ask('b', FITS, LONG_MS);
    await now(other);
    pools.answer(1);
    expect(await other).to.deep.equal([]);
    expect(await Promise.all(endless.map(now))).to.deep.equal(['waits', 'waits', 'waits']);
    for (const question of endless) {
      pools.answer(0);
      await question;
      await now(question);
    }
  });

  it('end a question that takes too long, whatever its caller has, and go on with the next', async () => {
    open({ longestMs: 500 });
    const [late, next] = [threads.ask('a', ENDLESS, LONG_MS), threads.ask('a', { ...FITS, value: '5' }, LONG_MS)];
    expect(await late).to.equal(null);
    // On a busy machine the start of its thread alone may take so long.
    expect(await next).to.satisfy(
      (answer: unknown) => answer === null || (Array.isArray(answer) && answer.length === 1),
    );
    await threads.close();
    open();
    expect(await threads.ask('a', { ...FITS, value: '5' }, LONG_MS)).to.have.length(1);
  });

  it('know nothing of the schemas of another tenant: one key may stand for two', async () => {
    open();
    const verdicts = await Promise.all([
      threads.ask('a', { ...FITS, schema: 'false' }, LONG_MS),
      threads.ask('b', FITS, LONG_MS),
    ]);
    expect(verdicts.map((verdict) => (Array.isArray(verdict) ? verdict.length : verdict))).to.deep.equal([1, 0]);
    expect(await threads.ask('b', FITS, LONG_MS)).to.deep.equal([]);
  });

  it('answer null to a question beyond those that may wait', async () => {
    open({ waitingOfTenant: 1 });
    const [first, second] = [threads.ask('a', FITS, LONG_MS), threads.ask('a', FITS, LONG_MS)];
    expect(await threads.ask('a', FITS, LONG_MS)).to.equal(null);
    expect(await Promise.all([first, second])).to.deep.equal([[], []]);
  });

  it('answer null to a schema that does not compile, and to a value that is no JSON', async () => {
    open();
    expect(await threads.ask('a', { ...FITS, key: 'x', schema: '{"type":"strin"}' }, LONG_MS)).to.equal(null);
    expect(await threads.ask('a', { ...FITS, value: '{' }, LONG_MS)).to.equal(null);
    expect(await threads.ask('a', FITS, LONG_MS)).to.deep.equal([]);
  });

  it('answer what was asked before they are closed, and nothing after it', async () => {
    open();
    const requested = threads.ask('a', FITS, LONG_MS);
    await threads.close();
    expect([await now(requested), await threads.ask('a', FITS, LONG_MS)]).to.deep.equal([[], null]);
  });

  it('are given up for the tenant that asked longest ago, never while they work', async () => {
    const pools = fakePools();
    threads = schemaThreads(BOUNDS, pools.open);
    const a = threads.ask('a', FITS, LONG_MS);
    const b = threads.ask('b', FITS, LONG_MS);
    await now(a);
    pools.answer(1);
    await b;
    const c = threads.ask('c', FITS, LONG_MS);
    await now(c);
    expect(pools.alive()).to.deep.equal([true, false, true]);
    pools.answer(0);
    pools.answer(2);
    await Promise.all([a, c]);
  });
});

/**
 * Pools whose questions the test answers, the first of a pool at a time; pools by the order in which they were opened.
 */
function fakePools() {
  const pools: { alive: boolean; readonly waiting: (() => void)[] }[] = [];
  return {
    open: (): ThreadPool => {
      const pool = { alive: true, waiting: [] as (() => void)[] };
      pools.push(pool);
      return {
        threads: [],
        run: () =>
          new Promise((resolve) => {
            pool.waiting.push(() => resolve([]));
          }),
        destroy: async () => {
          pool.alive = false;
        },
      };
    },
    answer: (pool: number): void => pools[pool]?.waiting.shift()?.(),
    alive: (): readonly boolean[] => pools.map(({ alive }) => alive),
  };
}
