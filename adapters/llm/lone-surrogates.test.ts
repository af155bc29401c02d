import { expect } from 'chai';
import { healedText } from './lone-surrogates.ts';

describe('half a character in an answer (providers.md §5.5)', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['"plain"', '"plain"'],
    ['"\\ud83d\\ude00"', '"\\ud83d\\ude00"'],
    ['"\\ud83d"', '"\\ufffd"'],
    ['"\\uDE00 x"', '"\\ufffd x"'],
    ['"\\ud83d\\ud83d\\ude00"', '"\\ufffd\\ud83d\\ude00"'],
    ['"\\ude00\\ud83d"', '"\\ufffd\\ufffd"'],
    ['"\\ud83d\\n\\u0041"', '"\\ufffd\\n\\u0041"'],
    // An escaped backslash, and then letters.
    ['"\\\\ud83d"', '"\\\\ud83d"'],
    ['"\\\\\\ud83d"', '"\\\\\\ufffd"'],
  ];
  for (const [input, expected] of rows) {
    it(`${input} is read as ${expected}`, () => {
      expect(healedText(input)).to.equal(expected);
      expect(JSON.parse(healedText(input)).isWellFormed()).to.equal(true);
    });
  }
});
