import { expect } from 'chai';
import type { CallPlace, Entered } from '../source/call-admission.ts';
import { providerAdmission, type ProviderAdmission } from './provider-admission.ts';

const NEVER = new AbortController().signal;

async function placeOf(entering: Promise<Entered>): Promise<CallPlace> {
  const entered = await entering;
  if (entered.outcome !== 'entered') throw new Error(`no place: ${entered.outcome}`);
  return entered;
}

/** What was answered by now; null while it waits. */
async function answered(entering: Promise<Entered>): Promise<Entered['outcome'] | null> {
  const now = await Promise.race([
    entering,
    new Promise<null>((resolve) => {
      setImmediate(resolve, null);
    }),
  ]);
  return now?.outcome ?? null;
}

describe('the gate of live provider calls (providers.md §14)', () => {
  const gate = (active: number, waiting: number): ProviderAdmission =>
    providerAdmission({ active, waiting }, { now: () => 0 });

  it('lets so many in, so many wait, and tells one more at once', async () => {
    const admission = gate(1, 1);
    const place = await placeOf(admission.enter('a', NEVER));
    const second = admission.enter('a', NEVER);
    expect(await admission.enter('a', NEVER)).to.deep.equal({ outcome: 'capacity_exhausted' });
    expect(admission.counts()).to.deep.equal({ capacity: 1, active: 1, waiting: 1, fenced: 0 });
    place.leave();
    place.leave();
    expect(await answered(second)).to.equal('entered');
    expect(admission.counts()).to.include({ active: 1, waiting: 0 });
  });

  it('lets nobody wait where none may', async () => {
    const admission = gate(1, 0);
    const place = await placeOf(admission.enter('a', NEVER));
    expect(await admission.enter('b', NEVER)).to.deep.equal({ outcome: 'capacity_exhausted' });
    place.leave();
    await placeOf(admission.enter('b', NEVER));
  });

  it('goes round between lanes, and keeps the order of one', async () => {
    const admission = gate(1, 9);
    const first = await placeOf(admission.enter('a', NEVER));
    const order: string[] = [];
    const all = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map(async (name) => {
      const place = await placeOf(admission.enter(name.charAt(0), NEVER));
      order.push(name);
      place.leave();
    });
    first.leave();
    await Promise.all(all);
    expect(order.filter((name) => name.startsWith('a'))).to.deep.equal(['a1', 'a2', 'a3']);
    // One each before anybody has a second.
    expect(order.slice(0, 3)).to.deep.equal(['a1', 'b1', 'c1']);
    expect(order.slice(3, 5).toSorted()).to.deep.equal(['a2', 'b2']);
  });

  it('keeps the rest for those that wait where a lane goes beyond its share', async () => {
    const admission = gate(4, 100);
    const callPlaces = await Promise.all(
      Array.from({ length: 4 }, async () => placeOf(admission.enter('greedy', NEVER))),
    );
    const more = Array.from({ length: 10 }, () => admission.enter('greedy', NEVER));
    const modest = [admission.enter('modest', NEVER), admission.enter('modest', NEVER)];
    callPlaces.slice(0, 2).forEach((place) => place.leave());
    expect(await Promise.all(modest.map(answered))).to.deep.equal(['entered', 'entered']);
    expect(await Promise.all(more.map(answered))).to.deep.equal(more.map(() => null));
  });

  it('is left by who waits no longer, before any grant', async () => {
    const admission = gate(1, 9);
    const place = await placeOf(admission.enter('a', NEVER));
    const leaving = new AbortController();
    const [second, third] = [admission.enter('a', leaving.signal), admission.enter('a', NEVER)];
    // Both happen before anybody hears of either: the end of the wait wins.
    place.leave();
    leaving.abort();
    expect([await second, await answered(third)]).to.deep.equal([{ outcome: 'gone' }, 'entered']);
    expect(await admission.enter('a', AbortSignal.abort())).to.deep.equal({ outcome: 'gone' });
  });

  it('fences the lane of a call that nobody saw end, and keeps its place', async () => {
    const admission = gate(2, 9);
    const lost = await placeOf(admission.enter('a', NEVER));
    const other = await placeOf(admission.enter('b', NEVER));
    const waiting = admission.enter('a', NEVER);
    lost.lose();
    lost.leave();
    expect([admission.serves('a'), admission.serves('b')]).to.deep.equal([false, true]);
    expect(await admission.enter('a', NEVER)).to.deep.equal({ outcome: 'admission_unavailable' });
    expect(admission.counts()).to.deep.equal({ capacity: 2, active: 2, waiting: 1, fenced: 1 });
    other.leave();
    expect(await waiting).to.deep.equal({ outcome: 'admission_unavailable' });
    // The other lane goes on with what is left.
    const next = await placeOf(admission.enter('b', NEVER));
    expect(await answered(admission.enter('b', NEVER))).to.equal(null);
    next.leave();
  });

  it('drains when the last call that can end has ended', async () => {
    const admission = gate(2, 9);
    (await placeOf(admission.enter('a', NEVER))).lose();
    const place = await placeOf(admission.enter('b', NEVER));
    const waiting = admission.enter('b', NEVER);
    const drained = admission.drain().then(() => 'drained');
    expect(await waiting).to.deep.equal({ outcome: 'admission_unavailable' });
    expect(await admission.enter('c', NEVER)).to.deep.equal({ outcome: 'admission_unavailable' });
    expect(admission.serves('c')).to.equal(false);
    place.lose();
    expect(await drained).to.equal('drained');
  });

  it('refuses bounds that let nobody in', () => {
    for (const bounds of [
      { active: 0, waiting: 1 },
      { active: 1, waiting: -1 },
      { active: 1.5, waiting: 0 },
    ])
      expect(() => providerAdmission(bounds)).to.throw(TypeError);
  });

  for (const [active, waiting] of [
    [1, 1000],
    [4, 1000],
    [8, 20],
    [3, 0],
  ] as const) {
    it(`holds all of this over a thousand calls that end, give up and are lost at random: ${String(active)} at once, ${String(waiting)} waiting`, async () => {
      const admission = gate(active, waiting);
      const next = randomNumbers(4711 + active);
      const pick = <T>(of: readonly T[]): T => {
        const picked = of[next(of.length)];
        if (picked === undefined) throw new Error('there is one to pick');
        return picked;
      };
      const order = new Map<string, number[]>();
      let inside = 0;
      let most = 0;
      let losses = 0;
      const turns = async (count: number): Promise<void> => {
        for (let at = 0; at < count; at += 1) await Promise.resolve();
      };
      const outcomes = await Promise.all(
        Array.from({ length: 1000 }, async (_, number) => {
          const lane = pick(['a', 'b', 'c', 'd']);
          const end = pick(['leave', 'leave', 'leave', 'gone', 'lose']);
          const length = next(6);
          const leaving = new AbortController();
          const entering = admission.enter(lane, leaving.signal).then((entered) => {
            if (entered.outcome !== 'entered') return entered;
            order.set(lane, [...(order.get(lane) ?? []), number]);
            inside += 1;
            most = Math.max(most, inside);
            return entered;
          });
          if (end === 'gone') {
            await turns(length);
            leaving.abort();
          }
          const place = await entering;
          if (place.outcome !== 'entered') return place.outcome;
          await turns(length);
          // At least one place is left for the others.
          if (end === 'lose' && losses < active - 1) {
            losses += 1;
            place.lose();
            return 'lost';
          }
          inside -= 1;
          place.leave();
          return 'left';
        }),
      );
      expect(most).to.be.at.most(active);
      for (const numbers of order.values())
        expect(numbers).to.deep.equal(numbers.toSorted((left, right) => left - right));
      expect(admission.counts()).to.deep.include({ capacity: active, active: losses, waiting: 0 });
      expect(outcomes.includes('capacity_exhausted')).to.equal(waiting < 1000);
      expect(outcomes).to.include('left').and.to.have.length(1000);
      if (waiting > 0) expect(outcomes).to.include('gone');
      await admission.drain();
    });
  }
});

/** The same numbers at every run, each below its bound. */
function randomNumbers(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}
