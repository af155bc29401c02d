import { expect } from 'chai';
import fc from 'fast-check';
import { pack, unpack } from './packing.ts';

describe('packed texts', () => {
  it('come back as they were', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 500 }),
      fc
        .array(fc.constantFrom('const ', 'f_1(', 'arguments', ')', '\n', 'é', '\u{1f600}', '\ud800', 'x'.repeat(40)), {
          maxLength: 400,
        })
        .map((parts) => parts.join('')),
    );
    fc.assert(fc.property(texts, (text) => unpack(pack(text)) === text));
  });

  for (const [what, text] of [
    ['empty', ''],
    ['of one unit', 'a'],
    ['of one unit repeated', 'a'.repeat(100_000)],
    [
      'that repeats what is far behind',
      `begin here${Array.from({ length: 30_000 }, (_, index) => String.fromCharCode(32 + ((index * index) % 9001))).join('')}begin here`,
    ],
    ['of all units', Array.from({ length: 65_536 }, (_, index) => String.fromCharCode(index)).join('')],
    [
      'of very unlike frequencies',
      Array.from({ length: 24 }, (_, index) => String.fromCharCode(97 + index).repeat(2 ** Math.min(index, 14))).join(
        '',
      ),
    ],
  ] as const) {
    it(`come back ${what}`, () => {
      expect(unpack(pack(text)) === text).to.equal(true);
    });
  }

  it('are printable ASCII after their first line, and much shorter where they repeat themselves', () => {
    const text = Array.from(
      { length: 1000 },
      (_, index) => `const f_${index} = unit(v_${index}, () => function(x$) {\n`,
    ).join('');
    const packed = pack(text);
    expect(packed).to.match(/^\d+\n[A-Za-z0-9_-]+$/);
    expect(packed.length).to.be.below(text.length / 6);
  });

  it('that are cut or changed are refused, or are another text, and end', () => {
    const packed = pack('some text, some more text, and some text again');
    for (let end = 0; end < packed.length - 1; end += 1)
      expect(() => unpack(`45\n${packed.slice(packed.indexOf('\n') + 1, end)}`)).to.throw(TypeError);
    fc.assert(
      fc.property(fc.nat(packed.length - 4), fc.constantFrom('A', 'Z', 'a', 'z', '0', '9', '_', '-'), (at, digit) => {
        try {
          unpack(`${packed.slice(0, at + 3)}${digit}${packed.slice(at + 4)}`);
        } catch (thrown) {
          expect(thrown).to.be.instanceOf(TypeError);
        }
      }),
    );
  });
});
