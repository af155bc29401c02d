import { expect } from 'chai';
import { canonicalJson } from '../../../../contract/json/canonical.ts';
import { members, objectOf, findText } from '../members.ts';
import { cutValue } from './cut-value.ts';

describe('a value that is too large for an answer', () => {
  it('keeps the beginning of each text and says how much was left out', () => {
    const cut = cutValue(members({ short: 'as it is', long: 'x'.repeat(100_000) }), 70_000);
    expect(findText(cut, 'short')).to.equal('as it is');
    expect(findText(cut, 'long')).to.equal(`${'x'.repeat(65_536)}… (34464 more characters)`);
  });

  it('is cut more strictly until it fits', () => {
    const texts = Object.fromEntries(Array.from({ length: 50 }, (_, nth) => [`t${String(nth)}`, 'y'.repeat(20_000)]));
    for (const bytes of [900_000, 500_000, 60_000]) {
      const cut = cutValue(members({ inner: members(texts) }), bytes);
      expect(Buffer.byteLength(canonicalJson(cut)), String(bytes)).to.be.at.most(bytes);
      expect(findText(objectOf(cut, 'inner'), 't0')).to.match(/^y+… \(\d+ more characters\)$/);
    }
  });

  it('keeps the first items of a list, and leaves no half of a character', () => {
    const cut = cutValue(
      members({
        list: Array.from({ length: 100_000 }, (_, nth) => nth),
        text: `${'a'.repeat(65_535)}😀${'b'.repeat(9)}`,
      }),
      100_000,
    );
    const list = cut.get('list');
    expect(Array.isArray(list) && [list.length, list[0], list.at(-1)]).to.deep.equal([2049, 0, '… (97952 more items)']);
    expect(findText(cut, 'text')?.isWellFormed()).to.equal(true);
  });
});
