import { expect } from 'chai';
import fc from 'fast-check';
import { remainingMs } from '../../system/clock.ts';
import { anchorRunDeadline, workflowDeadline } from './deadlines.ts';

describe('deadlines of a run (runtime.md §9, §10)', () => {
  it('the nearer one stops the workflow; equal ones count as its own', () => {
    const run = anchorRunDeadline(100, 500);
    expect(workflowDeadline(run, 100, 499)).to.deep.equal({ at: 599, bound: 'workflow_timeout_ms', limitMs: 499 });
    expect(workflowDeadline(run, 100, 500)).to.deep.equal({ at: 600, bound: 'workflow_timeout_ms', limitMs: 500 });
    expect(workflowDeadline(run, 100.5, 500)).to.deep.equal({ at: 600, bound: 'run_duration_ms', limitMs: 500 });
  });

  it('what remains is never negative, and rounded so that time left is never none', () => {
    expect(remainingMs({ at: 10 }, 9.9)).to.equal(1);
    expect(remainingMs({ at: 10 }, 10)).to.equal(0);
    expect(remainingMs({ at: 10 }, 11)).to.equal(0);
  });

  it('no child outlives its run', () => {
    const time = fc.double({ min: 0, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(
        time,
        time,
        fc.integer({ min: 1, max: 1e6 }),
        fc.integer({ min: 1, max: 1e6 }),
        (start, elapsed, runMs, workflowMs) => {
          const run = anchorRunDeadline(start, runMs);
          expect(workflowDeadline(run, start + elapsed, workflowMs).at).to.be.at.most(run.at);
        },
      ),
    );
  });
});
