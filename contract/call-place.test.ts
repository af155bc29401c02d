import { expect } from 'chai';
import { readCallPlaces, STACK_MAX, type CallPlace } from './call-place.ts';

const PLACE: CallPlace = { component: null, ref: null, line: 3, column: 1, text: '(tool/x {})' };
const read = (places: unknown) => readCallPlaces(JSON.stringify(places));

describe('the place of a call, as a guest says it (approvals.md §3)', () => {
  it('is the innermost place and those that led there', () => {
    const outer = { ...PLACE, component: 'app', ref: 'app/close' };
    expect(read([PLACE, outer])).to.deep.equal({ place: PLACE, stack: [outer] });
  });

  it('is nothing where a guest says anything else', () => {
    const wrong: readonly unknown[] = [
      [],
      {},
      null,
      [null],
      [{ ...PLACE, line: 0 }],
      [{ ...PLACE, line: 1.5 }],
      [{ ...PLACE, column: '1' }],
      [{ ...PLACE, ref: 1 }],
      [{ ...PLACE, component: 'x'.repeat(513) }],
      [{ ...PLACE, text: null }],
      [{ ...PLACE, text: '\ud800' }],
    ];
    for (const places of wrong) expect(read(places), JSON.stringify(places)).to.equal(null);
    expect(readCallPlaces('[')).to.equal(null);
    expect(readCallPlaces(`[${' '.repeat(65_536)}]`)).to.equal(null);
  });

  it('has 160 characters of text and eight calls around it at most', () => {
    const withText = (length: number) => read([{ ...PLACE, text: '🎫'.repeat(length) }]);
    expect([159, 160, 161].map((length) => withText(length) === null)).to.deep.equal([false, false, true]);
    const withStack = (length: number) => read(Array.from({ length: length + 1 }, () => PLACE));
    expect([7, STACK_MAX, 9].map((length) => withStack(length)?.stack.length ?? null)).to.deep.equal([7, 8, null]);
  });

  it('has no member of another name', () => {
    expect(read([{ ...PLACE, more: 1 }])?.place).to.deep.equal(PLACE);
  });
});
