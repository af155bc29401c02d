import { expect } from 'chai';
import sinon from 'sinon';
import { takeTurns, type Patience, type Turn, type Turns } from './turns.ts';

describe('turns', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers();
  });
  afterEach(() => clock.restore());

  /** Asks for a turn for each name, and keeps those that have begun. */
  function requestTurn(turns: Turns, names: readonly string[], work: 'next' | 'new' = 'next'): Map<string, Turn> {
    const started = new Map<string, Turn>();
    for (const name of names) void turns.take(work, 1000).then((turn) => started.set(name, turn));
    return started;
  }

  const pass = (milliseconds: number): Promise<unknown> => clock.tickAsync(milliseconds);

  it('begin in order, so many at a time, and the next when one ends', async () => {
    const turns = takeTurns({ slots: 2, computing: Infinity, processors: 2 });
    const started = requestTurn(turns, ['a', 'b', 'c', 'd']);
    expect(turns.waiting('next')).to.equal(4);
    await pass(5);
    expect([...started.keys()]).to.deep.equal(['a', 'b']);
    expect(turns.waiting('next')).to.equal(2);
    started.get('b')?.end();
    await pass(5);
    expect([...started.keys()]).to.deep.equal(['a', 'b', 'c']);
  });

  it('go to what was begun before what is new, but for one of eight', async () => {
    const turns = takeTurns({ slots: 1, computing: Infinity, processors: 1 });
    const order: string[] = [];
    const work = async (name: string, kind: 'next' | 'new'): Promise<void> => {
      const turn = await turns.take(kind, 1000);
      order.push(name);
      turn.end();
    };
    const all = ['A', 'B']
      .map((name) => work(name, 'new'))
      .concat(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => work(name, 'next')));
    await pass(20);
    await Promise.all(all);
    expect(order.join('')).to.equal('abcdefgAhB');
  });

  it('end once, however often it is told', async () => {
    const started = requestTurn(takeTurns({ slots: 1, computing: Infinity, processors: 1 }), ['a', 'b', 'c']);
    await pass(5);
    started.get('a')?.end();
    started.get('a')?.end();
    await pass(5);
    expect([...started.keys()]).to.deep.equal(['a', 'b']);
  });

  it('go on with other work, counted for as long as that may last, and not after their end', async () => {
    const turns = takeTurns({ slots: 1, computing: Infinity, processors: 1 });
    const started = requestTurn(turns, ['a', 'b', 'c']);
    await pass(600);
    started.get('a')?.goOn(500);
    await pass(490);
    expect([...started.keys()]).to.deep.equal(['a']);
    await pass(20);
    expect([...started.keys()]).to.deep.equal(['a', 'b']);
    started.get('b')?.end();
    started.get('b')?.goOn(5000);
    await pass(5);
    expect([...started.keys()]).to.deep.equal(['a', 'b', 'c']);
  });

  it('that last too long let the next one begin, and never two for one', async () => {
    const started = requestTurn(takeTurns({ slots: 1, computing: Infinity, processors: 1 }), ['a', 'b', 'c']);
    await pass(990);
    expect([...started.keys()]).to.deep.equal(['a']);
    await pass(20);
    started.get('a')?.end();
    await pass(20);
    expect([...started.keys()]).to.deep.equal(['a', 'b']);
  });

  it('are not forgotten while they wait when one ends that lasted too long for those before them', async () => {
    const turns = takeTurns({ slots: 1, computing: Infinity, processors: 1 });
    const long = requestTurn(turns, ['a'], 'new');
    await pass(1100);
    const next = requestTurn(turns, ['b', 'c'], 'new');
    long.get('a')?.end();
    await pass(5);
    expect([...next.keys()]).to.deep.equal(['b']);
    next.get('b')?.end();
    await pass(5);
    expect([...next.keys()]).to.deep.equal(['b', 'c']);
  });

  it('are not waited for any longer than the work has patience, which is then not counted', async () => {
    const turns = takeTurns({ slots: 1, computing: Infinity, processors: 1 });
    const started = requestTurn(turns, ['a']);
    await pass(5);
    const [closed, raised, stored] = [new AbortController(), new AbortController(), new AbortController()];
    closed.abort();
    const impatient = [closed, raised, stored].map(({ signal }) =>
      turns.take('next', 1000, { tenant: null, waitMs: 100, lastMs: 100, signal }),
    );
    const later = requestTurn(turns, ['b', 'c']);
    const settled = new Set<number>();
    impatient.forEach((turn, index) => void turn.then(() => settled.add(index)));
    await pass(99);
    expect([...settled]).to.deep.equal([0]);
    raised.abort();
    await pass(0);
    expect([...settled]).to.deep.equal([0, 1]);
    await pass(1);
    expect([...settled]).to.deep.equal([0, 1, 2]);
    const [first] = await Promise.all(impatient);
    expect(await first?.without(async () => 7)).to.equal(7);
    first?.end();
    await pass(5);
    expect(later.size).to.equal(0);
    expect(turns.waiting('next')).to.equal(2);
    started.get('a')?.end();
    await pass(5);
    expect([...later.keys()]).to.deep.equal(['b']);
  });

  it("are another's while one waits, which then goes on at once and is counted again", async () => {
    const turns = takeTurns({ slots: 1, computing: Infinity, processors: 1 });
    const started = requestTurn(turns, ['a', 'b']);
    await pass(5);
    const answer = Promise.withResolvers<number>();
    const waited = started.get('a')?.without(() => answer.promise);
    await pass(5);
    expect([...started.keys()]).to.deep.equal(['a', 'b']);
    answer.resolve(7);
    expect(await waited).to.equal(7);
    const later = requestTurn(turns, ['c']);
    started.get('b')?.end();
    await pass(5);
    expect(later.size).to.equal(0);
    started.get('a')?.end();
    await pass(5);
    expect(later.size).to.equal(1);
  });

  it('are counted once after several parts of them waited', async () => {
    const turns = takeTurns({ slots: 1, computing: Infinity, processors: 1 });
    const started = requestTurn(turns, ['a']);
    await pass(5);
    const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const turn = started.get('a');
    const waits = answers.map(async ({ promise }) => turn?.without(() => promise));
    for (const { resolve } of answers) resolve();
    await Promise.all(waits);
    started.get('a')?.end();
    const later = requestTurn(turns, ['b', 'c']);
    await pass(5);
    expect([...later.keys()]).to.deep.equal(['b']);
    await pass(1000);
    expect([...later.keys()]).to.deep.equal(['b', 'c']);
  });

  it('that ended while they waited stay ended, and a wait may fail', async () => {
    const turns = takeTurns({ slots: 1, computing: Infinity, processors: 1 });
    const started = requestTurn(turns, ['a']);
    await pass(5);
    const answer = Promise.withResolvers<number>();
    const waited = started
      .get('a')
      ?.without(() => answer.promise)
      .catch((error: unknown) => error);
    started.get('a')?.end();
    answer.reject(new Error('gone'));
    expect(await waited).to.be.instanceOf(Error);
    const later = requestTurn(turns, ['b', 'c']);
    await pass(5);
    expect([...later.keys()]).to.deep.equal(['b']);
  });
});

describe('turns of tenants', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers();
  });
  afterEach(() => clock.restore());
  const pass = (milliseconds: number): Promise<unknown> => clock.tickAsync(milliseconds);
  const names = (name: string, count: number): readonly string[] =>
    Array.from({ length: count }, (_, index) => `${name}${index + 1}`);

  /**
   * Asks for turns, of requests that compute for 50 ms before they are known as long ones, and keeps those that have
   * begun.
   */
  function requestTurn(
    turns: Turns,
    tenant: string | null,
    wanted: readonly string[],
    waits: Partial<Patience> = {},
    started = new Map<string, Turn>(),
  ): Map<string, Turn> {
    const patience = { waitMs: 1000, lastMs: 600_000, signal: undefined, ...waits };
    for (const name of wanted)
      void turns.take('next', 50, { tenant, ...patience }).then((turn) => started.set(name, turn));
    return started;
  }

  it('go to whose tenant used least, whoever asked first', async () => {
    const turns = takeTurns({ slots: 3, computing: Infinity, processors: 3 });
    const a = requestTurn(turns, 'a', names('a', 9));
    await pass(5);
    const b = requestTurn(turns, 'b', ['b1']);
    await pass(5);
    expect([[...a.keys()], [...b.keys()]]).to.deep.equal([['a1', 'a2'], ['b1']]);
    b.get('b1')?.end();
    a.get('a1')?.end();
    a.get('a2')?.end();
    const more = requestTurn(turns, 'b', ['b2', 'b3']);
    await pass(5);
    expect([[...a.keys()], [...more.keys()]]).to.deep.equal([
      ['a1', 'a2', 'a3'],
      ['b2', 'b3'],
    ]);
  });

  it('are all for who has nobody beside it', async () => {
    const turns = takeTurns({ slots: 3, computing: Infinity, processors: 3 });
    const all = requestTurn(turns, null, names('a', 9));
    await pass(5);
    expect(all.size).to.equal(3);
    await pass(2000);
    expect(all.size).to.equal(9);
  });

  it('that compute without an end are so many of one tenant, and later one more now and then', async () => {
    const turns = takeTurns({ slots: 4, computing: 4, processors: 4 });
    const endless = requestTurn(turns, 'a', names('a', 1000));
    await pass(900);
    expect(endless.size).to.equal(4);
    await pass(200);
    expect(endless.size).to.equal(5);
    await pass(20_000);
    expect(endless.size).to.be.within(6, 12);
    const b = requestTurn(turns, 'b', ['b1']);
    await pass(5);
    expect(b.size).to.equal(1);
  });

  it('go on to the next when one that was long ends, or waits', async () => {
    const turns = takeTurns({ slots: 4, computing: 2, processors: 4 });
    const started = requestTurn(turns, 'a', names('a', 4), { waitMs: 100_000 });
    await pass(100);
    expect([...started.keys()]).to.deep.equal(['a1', 'a2']);
    started.get('a1')?.end();
    await pass(100);
    expect([...started.keys()]).to.deep.equal(['a1', 'a2', 'a3']);
    const answer = Promise.withResolvers<void>();
    void started.get('a2')?.without(() => answer.promise);
    await pass(5);
    expect([...started.keys()]).to.deep.equal(['a1', 'a2', 'a3', 'a4']);
  });

  it('are not waited for beyond the last moment of the work', async () => {
    const turns = takeTurns({ slots: 1, computing: 1, processors: 1 });
    requestTurn(turns, 'a', ['a1']);
    await pass(100);
    const late = requestTurn(turns, 'a', ['a2'], { waitMs: 100, lastMs: 50 });
    await pass(49);
    expect(late.size).to.equal(0);
    await pass(1);
    expect(late.size).to.equal(1);
  });

  it('go on to compute only where a tenant may', async () => {
    const turns = takeTurns({ slots: 4, computing: 1, processors: 4 });
    const making = await Promise.all([
      turns.take('new', 1000, { tenant: 'a' }),
      turns.take('new', 1000, { tenant: 'a' }),
      pass(5),
    ]);
    expect(making[0].goOn(50)).to.equal(true);
    await pass(60);
    expect(making[1].goOn(50)).to.equal(false);
    expect((await turnOf(turns, 'b')).goOn(50)).to.equal(true);
  });

  it('that make something long are no long computation', async () => {
    const turns = takeTurns({ slots: 4, computing: 1, processors: 4 });
    await turnOf(turns, 'a');
    await pass(1500);
    const next = requestTurn(turns, 'a', ['a1']);
    await pass(5);
    expect(next.size).to.equal(1);
  });

  async function turnOf(turns: Turns, tenant: string): Promise<Turn> {
    const [turn] = await Promise.all([turns.take('new', 1000, { tenant }), pass(5)]);
    return turn;
  }
});
