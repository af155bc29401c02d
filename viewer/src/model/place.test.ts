import { expect } from 'chai';
import { placeIn } from './place.ts';

const SOURCE = '(let [é 1]\n  (map 😀 x))\n(/ 1 0)';

describe('the place of an error in a program', () => {
  it('is that of its bytes', () => {
    const start = new TextEncoder().encode('(let [é 1]\n  (map ').length;
    const place = placeIn(SOURCE, { start_byte: start, end_byte: start + 4, line: 9 });
    expect(place).to.deep.include({ line: 2 });
    expect(SOURCE.slice(place?.start, place?.end)).to.equal('😀');
  });

  it('is the rest of its line, from its column in characters', () => {
    const place = placeIn(SOURCE, { line: 2, column: 10 });
    expect(SOURCE.slice(place?.start, place?.end)).to.equal('x))');
    expect(placeIn(SOURCE, { line: 3 })).to.deep.equal({ start: SOURCE.length - 7, end: SOURCE.length, line: 3 });
  });

  it('is nowhere that the program has not', () => {
    for (const details of [null, {}, 'x', { line: 9 }, { line: 0 }, { line: -1 }, { start_byte: 5, end_byte: 900 }])
      expect(placeIn(SOURCE, details)).to.equal(null);
  });
});
