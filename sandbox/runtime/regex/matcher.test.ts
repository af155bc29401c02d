import { expect } from 'chai';
import fc from 'fast-check';
import { LimitSignal } from '../errors.ts';
import { call, outcome } from '../testing/builtins.ts';
import { matcherFor, regex } from './pattern.ts';
import type { Regex } from './regex.ts';

function compiled(source: string): Regex {
  const made = regex(source);
  if (!made.ok) throw new TypeError(made.message);
  return made.value;
}

/** Pattern, subject, what re-find prints; checked on Clojure 1.11 with JDK 17. */
const FINDS: readonly (readonly [string, string, string])[] = [
  [String.raw`(\d)(x)?`, 'a1', '["1" "1" nil]'],
  ['(?:(a)|b)*', 'ab', '["ab" "a"]'],
  ['(a*)*', 'b', '["" ""]'],
  ['(a*)+', 'b', '["" ""]'],
  [String.raw`\w+`, 'héllo', '"h"'],
  ['a$', 'a\n', '"a"'],
  [String.raw`a\z`, 'a\n', 'nil'],
  ['(?m)^b$', 'a\nb\nc', '"b"'],
  ['a{2,3}?', 'aaaa', '"aa"'],
  ['a++b', 'aab', '"aab"'],
  ['(?>a+)ab', 'aab', 'nil'],
  ['(?<=a)b', 'cbab', '"b"'],
  ['(?<!a)b', 'ab', 'nil'],
  [String.raw`(.)\1`, 'abb', '["bb" "b"]'],
  [String.raw`(a)?\1b`, 'b', 'nil'],
  ['[]a]+', ']a', '"]a"'],
  ['[a-z&&[^aeiou]]+', 'aebcd', '"bcd"'],
  ['[a-c[x-z]]+', 'azx', '"azx"'],
  [String.raw`\R`, '\r\n', '"\\r\\n"'],
  [String.raw`\R\n`, '\r\n', '"\\r\\n"'],
  [String.raw`\Qa.b\E+`, 'xa.bb', '"a.bb"'],
  ['(?x) a b # note', 'ab', '"ab"'],
  ['(?i)É', 'é', 'nil'],
  ['(?iu)É', 'é', '"é"'],
  ['(?i:A)b', 'ab', '"ab"'],
  ['(?i:A)B', 'ab', 'nil'],
  [String.raw`\p{Lu}`, 'aB', '"B"'],
  ['.', '\u{1f600}', '"\u{1f600}"'],
  ['[\u{1f600}]', 'a\u{1f600}', '"\u{1f600}"'],
  [String.raw`\x41\u0042\103`, 'ABC', 'nil'],
];

describe('the regular expression matcher', () => {
  for (const [pattern, subject, expected] of FINDS) {
    it(`finds ${pattern} in ${JSON.stringify(subject)} as Java does`, () => {
      expect(outcome(() => call('re-find', compiled(pattern), subject))).to.equal(expected);
    });
  }

  for (const bad of [
    '(',
    ')',
    '[',
    'a**',
    '{',
    'a{1}{2}',
    'a{2,1}',
    String.raw`\y`,
    '(?P<a>x)',
    '(?<a>x)(?<a>y)',
    '[b-a]',
    String.raw`\k<n>`,
    String.raw`\p{InGreek}`,
    '*a',
  ]) {
    it(`refuses ${bad}`, () => {
      expect(regex(bad).ok).to.equal(false);
      expect(outcome(() => call('re-pattern', bad))).to.equal('value_error/PatternSyntaxException');
    });
  }

  it('stops patterns that explode, instead of hanging', () => {
    for (const pattern of ['(a+)+b', '(a|aa)+b', '(.*)*x', '(a*)*b', 'a?'.repeat(40) + 'a'.repeat(40) + 'b']) {
      const matcher = matcherFor(compiled(pattern), 'a'.repeat(60));
      const found = outcome(() => matcher.find(0));
      expect(found, pattern).to.be.oneOf(['regex_limit_exceeded', 'false']);
    }
  });

  it('matches long subjects without a stack', () => {
    const text = 'ab'.repeat(100_000);
    expect(matcherFor(compiled('(?:a|b)*'), text).matches()).to.equal(true);
    expect(matcherFor(compiled('(?s).*'), text).matches()).to.equal(true);
    expect(matcherFor(compiled('(ab)+?c'), text.slice(0, 100)).find(0)).to.equal(false);
  });

  it('refuses patterns above 10,000 units, or nested beyond what a stack surely bears', () => {
    expect(regex('a'.repeat(10_001)).ok).to.equal(false);
    expect(regex('('.repeat(500) + ')'.repeat(500)).ok).to.equal(true);
    expect(regex('('.repeat(5000) + ')'.repeat(5000)).ok).to.equal(false);
    expect(regex('['.repeat(5000) + 'a' + ']'.repeat(5000)).ok).to.equal(false);
  });

  it('agrees with the engine where both have one meaning', () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      'c',
      '.',
      '[ab]',
      '[^a]',
      '(a|b)',
      '(?:ab|c)',
      'a*',
      'b+?',
      '(?:ab)?',
      'c{1,2}',
      '^',
      '$',
    );
    fc.assert(
      fc.property(fc.array(atom, { maxLength: 6 }), fc.stringMatching(/^[abc]{0,12}$/), (parts, subject) => {
        const source = parts.join('');
        const expected = new RegExp(source).exec(subject);
        const matcher = matcherFor(compiled(source), subject);
        const found = matcher.find(0);
        expect(found).to.equal(expected !== null);
        if (expected === null) return;
        expect([matcher.start(0), matcher.group(0)]).to.deep.equal([expected.index, expected[0]]);
      }),
      { numRuns: 1000 },
    );
  });

  it('spends one budget over all matches of a call', () => {
    const endless = (): unknown => call('re-seq', compiled('(a+)+b|c'), `${'a'.repeat(28)}c`.repeat(50));
    expect(endless)
      .to.throw()
      .that.satisfies((thrown: unknown) => thrown instanceof LimitSignal);
  });
});
