import { expect } from 'chai';
import { residentBytesOf } from './resident-bytes.ts';

describe('resident bytes of this process (gateway.md §15)', () => {
  it('are what the system said last while it says nothing', () => {
    const said = [5, null, null, 7];
    const bytes = residentBytesOf(() => {
      const next = said.shift();
      if (typeof next !== 'number') throw new Error('EMFILE: too many open files, uv_resident_set_memory');
      return next;
    });
    expect([bytes(), bytes(), bytes(), bytes()]).to.deep.equal([5, 5, 5, 7]);
  });

  it('are those of the process by default', () => {
    expect(residentBytesOf()()).to.be.greaterThan(1_000_000);
  });
});
