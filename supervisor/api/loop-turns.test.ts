import { expect } from 'chai';
import { loopTurns } from './loop-turns.ts';

const oneTurn = (): Promise<void> => new Promise((resolve) => { setImmediate(resolve); });

describe('turns of the event loop', () => {
  it('are given one at a time, in the order of the calls', async () => {
    const turn = loopTurns();
    const begun: string[] = [];
    const all = Promise.all(['a', 'b', 'c'].map((name) => turn().then(() => begun.push(name))));
    expect(begun).to.deep.equal([]);
    const seen: string[] = [];
    while (begun.length < 3) {
      await oneTurn();
      seen.push(begun.join(''));
    }
    await all;
    expect(begun).to.deep.equal(['a', 'b', 'c']);
    expect(seen).to.include.members(['a', 'ab', 'abc']);
  });

  it('are given again after all of them were', async () => {
    const turn = loopTurns();
    await turn();
    await Promise.all([turn(), turn()]);
    await turn();
  });
});
