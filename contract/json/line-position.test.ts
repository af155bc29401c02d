import { expect } from 'chai';
import * as fc from 'fast-check';
import { linePosition } from './line-position.ts';

const encoder = new TextEncoder();

describe('linePosition', () => {
  const text = 'ab\r\né漢\u{1F600}x\n\nlast';
  const at = (needle: string): number => encoder.encode(text.slice(0, text.indexOf(needle))).length;
  const cases: readonly (readonly [string, number, number, number, string])[] = [
    ['the start', 0, 1, 1, 'ab'],
    ['a carriage return', at('\r'), 1, 3, 'ab'],
    ['a line feed', at('\n'), 1, 4, 'ab'],
    ['the start of a line', at('é'), 2, 1, 'é漢\u{1F600}x'],
    ['behind characters of several bytes', at('x'), 2, 4, 'é漢\u{1F600}x'],
    ['an empty line', at('\nlast'), 3, 1, ''],
    ['the last line', at('st'), 4, 3, 'last'],
    ['the end', encoder.encode(text).length, 4, 5, 'last'],
    ['beyond the end', 1_000_000, 4, 5, 'last'],
  ];
  for (const [name, offset, line, column, content] of cases) {
    it(`gives line and column of ${name}`, () => {
      const bytes = encoder.encode(text);
      const position = linePosition(bytes, offset);
      expect([position.line, position.column]).to.deep.equal([line, column]);
      expect(new TextDecoder().decode(bytes.subarray(position.lineStart, position.lineEnd))).to.equal(content);
    });
  }

  it('takes an empty document', () => {
    expect(linePosition(new Uint8Array(), 0)).to.deep.equal({ line: 1, column: 1, lineStart: 0, lineEnd: 0 });
  });

  it('counts as splitting at line feeds does', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'é', '\u{1F600}', '\n', '\r') }), fc.nat(20), (any, cut) => {
        const head = Array.from(any).slice(0, cut).join('');
        const lines = head.split('\n');
        const { line, column } = linePosition(encoder.encode(any), encoder.encode(head).length);
        expect(line).to.equal(lines.length);
        expect(column).to.equal(Array.from(lines.at(-1) ?? '').length + 1);
      }),
    );
  });
});
