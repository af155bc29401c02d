import { expect } from 'chai';
import { EVENT_BOUNDS, boundedEvents, type BoundedEvents } from './bounded-events.ts';

async function all<T>(events: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const event of events) found.push(event);
  return found;
}

/** Pushes so many events of progress, each of so many bytes, between a first and a last word. */
function filled(events: BoundedEvents<string>, count: number, bytes: number): void {
  events.push('first', 1, false);
  for (let n = 0; n < count; n += 1) events.push(String(n), bytes, true);
  events.push('last', 1, false);
  events.end();
}

describe('events on their way to one consumer (gateway.md §16)', () => {
  const BOUNDS: readonly (readonly [what: string, count: number, bytes: number, dropped: number])[] = [
    ['all but one of 256', 253, 1, 0],
    ['256', 254, 1, 0],
    ['one more', 255, 1, 1],
    ['a thousand more', 1254, 1, 1000],
    ['1 MiB', 2, (EVENT_BOUNDS.bytes - 2) / 2, 0],
    ['a byte more than 1 MiB', 2, (EVENT_BOUNDS.bytes - 2) / 2 + 0.5, 1],
  ];
  for (const [what, count, bytes, dropped] of BOUNDS) {
    it(`${what}: ${dropped} are dropped, the oldest of progress`, async () => {
      const events = boundedEvents<string>();
      filled(events, count, bytes);
      expect(events.dropped()).to.equal(dropped);
      const stored = Array.from({ length: count - dropped }, (_, index) => String(index + dropped));
      expect(await all(events)).to.deep.equal(['first', ...stored, 'last']);
    });
  }

  it('wait for who comes late, and are given once, whoever asks', async () => {
    const events = boundedEvents<string>();
    const [one, two] = [all(events), all(events)];
    filled(events, 2, 1);
    expect([...(await one), ...(await two)].toSorted()).to.deep.equal(['0', '1', 'first', 'last']);
    expect(await all(events)).to.deep.equal([]);
  });

  it('are none after the end', async () => {
    const events = boundedEvents<string>();
    events.end();
    events.push('late', 1, false);
    expect(await all(events)).to.deep.equal([]);
  });
});
