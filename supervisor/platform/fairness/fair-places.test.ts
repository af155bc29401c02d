import { expect } from 'chai';
import { makeFairSlots, type Admission } from './fair-places.ts';

const SHARE = { weight: 1, atOnce: 9, waiting: 9 };
const FOR_A = { tenant: 'a', share: SHARE };

/** What was answered by now; null while it waits. */
async function answered(requested: Promise<Admission>): Promise<Admission['outcome'] | null> {
  const now = await Promise.race([
    requested,
    new Promise<null>((resolve) => {
      setImmediate(resolve, null);
    }),
  ]);
  return now?.outcome ?? null;
}

describe('places for tenants (gateway.md §18)', () => {
  it('are given while there are any, and to the next when one is given back, once', async () => {
    const places = makeFairSlots({ atOnce: 1, waiting: 9 });
    const first = await places.take(FOR_A);
    const [second, third] = [places.take(FOR_A), places.take(FOR_A)];
    expect([await answered(second), places.counts()]).to.deep.equal([null, { waiting: 2, holding: 1 }]);
    if (first.outcome !== 'begins') throw new Error('the first place is free');
    first.end();
    first.end();
    expect([await answered(second), await answered(third)]).to.deep.equal(['begins', null]);
  });

  it('are no longer waited for when the signal is raised', async () => {
    const places = makeFairSlots({ atOnce: 1, waiting: 9 });
    const first = await places.take(FOR_A);
    const leaving = new AbortController();
    const [second, third] = [places.take({ ...FOR_A, signal: leaving.signal }), places.take(FOR_A)];
    leaving.abort();
    expect([await answered(second), await answered(third)]).to.deep.equal(['gone', null]);
    if (first.outcome === 'begins') first.end();
    expect(await answered(third)).to.equal('begins');
    expect(await answered(places.take({ ...FOR_A, signal: AbortSignal.abort() }))).to.equal('gone');
    expect(places.counts()).to.deep.equal({ waiting: 0, holding: 1 });
  });

  it('and a signal that is raised later takes nothing back', async () => {
    const places = makeFairSlots({ atOnce: 1, waiting: 9 });
    const controller = new AbortController();
    await places.take({ ...FOR_A, signal: controller.signal });
    controller.abort();
    expect(places.counts()).to.deep.equal({ waiting: 0, holding: 1 });
  });

  it('are refused with a time, by a clock that is told', async () => {
    let now = 0;
    const places = makeFairSlots({ atOnce: 1, waiting: 0 }, () => now);
    await places.take(FOR_A);
    now = 5000;
    expect(await places.take(FOR_A)).to.deep.equal({ outcome: 'refused', reason: 'queue_full', retryAfterMs: 5000 });
  });

  it('drain when the last was given back; who waits and who comes is told', async () => {
    const places = makeFairSlots({ atOnce: 1, waiting: 9 });
    const first = await places.take(FOR_A);
    const second = places.take(FOR_A);
    const drained = places.drain().then(() => 'drained');
    const again = places.drain().then(() => 'drained');
    expect(await second).to.include({ outcome: 'refused', reason: 'draining' });
    expect(await places.take(FOR_A)).to.include({ outcome: 'refused', reason: 'draining' });
    expect(await Promise.race([drained, Promise.resolve('waits')])).to.equal('waits');
    if (first.outcome === 'begins') first.end();
    expect([await drained, await again]).to.deep.equal(['drained', 'drained']);
    await places.drain();
  });
});
