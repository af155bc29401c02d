import { expect } from 'chai';
import { lineReader } from './lines.ts';

const text = (lines: readonly Uint8Array[] | null): readonly string[] | null =>
  lines?.map((line) => new TextDecoder().decode(line)) ?? null;

describe('lines of a server (providers.md §7.8)', () => {
  const stream = Buffer.from('{"a":1}\n\n{"ü":"€"}\r\nlast');
  const whole = ['{"a":1}', '', '{"ü":"€"}\r'];

  for (let cut = 0; cut <= stream.length; cut += 1) {
    it(`are the same when the stream is cut at byte ${cut}`, () => {
      const reader = lineReader(100);
      const [before, behind] = [reader.take(stream.subarray(0, cut)), reader.take(stream.subarray(cut))];
      expect([...(text(before) ?? []), ...(text(behind) ?? [])]).to.deep.equal(whole);
    });
  }

  it('may come byte by byte, however long they are', () => {
    const reader = lineReader(5000);
    const line = 'x'.repeat(4999);
    const found = [...Buffer.from(`${line}\n`)].flatMap((byte) => text(reader.take(Uint8Array.of(byte))) ?? ['over']);
    expect(found).to.deep.equal([line]);
  });

  const BOUND = 8;
  const bounded: readonly (readonly [string, readonly string[], readonly (readonly string[] | null)[]])[] = [
    ['takes a line of just its bound', ['12345678\n'], [['12345678']]],
    ['refuses a longer one', ['123456789\n'], [null]],
    ['refuses one that has no end yet', ['12345', '6789'], [[], null]],
    ['counts each line anew', ['1234567\n1234567\n12', '345678\n'], [['1234567', '1234567'], ['12345678']]],
    ['reads nothing behind a line that was too long', ['123456789\n', '1\n'], [null, null]],
    ['gives nothing of a piece that holds one too long', ['1\n123456789'], [null]],
  ];
  for (const [what, pieces, expected] of bounded) {
    it(what, () => {
      const reader = lineReader(BOUND);
      expect(pieces.map((piece) => text(reader.take(Buffer.from(piece))))).to.deep.equal(expected);
    });
  }
});
