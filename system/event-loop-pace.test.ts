import { expect } from 'chai';
import { doPaced } from '../contract/json/paced.ts';
import type { Sliced } from '../contract/json/sliced.ts';
import { EVENT_LOOP_PACE } from './event-loop-pace.ts';

describe('long work of one process', () => {
  it('has each turn of the event loop for one piece of it, in the order of asking', async () => {
    const order: string[] = [];
    const work = (name: string, slices: number): Sliced<string> => {
      let left = slices;
      return {
        advance: () => {
          order.push(name);
          left -= 1;
          return left === 0 ? { result: name } : null;
        },
      };
    };
    const both = Promise.all([doPaced(work('a', 3), EVENT_LOOP_PACE), doPaced(work('b', 3), EVENT_LOOP_PACE)]);
    expect(order).to.deep.equal(['a', 'b']);
    let turns = 0;
    const count = (): void => {
      order.push('|');
      turns += 1;
      if (turns < 4) setImmediate(count);
    };
    setImmediate(count);
    expect(await both).to.deep.equal(['a', 'b']);
    expect(order.join('')).to.equal('aba|b|a|b');
  });
});
