import { expect } from 'chai';
import { LimitSignal } from './errors.ts';
import { beginUnwinding, endUnwinding, step, unwindingLimit } from './unwinding.ts';

describe('what `finally` forms may still do (language.md §10)', () => {
  const limit = new LimitSignal('loop_limit_exceeded', 'limit');
  const take = (steps: number): void => {
    for (let used = 0; used < steps; used += 1) step();
  };
  afterEach(endUnwinding);

  it('is a hundred thousand steps', () => {
    beginUnwinding(limit, () => 0);
    take(99_999);
    expect(step).not.to.throw();
    expect(step).to.throw().that.equals(limit);
  });

  it('is a hundred milliseconds', () => {
    let time = 5000;
    beginUnwinding(limit, () => time);
    for (time of [5000, 5099, 5100]) expect(step).not.to.throw();
    time = 5101;
    expect(step).to.throw().that.equals(limit);
  });

  it('is not had again by a limit within it', () => {
    beginUnwinding(limit, () => 0);
    take(100_000);
    beginUnwinding(new LimitSignal('regex_limit_exceeded', 'another'), () => 0);
    expect(unwindingLimit()).to.equal(limit);
    expect(step).to.throw().that.equals(limit);
  });

  it('is nothing where no limit was met', () => {
    expect(() => take(200_000)).not.to.throw();
  });
});
