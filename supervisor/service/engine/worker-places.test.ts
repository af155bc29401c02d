import { expect } from 'chai';
import { WorkerPlaces } from './worker-places.ts';

const NEVER = new AbortController().signal;

describe('places of a worker (approvals.md §9)', () => {
  it('are as many as it has slots, each given back once', () => {
    const places = new WorkerPlaces(2);
    const [first, second] = [places.tryTake(), places.tryTake()];
    expect([first, second]).to.not.include(null);
    expect(places.tryTake()).to.equal(null);
    first?.end();
    first?.end();
    expect(places.tryTake()).to.not.equal(null);
    expect(places.tryTake()).to.equal(null);
  });

  it('go to runs that come back, in the order of their coming, before any that is new', async () => {
    const places = new WorkerPlaces(1);
    const acquired = places.tryTake();
    const reported: number[] = [];
    const back = [1, 2].map(async (number) => {
      const place = await places.regain(NEVER);
      reported.push(number);
      return place;
    });
    acquired?.end();
    expect(places.tryTake()).to.equal(null);
    const first = await back[0];
    expect(reported).to.deep.equal([1]);
    if (first?.outcome === 'begins') first.end();
    await back[1];
    expect([reported, places.tryTake()]).to.deep.equal([[1, 2], null]);
  });

  it('go to nobody who is gone', async () => {
    const places = new WorkerPlaces(1);
    const acquired = places.tryTake();
    const closed = new AbortController();
    const [first, second] = [places.regain(closed.signal), places.regain(NEVER)];
    closed.abort();
    expect(await first).to.deep.equal({ outcome: 'gone' });
    expect(await places.regain(closed.signal)).to.deep.equal({ outcome: 'gone' });
    acquired?.end();
    expect(await second).to.include({ outcome: 'begins' });
  });

  it('keep those that wait in their row when one leaves that was given a place at that moment', async () => {
    const places = new WorkerPlaces(1);
    const acquired = places.tryTake();
    const closed = new AbortController();
    const [first, second] = [places.regain(closed.signal), places.regain(NEVER)];
    acquired?.end();
    closed.abort();
    const input = await first;
    if (input.outcome === 'begins') input.end();
    expect(await second).to.include({ outcome: 'begins' });
  });
});
