import { expect } from 'chai';
import type { Suite } from './parts.ts';
import { planJobs, updateMeasured } from './plan.ts';

const suites = (...files: readonly string[]): readonly Suite[] => files.map((file) => ({ part: 'unit', file }));

describe('the plan of a run of tests', () => {
  it('begins with what takes longest, in a process of its own', () => {
    const { jobs } = planJobs(suites('a', 'b', 'c'), { a: 46, b: 300, c: 50 });
    expect(jobs.map(({ files }) => files)).to.deep.equal([['b'], ['c'], ['a']]);
  });

  it('puts quick neighbours into one process, up to so many seconds', () => {
    const { jobs } = planJobs(suites('a', 'b', 'c', 'd'), { a: 44, b: 44, c: 100, d: 43 });
    expect(jobs).to.deep.equal([
      { part: 'unit', files: ['c'], seconds: 100 },
      { part: 'unit', files: ['a', 'b'], seconds: 88 },
      { part: 'unit', files: ['d'], seconds: 43 },
    ]);
  });

  it('keeps parts apart, whose processes differ', () => {
    const { jobs } = planJobs(
      [
        { part: 'unit', file: 'a' },
        { part: 'conformance', file: 'b' },
      ],
      { a: 1, b: 2 },
    );
    expect(jobs.map(({ part, files }) => [part, files])).to.deep.equal([
      ['conformance', ['b']],
      ['unit', ['a']],
    ]);
  });

  it('takes a suite that nobody measured for one in the middle', () => {
    const { jobs } = planJobs(suites('a', 'b', 'new', 'z'), { a: 100, b: 50, z: 16, gone: 1000 });
    expect(jobs.map(({ files, seconds }) => [files[0], seconds])).to.deep.equal([
      ['a', 100],
      ['b', 50],
      ['new', 50],
      ['z', 16],
    ]);
    expect(planJobs(suites('new'), {}).jobs).to.have.lengthOf(1);
  });

  it('keeps suites that need every processor for the end, alone', () => {
    const pool = 'sandbox/pool/pool.test.ts';
    const { jobs, alone } = planJobs(suites(pool, 'z'), { [pool]: 2, z: 1 });
    expect([jobs, alone].map((list) => list.flatMap(({ files }) => files))).to.deep.equal([['z'], [pool]]);
  });

  it('has each suite once', () => {
    const all = suites(...Array.from({ length: 100 }, (_, index) => `f${index}`));
    const { jobs } = planJobs(all, Object.fromEntries(all.map(({ file }, index) => [file, index % 19])));
    expect(jobs.flatMap(({ files }) => files).toSorted()).to.deep.equal(all.map(({ file }) => file).toSorted());
  });
});

describe('the list of seconds', () => {
  it('has what was measured last, sorted, and nothing of files that are gone', () => {
    const list = updateMeasured({ b: 1, gone: 2, c: 3 }, { c: 4.26, a: 5 }, (file) => file !== 'gone');
    expect(Object.entries(list)).to.deep.equal([
      ['a', 5],
      ['b', 1],
      ['c', 4.3],
    ]);
  });
});
