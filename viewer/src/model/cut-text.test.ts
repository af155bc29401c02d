import { expect } from 'chai';
import { cutText } from './cut-text.ts';

describe('long arguments on a page (approvals.md §3)', () => {
  for (const length of [2047, 2048])
    it(`are whole with ${length} characters`, () => {
      expect(cutText('é'.repeat(length))).to.equal(null);
    });

  it('are head and tail with one more, and say how much is between', () => {
    expect(cutText(`a${'🎫'.repeat(2047)}z`)).to.equal(
      `a${'🎫'.repeat(1535)} … 1 of 2049 characters … ${'🎫'.repeat(511)}z`,
    );
  });
});
