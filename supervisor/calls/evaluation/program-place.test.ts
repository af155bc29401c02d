import { expect } from 'chai';
import { programPlace } from './program-place.ts';

const at = (source: string, start: number) => programPlace(source, { start_byte: start, end_byte: start + 1 });

describe('a place of a program (world.md §3.2)', () => {
  it('is its line and column, with the line', () => {
    expect(at('(def a 1)\n(+ a nope)\n', 15)).to.deep.equal({ line: 2, column: 6, text: '(+ a nope)', mark: 6 });
  });

  it('at the end of a text is behind its last character', () => {
    expect(at('(+ 1', 4)).to.deep.equal({ line: 1, column: 5, text: '(+ 1', mark: 5 });
    expect(at('', 0)).to.deep.equal({ line: 1, column: 1, text: '', mark: 1 });
  });

  it('counts characters, not bytes, and shows a tab as a space', () => {
    expect(at('\t"é😀" x', 10)).to.deep.equal({ line: 1, column: 7, text: ' "é😀" x', mark: 7 });
  });

  for (const start of [0, 50, 159, 160, 500, 995, 999, 1000]) {
    it(`of a line of 1,000 characters shows 160 around the place: ${String(start)}`, () => {
      const source = Array.from({ length: 1000 }, (_, index) => (index === start ? '!' : '.')).join('');
      const { text, mark, column } = at(source, start);
      expect([text.length, column]).to.deep.equal([160, start + 1]);
      expect(text[mark - 1]).to.equal(start === 1000 ? undefined : '!');
      expect(mark).to.be.within(1, 161);
    });
  }
});
