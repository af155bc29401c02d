import { expect } from 'chai';
import { isRunReference } from '../../contract/run-reference.ts';
import { newJob } from './new-job.ts';

const ASKED = { tenant: 'acme', applicationDigest: 'sha256:aa' };

describe('jobs that clients ask for', () => {
  it('have one hash for what is asked alike', () => {
    const job = newJob({ ...ASKED, input: { a: 1, b: [2] } });
    expect(isRunReference(job.runRef)).to.equal(true);
    expect(newJob({ ...ASKED, input: { b: [2], a: 1 } }).requestHash).to.equal(job.requestHash);
    for (const other of [{ input: { a: 2, b: [2] } }, {}, { input: { a: 1, b: [2] }, deadline: 5 }, { input: { a: 1, b: [2] }, applicationDigest: 'sha256:bb' }]) expect(newJob({ ...ASKED, ...other }).requestHash).to.not.equal(job.requestHash);
  });

  it('carry an input of 65,536 bytes, and none of one more', () => {
    const input = { a: 'x'.repeat(65_536 - '{"a":""}'.length) };
    expect(newJob({ ...ASKED, input }).inputRef).to.deep.equal({ kind: 'inline', json: JSON.stringify(input) });
    expect(() => newJob({ ...ASKED, input: { a: `${input.a}x` } })).to.throw(RangeError);
  });

  for (const wrong of [{ tenant: '../x' }, { tenant: '' }, { runRef: 'mine' }, { weight: 0 }, { weight: 101 }, { weight: 1.5 }, { limits: { maxRuns: 0 } }, { input: { a: () => 1 } }]) {
    it(`are none of ${Object.keys(wrong).join()} ${JSON.stringify(wrong)}`, () => {
      expect(() => newJob({ ...ASKED, ...wrong })).to.throw();
    });
  }
  it('may weigh 1 and 100', () => {
    expect([1, 100].map((weight) => newJob({ ...ASKED, weight }).weight)).to.deep.equal([1, 100]);
  });
});
