import { expect } from 'chai';
import { openFairQueue, stepFairQueue, type FairQueueEvent, type Share, type QueueTicket } from './fair-queue.ts';

/** What is to happen at a time of the virtual clock. */
interface Planned {
  readonly at: number;
  readonly happens: () => void;
}

interface Simulated {
  /** Of each tenant: how long each of its runs waited, milliseconds. */
  readonly waited: ReadonlyMap<string, readonly number[]>;
  /** Milliseconds for which places were held, up to the end. */
  readonly running: ReadonlyMap<string, number>;
}

/** Plays requests of many tenants against so many places; a run holds its place for so long. */
function simulate({
  places,
  queue,
  requests,
  untilMs,
}: {
  readonly places: number;
  readonly queue: number;
  readonly requests: readonly {
    readonly at: number;
    readonly tenant: string;
    readonly share: Share;
    readonly runMs: number;
  }[];
  readonly untilMs: number;
}): Simulated {
  let state = openFairQueue({ atOnce: places, waiting: queue });
  const [waited, acquired] = [new Map<string, number[]>(), new Map<string, number>()];
  const known = new Map<QueueTicket, { readonly tenant: string; readonly since: number; readonly runMs: number }>();
  // Times of the simulation are whole: one list for each.
  const plan = new Map<number, (() => void)[]>();
  const at = ({ at: time, happens }: Planned): void =>
    void (plan.get(time)?.push(happens) ?? plan.set(time, [happens]));
  let now = 0;
  const step = (event: FairQueueEvent): void => {
    const stepped = stepFairQueue(state, event);
    ({ state } = stepped);
    for (const { ticket, answer } of stepped.answers) {
      const requested = known.get(ticket);
      if (answer.outcome !== 'begins' || requested === undefined) continue;
      waited.set(requested.tenant, [...(waited.get(requested.tenant) ?? []), now - requested.since]);
      acquired.set(requested.tenant, (acquired.get(requested.tenant) ?? 0) + Math.min(requested.runMs, untilMs - now));
      at({ at: now + requested.runMs, happens: () => step({ event: 'over', ticket, now }) });
    }
  };
  requests.forEach(({ tenant, share, runMs, at: time }, ticket) =>
    at({
      at: time,
      happens: () => {
        known.set(ticket, { tenant, since: time, runMs });
        step({ event: 'request', ticket, tenant, share, now });
      },
    }),
  );
  for (now = 0; now < untilMs; now += 1) for (const happens of plan.get(now) ?? []) happens();
  return { waited, running: acquired };
}

const RUN_MS = 100;
const PLACES = 4;

describe('a crowd of tenants, by a virtual clock (gateway.md §18, §21)', () => {
  it('that 99 others wait for nothing: a lone run starts within twice its share of a run, however one floods', () => {
    const share = { weight: 1, atOnce: PLACES, waiting: 10_000 };
    const flood = Array.from({ length: 10_000 }, () => ({ at: 0, tenant: 'flood', share, runMs: RUN_MS }));
    const lone = Array.from({ length: 99 }, (_, index) => ({
      at: 150 + index * 90,
      tenant: `t${index}`,
      share,
      runMs: RUN_MS,
    }));
    const { waited } = simulate({ places: PLACES, queue: 20_000, requests: [...flood, ...lone], untilMs: 10_000 });
    const starts = lone.map(({ tenant }) => waited.get(tenant)?.[0] ?? Infinity);
    // Nothing is interrupted: a place comes free within one run, at the latest; by the mean in one run for each place.
    expect(Math.max(...starts)).to.be.at.most(RUN_MS);
    expect(starts.reduce((sum, each) => sum + each, 0) / starts.length).to.be.at.most((2 * RUN_MS) / PLACES);
  }).timeout(60_000);

  it('of 1,000 that all want more than there is: places by weight, within a tenth or one run', () => {
    const runMs = 10;
    const weightOf = (index: number): number => [1, 2, 4][index % 3] ?? 1;
    const busy = { at: 0, tenant: 'before', share: { weight: 1, atOnce: 32, waiting: 0 }, runMs };
    const requests = Array.from({ length: 1000 }, (_, index) => {
      const share = { weight: weightOf(index), atOnce: PLACES, waiting: 100 };
      return Array.from({ length: 8 * weightOf(index) }, () => ({ at: 0, tenant: `t${index}`, share, runMs }));
    }).flat();
    // All places are taken when they come, so that none is lent before all of them are there.
    const { running } = simulate({
      places: 32,
      queue: 100_000,
      requests: [...Array.from({ length: 32 }, () => busy), ...requests],
      untilMs: 1510,
    });
    const total = [...running.values()].reduce((sum, each) => sum + each, 0) - 32 * runMs;
    const weights = Array.from({ length: 1000 }, (_, index) => weightOf(index)).reduce((sum, each) => sum + each, 0);
    for (let index = 0; index < 1000; index += 1) {
      const due = (total * weightOf(index)) / weights;
      expect(Math.abs((running.get(`t${index}`) ?? 0) - due), `t${index}`).to.be.at.most(Math.max(due / 10, runMs));
    }
  }).timeout(120_000);
});
