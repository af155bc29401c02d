import { expect } from 'chai';
import { suspectsIn } from './suspects.ts';

function suspectTexts(source: string): readonly string[] {
  const bytes = Buffer.from(source);
  return suspectsIn(source).map(
    ({ kind, span, within }) => `${kind} ${bytes.subarray(span.start_byte, span.end_byte).toString()} ${within ?? '-'}`,
  );
}

describe('forms that need not end', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['(ns main) (defn run [x] (loop [i 0] (recur (inc i))))', ['loop (loop main/run']],
    [
      '(ns main) (defn run [x] (while true x)) (defn f [n] (+ 1 (f n)))',
      ['loop (while main/run', 'recursion (f main/f'],
    ],
    ['(defn f [n] (if n (recur n) 1))', ['recursion (recur f']],
    ['(count (range)) (range 5) (range 1 5)', ['endless_seq (range -']],
    [
      '(take 5 (iterate inc 1)) (repeat 3 :x) (repeat :x) (repeatedly f) (repeatedly 3 f) (cycle [1])',
      ['endless_seq (iterate -', 'endless_seq (repeat -', 'endless_seq (repeatedly -', 'endless_seq (cycle -'],
    ],
    ['(map #(loop [] (recur)) xs)', ['loop (loop -']],
    ['(def é "ü (loop [])") ; (loop [])\n(loop [é 1] \\( \\" (recur 1))', ['loop (loop -']],
    ['#"(loop" "\\"(loop" (str "(while" x)', []],
    ['', []],
    [')))((("', []],
    ['(loop', ['loop (loop -']],
  ];
  for (const [source, expected] of cases) {
    it(source, () => {
      expect(suspectTexts(source)).to.deep.equal(expected);
    });
  }

  it('are bounded, in any text', () => {
    expect(suspectsIn('(loop [] (recur))'.repeat(10_000))).to.have.lengthOf(64);
    expect(suspectsIn('('.repeat(500_000))).to.deep.equal([]);
    expect(suspectsIn('\\'.repeat(100_001))).to.deep.equal([]);
  });
});
