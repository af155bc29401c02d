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
    const held = places.tryTake();
    const told: number[] = [];
    const back = [1, 2].map(async (number) => {
      const place = await places.regain(NEVER);
      told.push(number);
      return place;
    });
    held?.end();
    expect(places.tryTake()).to.equal(null);
    const first = await back[0];
    expect(told).to.deep.equal([1]);
    if (first?.outcome === 'begins') first.end();
    await back[1];
    expect([told, places.tryTake()]).to.deep.equal([[1, 2], null]);
  });

  it('go to nobody who is gone', async () => {
    const places = new WorkerPlaces(1);
    const held = places.tryTake();
    const gone = new AbortController();
    const [first, second] = [places.regain(gone.signal), places.regain(NEVER)];
    gone.abort();
    expect(await first).to.deep.equal({ outcome: 'gone' });
    expect(await places.regain(gone.signal)).to.deep.equal({ outcome: 'gone' });
    held?.end();
    expect(await second).to.include({ outcome: 'begins' });
  });

  it('keep those that wait in their row when one leaves that was given a place at that moment', async () => {
    const places = new WorkerPlaces(1);
    const held = places.tryTake();
    const gone = new AbortController();
    const [first, second] = [places.regain(gone.signal), places.regain(NEVER)];
    held?.end();
    gone.abort();
    const given = await first;
    if (given.outcome === 'begins') given.end();
    expect(await second).to.include({ outcome: 'begins' });
  });
});
