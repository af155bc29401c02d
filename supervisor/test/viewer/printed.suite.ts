import { expect } from 'chai';
import fc from 'fast-check';
import { candidatesOf } from '../../../viewer/src/repl/candidates.ts';
import { laidOut } from '../../../viewer/src/repl/printed.ts';

/** The text with one space for whatever is between its parts; texts and characters are as they were. */
function parts(text: string): string {
  const reported = text.matchAll(/(?<part>"(?:[^"\\]|\\.)*"?|\\.|[^\s,"\\]+)|(?<gap>[\s,]+)|\\/gs);
  return [...reported]
    .map(({ groups }) => groups?.['part'] ?? (groups?.['gap'] === undefined ? '\\' : ' '))
    .join('')
    .trim();
}

/** Values as the language prints them. */
const printed = fc.letrec<{ value: string; leaf: string }>((tie) => ({
  leaf: fc.oneof(
    fc.integer().map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    fc.constantFrom(
      'nil',
      'true',
      ':a/b',
      ':k?',
      'user/x',
      "#'user/f",
      '\\a',
      '\\newline',
      '\\(',
      '\\]',
      '\\"',
      '\\;',
      '\\\\',
      '2026-11-23',
    ),
    fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text)),
    fc.constantFrom('"a, b"', '"a   b"', '"(["', '"\\""', '";"'),
  ),
  value: fc.oneof(
    { maxDepth: 4 },
    tie('leaf'),
    fc.array(tie('value'), { maxLength: 12 }).map((items) => `[${items.join(' ')}]`),
    fc.array(tie('value'), { maxLength: 12 }).map((items) => `(${items.join(' ')})`),
    fc.array(tie('value'), { maxLength: 8 }).map((items) => `#{${items.join(' ')}}`),
    fc
      .array(fc.tuple(tie('leaf'), tie('value')), { maxLength: 8 })
      .map((pairs) => `{${pairs.map(([key, value]) => `${key} ${value}`).join(', ')}}`),
  ),
})).value;

describe('a printed value on the page of the viewer', () => {
  it('is the same over several lines', () => {
    fc.assert(
      fc.property(printed, (text) => {
        expect(parts(laidOut(text))).to.equal(parts(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('is the same where it was cut off', () => {
    fc.assert(
      fc.property(printed, fc.nat(), (text, at) => {
        const cut = text.slice(0, at % (text.length + 1)).toWellFormed();
        expect(parts(laidOut(cut))).to.equal(parts(cut));
      }),
      { numRuns: 2000 },
    );
  });

  it('stands under what it belongs to', () => {
    const items = Array.from({ length: 3 }, (_, nth) => `{"id" ${nth}, "name" "${'x'.repeat(30)}"}`).join(' ');
    expect(laidOut(`{"items" [${items}], "next" nil}`)).to.equal(
      `{"items" [{"id" 0, "name" "${'x'.repeat(30)}"}\n          {"id" 1, "name" "${'x'.repeat(30)}"}\n          {"id" 2, "name" "${'x'.repeat(30)}"}]\n "next" nil}`,
    );
    for (const short of ['', '1', '[1 2]', 'x'.repeat(78)]) expect(laidOut(short)).to.equal(short);
  });

  it('is left as it is where it is no value, or one within too many', () => {
    for (const text of [`${'['.repeat(101)}${'x'.repeat(20)}`, `)${'x '.repeat(50)}`, `${'x '.repeat(50)}]`])
      expect(laidOut(text)).to.equal(text);
    expect(laidOut('['.repeat(100_000))).to.have.length(100_000);
  });
});

describe('what a word may become in the editor', () => {
  const names = ['map', 'mapv', 'analysis/runs', 'analysis/read', 'cap/list', 'data/x'];
  for (const [word, expected] of [
    ['ma', ['map', 'mapv']],
    ['map', ['mapv']],
    ['a', ['analysis/']],
    ['analysis/', ['analysis/read', 'analysis/runs']],
    ['analysis/ru', ['analysis/runs']],
    ['analysis/runs', []],
    ['zz', []],
    ['', ['analysis/', 'cap/', 'data/', 'map', 'mapv']],
  ] as const) {
    it(JSON.stringify(word), () => {
      expect(candidatesOf(names, word)).to.deep.equal(expected);
    });
  }

  it('is 200 at most', () => {
    for (const [most, shown] of [
      [199, 199],
      [200, 200],
      [201, 200],
    ] as const)
      expect(
        candidatesOf(
          Array.from({ length: most }, (_, nth) => `n${nth}`),
          'n',
        ),
      ).to.have.length(shown);
  });
});
