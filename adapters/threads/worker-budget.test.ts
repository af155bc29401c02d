import { expect } from 'chai';
import { workerBudget, type BudgetedPool } from './worker-budget.ts';

class Pool implements BudgetedPool {
  isBusy = false;
  count: number;
  constructor(count: number) {
    this.count = count;
  }
  workers(): number {
    return this.count;
  }
  isIdle(): boolean {
    return !this.isBusy;
  }
  endIdle(): void {
    this.count = 0;
  }
}

describe('the workers of all tenants of a process', () => {
  const MOST = 4;
  for (const [last, left] of [
    [1, [2, 1]],
    [2, [2, 2]],
    [3, [0, 3]],
  ] as const) {
    it(`${2 + last} of at most ${MOST}: ${left.join(' and ')} are left`, () => {
      const budget = workerBudget(MOST);
      const [first, second] = [new Pool(2), new Pool(last)];
      for (const pool of [first, second]) budget.used(pool);
      expect([first.count, second.count]).to.deep.equal(left);
    });
  }

  it('end where they were used longest ago, and only as many as needed', () => {
    const budget = workerBudget(MOST);
    const [first, second, third] = [new Pool(2), new Pool(2), new Pool(2)];
    for (const pool of [first, second, first, third]) budget.used(pool);
    expect([first.count, second.count, third.count]).to.deep.equal([2, 0, 2]);
  });

  it('are never ended at work, nor those of the pool that begins a task', () => {
    const budget = workerBudget(MOST);
    const [busy, own] = [new Pool(3), new Pool(3)];
    busy.isBusy = true;
    for (const pool of [busy, own]) budget.used(pool);
    expect([busy.count, own.count]).to.deep.equal([3, 3]);
    busy.isBusy = false;
    budget.used(own);
    expect(busy.count).to.equal(0);
  });

  it('of a pool that is forgotten are nobody’s', () => {
    const budget = workerBudget(MOST);
    const [closed, own] = [new Pool(4), new Pool(4)];
    budget.used(closed);
    budget.remove(closed);
    budget.used(own);
    expect(closed.count).to.equal(4);
  });
});
