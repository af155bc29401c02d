import { expect } from 'chai';
import { excerptLines } from './excerpt.ts';

const plain = { colour: false, width: 60 };
const shown = (text: string, column: number, length: number, width = 60, skipped?: number): readonly string[] =>
  excerptLines(
    {
      file: 'f',
      line: 12,
      column,
      within: null,
      excerpt: { text, length, ...(skipped === undefined ? {} : { skipped }) },
    },
    { colour: false, width },
  );

describe('a line of a text at a terminal', () => {
  it('has carets below what is meant, and one for a place between two characters', () => {
    expect(shown('(nth xs 9)', 6, 2)).to.deep.equal(['  12 | (nth xs 9)', '     |      ^^']);
    expect(shown('abc', 4, 0)).to.deep.equal(['  12 | abc', '     |    ^']);
  });

  it('is nothing without an excerpt', () => {
    expect(excerptLines({ file: 'f', line: 1, column: 1, within: null, excerpt: null }, plain)).to.deep.equal([]);
  });

  it('leaves out what the text leaves out', () => {
    expect(shown('"key"', 500, 5, 60, 499)).to.deep.equal(['  12 | "key"', '     | ^^^^^']);
  });

  it('counts columns and not characters: wide ones, marks and tabs', () => {
    expect(shown('漢字 x', 4, 1)[1]).to.equal('     |      ^');
    expect(shown('漢字 x', 1, 2)[1]).to.equal('     | ^^^^');
    expect(shown('😀 x', 3, 1)[1]).to.equal('     |    ^');
    expect(shown('e\u0301 x', 4, 1)[1]).to.equal('     |   ^');
    expect(shown('\ta\tx', 4, 1)).to.deep.equal(['  12 |     a   x', '     |         ^']);
  });

  it('escapes what could move the cursor or turn the writing', () => {
    expect(shown('a\u001b[2J\u202ex', 7, 1)).to.deep.equal([
      '  12 | a⟨U+001B⟩[2J⟨U+202E⟩x',
      `     | ${' '.repeat(20)}^`,
    ]);
    expect(shown('\ud800x', 2, 1)[0]).to.equal('  12 | ⟨U+D800⟩x');
  });

  it('cuts a long line around what is meant, on the sides that are missing', () => {
    for (const [column, begins, ends] of [
      [1, false, true],
      [50_000, true, true],
      [100_000, true, false],
    ] as const) {
      const [line = '', caret = ''] = shown('x'.repeat(99_999).replace(/./gu, 'x') + 'y', column, 3);
      expect(line.length, String(column)).to.be.within(30, 60);
      expect([line.startsWith('  12 | …'), line.endsWith('…')]).to.deep.equal([begins, ends]);
      expect(caret).to.match(/^ {5}\| +\^+$|^ {5}\| \^+$/u);
      expect(caret.length).to.be.at.most(60);
    }
    const [line = '', caret = ''] = shown(`${'a'.repeat(40)}BAD${'c'.repeat(40)}`, 41, 3);
    expect(line.slice(caret.indexOf('^'), caret.lastIndexOf('^') + 1)).to.equal('BAD');
  });

  it('cuts what is meant itself where it is longer than the line', () => {
    const [line = '', caret = ''] = shown('z'.repeat(500), 1, 500);
    expect([line.length, caret.length]).to.deep.equal([59, 59]);
  });

  it('has its caret in colour where that is allowed', () => {
    const [, caret] = excerptLines(
      { file: 'f', line: 1, column: 1, within: null, excerpt: { text: 'a', length: 1 } },
      { colour: true, width: 60 },
    );
    expect(caret).to.equal('    | \u001b[31m^\u001b[39m');
  });
});
