import { expect } from 'chai';
import sinon from 'sinon';
import { takeTurns } from './turns.ts';
import type { Turn, Turns, Work } from './turns.ts';

describe('turns', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers();
  });
  afterEach(() => clock.restore());

  /** Asks for a turn for each name, and keeps those that have begun. */
  function asked(turns: Turns, names: readonly string[], work: Work = 'next'): Map<string, Turn> {
    const begun = new Map<string, Turn>();
    for (const name of names) void turns.take(work, 1000).then((turn) => begun.set(name, turn));
    return begun;
  }

  const pass = (milliseconds: number): Promise<unknown> => clock.tickAsync(milliseconds);

  it('begin in order, so many at a time, and the next when one ends', async () => {
    const turns = takeTurns(2);
    const begun = asked(turns, ['a', 'b', 'c', 'd']);
    expect(turns.waiting('next')).to.equal(4);
    await pass(5);
    expect([...begun.keys()]).to.deep.equal(['a', 'b']);
    expect(turns.waiting('next')).to.equal(2);
    begun.get('b')?.end();
    await pass(5);
    expect([...begun.keys()]).to.deep.equal(['a', 'b', 'c']);
  });

  it('go to what was begun before what is new, but for one of eight', async () => {
    const turns = takeTurns(1);
    const order: string[] = [];
    const work = async (name: string, kind: Work): Promise<void> => {
      const turn = await turns.take(kind, 1000);
      order.push(name);
      turn.end();
    };
    const all = ['A', 'B'].map((name) => work(name, 'new')).concat(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => work(name, 'next')));
    await pass(20);
    await Promise.all(all);
    expect(order.join('')).to.equal('abcdefgAhB');
  });

  it('end once, however often it is told', async () => {
    const begun = asked(takeTurns(1), ['a', 'b', 'c']);
    await pass(5);
    begun.get('a')?.end();
    begun.get('a')?.end();
    await pass(5);
    expect([...begun.keys()]).to.deep.equal(['a', 'b']);
  });

  it('go on with other work, counted for as long as that may last, and not after their end', async () => {
    const turns = takeTurns(1);
    const begun = asked(turns, ['a', 'b', 'c']);
    await pass(600);
    begun.get('a')?.goOn(500);
    await pass(490);
    expect([...begun.keys()]).to.deep.equal(['a']);
    await pass(20);
    expect([...begun.keys()]).to.deep.equal(['a', 'b']);
    begun.get('b')?.end();
    begun.get('b')?.goOn(5000);
    await pass(5);
    expect([...begun.keys()]).to.deep.equal(['a', 'b', 'c']);
  });

  it('that last too long let the next one begin, and never two for one', async () => {
    const begun = asked(takeTurns(1), ['a', 'b', 'c']);
    await pass(990);
    expect([...begun.keys()]).to.deep.equal(['a']);
    await pass(20);
    begun.get('a')?.end();
    await pass(20);
    expect([...begun.keys()]).to.deep.equal(['a', 'b']);
  });

  it('are not waited for any longer than the work has patience, which is then not counted', async () => {
    const turns = takeTurns(1);
    const begun = asked(turns, ['a']);
    await pass(5);
    const [gone, raised, kept] = [new AbortController(), new AbortController(), new AbortController()];
    gone.abort();
    const impatient = [gone, raised, kept].map(({ signal }) => turns.take('next', 1000, { waitMs: 100, signal }));
    const later = asked(turns, ['b', 'c']);
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
    begun.get('a')?.end();
    await pass(5);
    expect([...later.keys()]).to.deep.equal(['b']);
  });

  it('are another\'s while one waits, which then goes on at once and is counted again', async () => {
    const turns = takeTurns(1);
    const begun = asked(turns, ['a', 'b']);
    await pass(5);
    const answer = Promise.withResolvers<number>();
    const waited = begun.get('a')?.without(() => answer.promise);
    await pass(5);
    expect([...begun.keys()]).to.deep.equal(['a', 'b']);
    answer.resolve(7);
    expect(await waited).to.equal(7);
    const later = asked(turns, ['c']);
    begun.get('b')?.end();
    await pass(5);
    expect(later.size).to.equal(0);
    begun.get('a')?.end();
    await pass(5);
    expect(later.size).to.equal(1);
  });

  it('are counted once after several parts of them waited', async () => {
    const turns = takeTurns(1);
    const begun = asked(turns, ['a']);
    await pass(5);
    const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const turn = begun.get('a');
    const waits = answers.map(async ({ promise }) => turn?.without(() => promise));
    for (const { resolve } of answers) resolve();
    await Promise.all(waits);
    begun.get('a')?.end();
    const later = asked(turns, ['b', 'c']);
    await pass(5);
    expect([...later.keys()]).to.deep.equal(['b']);
    await pass(1000);
    expect([...later.keys()]).to.deep.equal(['b', 'c']);
  });

  it('that ended while they waited stay ended, and a wait may fail', async () => {
    const turns = takeTurns(1);
    const begun = asked(turns, ['a']);
    await pass(5);
    const answer = Promise.withResolvers<number>();
    const waited = begun.get('a')?.without(() => answer.promise).catch((error: unknown) => error);
    begun.get('a')?.end();
    answer.reject(new Error('gone'));
    expect(await waited).to.be.instanceOf(Error);
    const later = asked(turns, ['b', 'c']);
    await pass(5);
    expect([...later.keys()]).to.deep.equal(['b']);
  });
});
