import { expect } from 'chai';
import fc from 'fast-check';
import { LONG_VALUE_UNITS, readReplyText, writeReplyText } from './reply-text.ts';

const long = 'é'.repeat(LONG_VALUE_UNITS);

describe('the text of a reply', () => {
  it('is JSON for a value below the bound, and has a longer one behind it', () => {
    const reply = { outcome: 'returned', value: long.slice(1), prints: ['"'] };
    expect(writeReplyText(reply)).to.equal(JSON.stringify(reply));
    const rest = '{"outcome":"returned","value":"","prints":["\\""]}';
    for (const value of [long, `${long}x`]) {
      expect(writeReplyText({ ...reply, value })).to.equal(`${rest.length} ${rest}${value}`);
    }
  });

  it('is JSON for half of a pair, which text would lose', () => {
    const reply = { value: `${long}\ud800` };
    expect(writeReplyText(reply)).to.equal(JSON.stringify(reply));
  });

  it('is JSON without a value that is text', () => {
    for (const reply of [{ status: 'loaded' }, { value: null }, { value: 1 }]) {
      expect(writeReplyText(reply)).to.equal(JSON.stringify(reply));
    }
  });

  it('comes back as it went, with every value', () => {
    const value = fc
      .tuple(fc.constantFrom('', long, `${long}"1 {}`, `9 ${long}`), fc.string({ unit: 'binary' }))
      .map(([start, end]) => start + end);
    fc.assert(
      fc.property(value, fc.array(fc.string({ unit: 'binary' })), (text, prints) => {
        const reply = { outcome: 'returned', value: text, prints };
        expect(readReplyText(writeReplyText(reply))).to.deep.equal(reply);
      }),
    );
  });

  for (const [what, text] of [
    ['no JSON', '{"status":"loaded"'],
    ['nothing', ''],
    ['a count alone', '12 '],
    ['a count beyond the text', `99999999 {"value":""}${long}`],
    ['a count that cuts the JSON', `5 {"value":""}${long}`],
    ['a count of ten digits', `1000000000 {"value":""}${long}`],
    ['a count that begins with nought', `012 {"value":""}${long}`],
    ['a value that is in both places', `13 {"value":"a"}${long}`],
    ['no place for the value', `2 {}${long}`],
    ['a list', `4 [""]${long}`],
    ['null', `4 null${long}`],
    ['a value behind it that is short', `12 {"value":""}${long.slice(1)}`],
  ] as const) {
    it(`is not ${what}`, () => {
      expect(readReplyText(text)).to.equal(undefined);
    });
  }
});
