import { expect } from 'chai';
import fc from 'fast-check';
import { printString } from '../print.ts';
import { Atom } from '../values/atom.ts';
import { char } from '../values/char.ts';
import { double } from '../values/double.ts';
import { keyword } from '../values/keyword.ts';
import { mapFromEntries } from '../values/map-builder.ts';
import { setFrom } from '../values/set.ts';
import { symbol } from '../values/symbol.ts';
import { vector } from '../values/vector.ts';
import { JsonFault, readJson } from './read.ts';
import { type JsonBoundary, writeJson } from './write.ts';

function written(value: unknown, boundary: JsonBoundary = 'generate'): string {
  const projection = writeJson(value, boundary);
  return projection.ok ? projection.text : `refused: ${projection.fault.reason}`;
}

const WRITES: readonly (readonly [string, unknown, JsonBoundary, string])[] = [
  ['a double keeps its point', double(1), 'result', '1.0'],
  ['a large integer is exact', 10n ** 30n, 'result', `1${'0'.repeat(30)}`],
  [
    'keys by UTF-8 bytes',
    mapFromEntries(['\u{1f600}', 1, '\uffff', 2, 'b', 3, 'a', 4]),
    'result',
    '{"a":4,"b":3,"\uffff":2,"\u{1f600}":1}',
  ],
  ['keyword keys with namespace', mapFromEntries([keyword('n', 'a'), keyword('n', 'b')]), 'result', '{"n/a":"n/b"}'],
  ['a set in iteration order', setFrom([3, 1, 2]), 'result', '[1,3,2]'],
  ['an atom as text', new Atom(1, null, null), 'result', '"#object[clojure.lang.Atom {:status :ready, :val 1}]"'],
  ['no atom in generate-string', new Atom(1, null, null), 'generate', 'refused: unwritable'],
  ['no infinity', Number.POSITIVE_INFINITY, 'result', 'refused: unwritable'],
  ['no lone surrogate', '\ud800', 'result', 'refused: surrogate'],
  ['no nil key', mapFromEntries([null, 1]), 'result', 'refused: unwritable'],
  ['two keys of one text', mapFromEntries([keyword(null, 'a'), 1, 'a', 2]), 'result', 'refused: collision'],
  [
    'tool keys, keywords marked',
    mapFromEntries([keyword(null, 'a-b'), vector([mapFromEntries(['c-d', 1])])]),
    'tool',
    '{"\u007f:a-b":[{"c-d":1}]}',
  ],
  ['tool keys that begin with the mark', mapFromEntries(['\u007f:a', 1]), 'tool', '{"\u007f\u007f:a":1}'],
  [
    'tool keys of a text and a keyword',
    mapFromEntries(['a', 1, keyword(null, 'a'), 2]),
    'tool',
    '{"a":1,"\u007f:a":2}',
  ],
  ['tool keys that meet', mapFromEntries(['a', 1, symbol(null, 'a'), 2]), 'tool', 'refused: collision'],
  ['a char', vector([char(97)]), 'result', '["a"]'],
];

const REFUSALS: readonly (readonly [unknown, string])[] = [
  [vector([1, mapFromEntries([keyword(null, 'a/b~'), Number.NaN])]), '##NaN has no JSON form at /1/a~1b~0'],
  [Number.POSITIVE_INFINITY, '##Inf has no JSON form'],
  [vector([mapFromEntries([vector([1]), 1])]), 'a key must be text or an integer, not a value of type vector at /0'],
  [mapFromEntries(['x', mapFromEntries([keyword(null, 'a'), 1, 'a', 2])]), 'two keys are written "a" at /x'],
  [vector(['\ud800']), 'a text holds half of a surrogate pair alone at /0'],
  [mapFromEntries(['x'.repeat(60), Number.NaN]), `##NaN has no JSON form at /${'x'.repeat(48)}`],
  [
    Array.from({ length: 12 }).reduce<unknown>((inner) => vector([inner]), Number.NaN),
    '##NaN has no JSON form at /0/0/0/0/0/0/0/0/…',
  ],
];

const BAD = [
  '',
  ' ',
  '{',
  '[1,]',
  '{"a":1,}',
  '01',
  '1.',
  '.5',
  '+1',
  'NaN',
  "'a'",
  '"\n"',
  '"\\x"',
  '"\\u12"',
  '1 2',
  'nul',
  '1e999',
  '[1}',
];

describe('JSON', () => {
  it('reads the longest integers of the language back, and none beyond (language.md §20)', () => {
    const most = 2n ** 999_999n - 1n;
    for (const text of [String(most), String(-most - 1n)]) expect(written(readJson(text)) === text).to.equal(true);
    for (const text of [String(most + 1n), String(-most - 2n), '9'.repeat(301_030), '9'.repeat(1_000_000)]) {
      expect(() => readJson(text))
        .to.throw()
        .that.includes({ kind: 'memory_exceeded' });
    }
  });

  for (const [rule, value, boundary, expected] of WRITES) {
    it(`writes: ${rule}`, () => {
      expect(written(value, boundary)).to.equal(expected);
    });
  }

  for (const [value, expected] of REFUSALS) {
    it(`says where a value cannot be written: ${expected}`, () => {
      const projection = writeJson(value, 'result');
      expect(projection.ok ? null : projection.fault.message).to.equal(expected);
    });
  }

  for (const text of BAD) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      expect(readJson(text)).to.be.instanceOf(JsonFault);
    });
  }

  it('keeps the class and the size of numbers', () => {
    expect(printString(readJson('[1, 1.0, 1e2, 123456789012345678901234567890, -0, -0.0]'))).to.equal(
      '[1 1.0 100.0 123456789012345678901234567890 0 -0.0]',
    );
  });

  it('keeps document order up to eight keys, the last duplicate wins', () => {
    expect(printString(readJson('{"b":1,"a":2,"b":3}'))).to.equal('{"b" 3, "a" 2}');
  });

  it('refuses nesting over 512, and takes 512', () => {
    expect(readJson('['.repeat(513) + ']'.repeat(513))).to.be.instanceOf(JsonFault);
    expect(readJson('['.repeat(512) + ']'.repeat(512))).not.to.be.instanceOf(JsonFault);
  });

  it('reads back what it writes', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const value = readJson(text);
        const once = written(value);
        expect(written(readJson(once))).to.equal(once);
        expect(JSON.parse(once)).to.deep.equal(JSON.parse(JSON.stringify(JSON.parse(text))));
      }),
    );
  });
});
