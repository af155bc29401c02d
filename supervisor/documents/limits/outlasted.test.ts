import { expect } from 'chai';
import { effectiveLimits, type WrittenLimits } from '../../../contract/limits/effective.ts';
import { outlastedMissions } from './outlasted.ts';

function remark(manifest: WrittenLimits) {
  const limits = effectiveLimits(manifest, {});
  if (!limits.ok) throw new Error('within their ceilings');
  return outlastedMissions(limits);
}

describe('mission programs that may take all of a run', () => {
  it('are remarked on, whether a document says so or nobody does', () => {
    expect(remark({})).to.deep.include({ isChosen: false });
    expect(remark({ evaluation_timeout_ms: 40_000 })).to.deep.equal({
      isChosen: true,
      problem:
        'evaluation_timeout_ms is 40000 ms, set by the manifest, and run_duration_ms does not exceed it: a mission program that does not end leaves the workflow no time',
      remedy: 'set limits.evaluation_timeout_ms in the manifest below 30000',
    });
    expect(remark({ workflow_timeout_ms: 20_000, evaluation_timeout_ms: 20_000 })?.remedy).to.equal(
      'set limits.evaluation_timeout_ms in the manifest below 20000',
    );
  });

  it('are not, where they are ended before', () => {
    expect(remark({ evaluation_timeout_ms: 29_999 })).to.equal(null);
    expect(remark({ run_duration_ms: 60_000, workflow_timeout_ms: 60_000 })).to.equal(null);
  });
});
