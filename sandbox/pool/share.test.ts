import { expect } from 'chai';
import { mayHaveHost, mayHaveMore } from './share.ts';

describe('what a tenant may have of what all share', () => {
  /** How many of `max` tenants take that ask in turn for as long as any may have more. */
  function takeShares(max: number, tenants: number): readonly number[] {
    const own = Array.from({ length: tenants }, () => 0);
    for (let isTaking = true; isTaking;) {
      isTaking = false;
      for (const [index, has] of own.entries()) {
        if (!mayHaveMore({ max, used: own.reduce((sum, each) => sum + each, 0), own: has })) continue;
        own[index] = has + 1;
        isTaking = true;
      }
    }
    return own;
  }

  it('is two thirds while it is alone, so that one that comes later finds some', () => {
    expect([2, 3, 4, 12, 64].map((max) => takeShares(max, 1))).to.deep.equal([[1], [2], [3], [8], [43]]);
  });

  it('is less the more of them there are, and all have as much, but for one', () => {
    expect(takeShares(60, 2)).to.deep.equal([24, 24]);
    expect(takeShares(60, 3)).to.deep.equal([18, 17, 17]);
  });

  it('is one at least while there is any', () => {
    expect(mayHaveMore({ max: 8, used: 7, own: 0 })).to.equal(true);
    expect(mayHaveMore({ max: 8, used: 8, own: 0 })).to.equal(false);
    expect(mayHaveMore({ max: 8, used: 9, own: 0 })).to.equal(false);
  });
});

describe('host processes for tenants', () => {
  const NONE = { max: 4, used: 0, workflows: 0, own: 0, isAlone: false };

  it('are all for whoever shares them with nobody', () => {
    expect(mayHaveHost({ ...NONE, used: 3, own: 3, isAlone: true }, 'mission')).to.equal(true);
    expect(mayHaveHost({ ...NONE, used: 3, own: 3 }, 'mission')).to.equal(false);
    expect(mayHaveHost({ ...NONE, used: 4, own: 4, isAlone: true }, 'mission')).to.equal(false);
  });

  it('hold workflows in half of them at most: a workflow waits for its missions, and no mission for a workflow', () => {
    expect([1, 2].map((workflows) => mayHaveHost({ ...NONE, used: workflows, workflows }, 'workflow'))).to.deep.equal([
      true,
      false,
    ]);
    expect(mayHaveHost({ ...NONE, used: 2, workflows: 2 }, 'mission')).to.equal(true);
    expect(mayHaveHost({ ...NONE, max: 3, used: 1, workflows: 1 }, 'workflow')).to.equal(false);
  });
});
