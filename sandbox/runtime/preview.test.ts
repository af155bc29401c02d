import { expect } from 'chai';
import fc from 'fast-check';
import { guestUnderTest } from '../language/testing/guest-under-test.ts';
import { LEAST_PREVIEW_CHARACTERS } from './preview-bounds.ts';
import { preview } from './preview.ts';

function shown(source: string, characters?: number): string {
  const reply = guestUnderTest().evaluate(source, {
    projection: 'preview',
    ...(characters === undefined ? {} : { preview_characters: characters }),
  });
  return reply.outcome === 'evaluation_error'
    ? `${reply.fault.reason} ${reply.prints.join('|')}`
    : (reply.value ?? 'no value');
}

/** Whether the text, read as program text, closes what it opens: every bracket is taken for a list's. */
function isReadable(text: string): boolean {
  const lists = text
    .replaceAll(/#object|#error|#(?=\{)/g, '')
    .replaceAll(/[{[]/g, '(')
    .replaceAll(/[}\]]/g, ')');
  return guestUnderTest().evaluate(`(quote (${lists}\n))`).outcome === 'continued';
}

describe('the structural preview (language.md §18)', () => {
  const WHOLE: readonly (readonly [source: string, text: string])[] = [
    ['nil', 'nil'],
    ['[1 2.0 \\a "b\\n" :c/d (quote e) true]', '[1 2.0 \\a "b\\n" :c/d e true]'],
    ['{:a 1 "b" #{2}}', '{:a 1, "b" #{2}}'],
    ["'(1 (2) [] {} #{})", '(1 (2) [] {} #{})'],
    ['(map inc [1 2])', '(2 3)'],
    ['(atom {:a 1})', '#object[clojure.lang.Atom {:status :ready, :val {:a 1}}]'],
    ['(delay 1)', '#object[clojure.lang.Delay {:status :pending, :val nil}]'],
    ['inc', '#object[clojure.core/inc]'],
    [
      '(ex-info "m" {:a 1})',
      '#error {:cause "m", :data {:a 1}, :via [{:type clojure.lang.ExceptionInfo, :message "m", :data {:a 1}}]}',
    ],
    ['[[[[]]]]', '[[[[]]]]'],
    ['#"a\\d"', '#"a\\d"'],
  ];
  for (const [source, text] of WHOLE) {
    it(`shows the whole of ${source}`, () => expect(shown(source)).to.equal(text));
  }

  const CUT: readonly (readonly [rule: string, source: string, text: string])[] = [
    ['sixteen items', '(vec (range 17))', '[0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 ...]\n;; truncated: items'],
    [
      'sixteen entries, and names six keys',
      '(into (sorted-map) (map (fn [i] [i i]) (range 17)))',
      '{0 0, 1 1, 2 2, 3 3, 4 4, 5 5, 6 6, 7 7, 8 8, 9 9, 10 10, 11 11, 12 12, 13 13, 14 14, 15 15 ...}\n;; truncated: items; keys: 0 1 2 3 4 5',
    ],
    ['four levels', '[[[{:a 1}]] [[[[1]]]]]', '[[[{:a 1}]] [[[[...]]]]]\n;; truncated: depth; keys: :a'],
    [
      'four levels of every kind',
      '[[[[[1] {:a 1} #{1} (list 1) []]]]]',
      '[[[[[...] {...} #{...} (...) []]]]]\n;; truncated: depth; keys: :a',
    ],
    ['256 characters of a string', '(apply str (repeat 300 "a"))', `"${'a'.repeat(256)}…"\n;; truncated: string`],
    ['whole surrogate pairs', '(str (apply str (repeat 255 "a")) "😀")', `"${'a'.repeat(255)}…"\n;; truncated: string`],
    [
      'integers of a hundred digits',
      '[(apply * (repeat 100 10)) (- (apply * (repeat 100 10))) (apply * (repeat 99 10))]',
      `[#<large-integer> #<large-integer> 1${'0'.repeat(99)}]`,
    ],
  ];
  for (const [rule, source, text] of CUT) it(`shows ${rule}`, () => expect(shown(source)).to.equal(text));

  it('shows 256 nodes', () => {
    const text = shown('(vec (repeat 16 (vec (repeat 16 1))))');
    expect(text).to.match(/ \.\.\.\]\n;; truncated: nodes$/);
    expect([...text.matchAll(/1|\[/g)].length).to.be.at.most(256);
  });

  it('keeps to the number of characters', () => {
    const text = shown('(vec (repeat 16 (apply str (repeat 250 "a"))))');
    expect(text.length).to.be.at.most(2048).and.at.least(1700);
    expect(text).to.match(/;; truncated: output$/);
    expect(isReadable(text.replace(' ...]', ']'))).to.equal(true);
  });

  it('realises a lazy seq only as far as it is shown', () => {
    expect(shown('(map inc (range))')).to.equal('(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 ...)\n;; truncated: items');
    expect(
      shown('(let [seen (atom 0)] (count (take 0 nil)) [(map (fn [i] (swap! seen inc) i) (iterate inc 0)) seen])'),
    ).to.include(':val 16}');
    expect(shown('(lazy-seq (/ 1 0))')).to.equal('arithmetic_error ');
  });

  it('shows a structure that contains itself', () => {
    expect(shown('(let [a (atom nil)] (reset! a [a]) a)')).to.match(
      /^#object\[clojure\.lang\.Atom \{.*\}\]\n;; truncated: depth/,
    );
  });

  const HOSTILE = [
    '(atom (atom (atom [1 2 3 (range)])))',
    '(keyword (apply str (repeat 900 "k")))',
    '(ex-info (apply str (repeat 400 "\\"")) {:a (range)})',
    '{(apply str (repeat 300 "x")) {:a {:b {:c {:d 1}}}}}',
    '(apply str (repeat 300 "\\\\\\""))',
    '(repeat 20 #{})',
    '(repeat 300 inc)',
    '[(re-pattern (apply str (repeat 300 "a")))]',
    '(symbol (apply str (repeat 300 "s")))',
    '(delay 1)',
    '[[[[[]]]] (apply str (repeat 80 "😀"))]',
  ];
  for (const source of HOSTILE) {
    it(`keeps ${source} balanced in any length`, () => {
      fc.assert(
        fc.property(fc.integer({ min: LEAST_PREVIEW_CHARACTERS, max: 700 }), (characters) => {
          const text = shown(source, characters);
          expect(text.length).to.be.at.most(characters).and.at.least(1);
          expect(new TextEncoder().encode(text).length).to.be.at.most(characters * 4);
          expect(isReadable(text), text).to.equal(true);
        }),
        { numRuns: 25 },
      );
    });
  }

  it('never exceeds its length, whatever the strings', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 60 }), { maxLength: 4 }), (texts) => {
        expect(preview(texts.join(''), 64).length).to.be.at.most(64);
      }),
    );
  });
});
