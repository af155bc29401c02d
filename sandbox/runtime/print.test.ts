import { expect } from 'chai';
import { LimitSignal, LispError } from './errors.ts';
import { displayString, plainString, printString, quotedString } from './print.ts';
import { Atom, Delay } from './values/atom.ts';
import { char } from './values/char.ts';
import { double, Float32 } from './values/double.ts';
import { classNamed } from './values/java.ts';
import { keyword } from './values/keyword.ts';
import { list } from './values/seq.ts';
import { mapFromEntries } from './values/map-builder.ts';
import { regex } from './regex/pattern.ts';
import { setFrom } from './values/set.ts';
import { vector } from './values/vector.ts';
import { call } from './testing/builtins.ts';

const pattern = regex('a"\\d');

/** Value, `str`, `pr-str`, `println`: the table of language.md §18. */
const FORMS: readonly (readonly [unknown, string, string, string])[] = [
  [null, '', 'nil', 'nil'],
  ['a"\n', 'a"\n', '"a\\"\\n"', 'a"\n'],
  [char(10), '\n', '\\newline', '\n'],
  [char(97), 'a', '\\a', 'a'],
  [Number.POSITIVE_INFINITY, 'Infinity', '##Inf', '##Inf'],
  [Number.NaN, 'NaN', '##NaN', '##NaN'],
  [double(-0), '-0.0', '-0.0', '-0.0'],
  [new Float32(0.1), '0.1', '0.1', '0.1'],
  [
    vector([null, 'a', char(98), Number.POSITIVE_INFINITY]),
    '[nil "a" \\b ##Inf]',
    '[nil "a" \\b ##Inf]',
    '[nil a b ##Inf]',
  ],
  [list([]), '()', '()', '()'],
  [setFrom([1]), '#{1}', '#{1}', '#{1}'],
  [
    mapFromEntries([keyword('a', 'b'), 1, keyword('a', 'c'), 'x']),
    '{:a/b 1, :a/c "x"}',
    '{:a/b 1, :a/c "x"}',
    '{:a/b 1, :a/c x}',
  ],
  [classNamed('java.lang.Long'), 'class java.lang.Long', 'java.lang.Long', 'java.lang.Long'],
  [pattern.ok ? pattern.value : null, 'a"\\d', '#"a\\"\\d"', '#"a\\"\\d"'],
  [
    new Atom(1, null, null),
    '#object[clojure.lang.Atom {:status :ready, :val 1}]',
    '#object[clojure.lang.Atom {:status :ready, :val 1}]',
    '#object[clojure.lang.Atom {:status :ready, :val 1}]',
  ],
  [
    new Delay(() => 1),
    '#object[clojure.lang.Delay {:status :pending, :val nil}]',
    '#object[clojure.lang.Delay {:status :pending, :val nil}]',
    '#object[clojure.lang.Delay {:status :pending, :val nil}]',
  ],
];

describe('printing', () => {
  for (const [value, str, pr, print] of FORMS) {
    it(`shows ${pr} by the three ways`, () => {
      expect([displayString(value), printString(value), plainString(value)]).to.deep.equal([str, pr, print]);
    });
  }

  it('of exceptions: class and message, data for ExceptionInfo, the chain of causes', () => {
    const cause = call('ex-info', 'c', mapFromEntries([keyword(null, 'b'), 2]));
    const error = call('ex-info', 'm', mapFromEntries([keyword(null, 'a'), 1]), cause);
    expect(displayString(error)).to.equal('clojure.lang.ExceptionInfo: m {:a 1}');
    expect(printString(error)).to.equal(
      '#error {:cause "c", :data {:b 2}, :via [{:type clojure.lang.ExceptionInfo, :message "m", :data {:a 1}} {:type clojure.lang.ExceptionInfo, :message "c", :data {:b 2}}]}',
    );
    expect(displayString(new LispError('value_error', 'java.lang.Exception', null))).to.equal('java.lang.Exception');
  });

  it('cuts a structure that contains itself at depth 64', () => {
    const atom = new Atom(null, null, null);
    atom.value = vector([atom]);
    const text = printString(atom);
    expect(text).to.include('...');
    expect(text.split('[clojure.lang.Atom').length - 1).to.equal(32);
  });

  it('refuses text beyond 16 MB, also where a structure shares its parts', () => {
    let shared: unknown = vector(['0123456789']);
    for (let i = 0; i < 40; i++) shared = vector([shared, shared]);
    expect(() => printString(shared))
      .to.throw()
      .that.is.instanceOf(LimitSignal);
    const twice = new Atom(null, null, null);
    twice.value = vector([twice, twice]);
    expect(() => printString(twice))
      .to.throw()
      .that.is.instanceOf(LimitSignal);
  });

  it('escapes only what the language says', () => {
    expect(quotedString('é\u0001/\u2028\\')).to.equal('"é\u0001/\u2028\\\\"');
  });
});
