import { expect } from 'chai';
import { SessionQuota } from './session-quota.ts';

describe('the quota of a session (language.md §12)', () => {
  it('is its evaluations, and says how many it has had', () => {
    const quota = new SessionQuota({ monotonic: () => 0 }, { durationMs: 100, evaluations: 2 });
    quota.count();
    expect(quota.reached()).to.equal(null);
    quota.count();
    expect(quota.reached()).to.include({
      kind: 'runtime_limit_exceeded',
      message: 'the session has had its 2 evaluations',
    });
  });

  it('is its time from its opening on, which counts first', () => {
    let now = 50;
    const quota = new SessionQuota({ monotonic: () => now }, { durationMs: 100, evaluations: 0 });
    now = 149;
    expect([quota.remainingMs(), quota.reached()?.kind]).to.deep.equal([1, 'runtime_limit_exceeded']);
    now = 150;
    expect(quota.reached()).to.include({ kind: 'run_timeout', message: 'the session has had its 100 ms' });
  });
});
