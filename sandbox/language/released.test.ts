import { expect } from 'chai';
import { guestUnderTest, outcomeOf } from './testing/guest-under-test.ts';

/** A body that failed runs again over what it was given, which must still be there (language.md §6). */
const FAILED_ONCE: readonly (readonly [string, string])[] = [
  ['(map (fn [x] (if (= 1 (swap! n inc)) (throw (ex-info "once" {})) x)) (iterate inc 5))', '[:failed (5 6 7)]'],
  [
    '(filter (fn [x] (if (= 40 (swap! n inc)) (throw (ex-info "once" {})) (> x 60))) (iterate inc 0))',
    '[:failed (61 62 63)]',
  ],
  [
    '(drop-while (fn [x] (if (= 40 (swap! n inc)) (throw (ex-info "once" {})) (< x 60))) (iterate inc 0))',
    '[:failed (60 61 62)]',
  ],
  [
    '(for [x (iterate inc 0) :when (if (= 40 (swap! n inc)) (throw (ex-info "once" {})) (> x 60))] x)',
    '[:failed (61 62 63)]',
  ],
  [
    '(map vector (iterate inc 0) (map (fn [x] (if (= 1 (swap! n inc)) (throw (ex-info "once" {})) x)) (iterate inc 5)))',
    '[:failed ([0 5] [1 6] [2 7])]',
  ],
  [
    '(concat (take 0 (iterate inc 0)) (map (fn [x] (if (= 1 (swap! n inc)) (throw (ex-info "once" {})) x)) (iterate inc 5)))',
    '[:failed (5 6 7)]',
  ],
];

describe('a lazy seq that is let go as it is walked', () => {
  for (const [made, result] of FAILED_ONCE) {
    it(`is whole where its function failed: ${made}`, () => {
      expect(
        outcomeOf(`(let [n (atom 0) s ${made}] [(try (first s) (catch Exception e :failed)) (take 3 s)])`),
      ).to.equal(result);
    });
  }

  it('is whole again after an evaluation that failed', () => {
    const guest = guestUnderTest();
    guest.evaluate('(def s (map inc (iterate inc 0)))');
    expect(guest.evaluate('(first s) (reduce + (take 50 s)) (throw (ex-info "x" {}))')).to.have.property(
      'outcome',
      'evaluation_error',
    );
    expect(guest.evaluate('[(take 2 s) (nth s 100)]')).to.have.property('value', '[(1 2) 101]');
  });
});
