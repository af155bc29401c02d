/** The functions that Clojure does not have (functions.md §15, §17), as programs call them. */
import { expect } from 'chai';
import { outcomeOf } from './testing/guest-under-test.ts';

const ROWS: readonly (readonly [source: string, outcome: string])[] = [
  // extract: a regex or a string as re-pattern takes it; group 1 or n (0 whole) of the first match, nil if absent
  ['(extract #"x=(\\d+)" "x=1 x=2")', '"1"'],
  ['(extract "x=(\\\\d+)" "x=1 x=2")', '"1"'],
  ['(extract "(a)(b)?" "xa" 0)', '"a"'],
  ['(extract "(a)(b)?" "xa" 1)', '"a"'],
  ['(extract "(a)(b)?" "xa" 2)', 'nil'],
  ['(extract "(a)(b)?" "xa" 3)', 'nil'],
  ['(extract "a+" "baa")', '"aa"'],
  ['(extract "x" "y")', 'nil'],
  ['(extract "(" "y")', 'value_error/PatternSyntaxException'],
  ['(extract nil "y")', 'type_error/NullPointerException'],
  ['(extract :a "y")', 'type_error/ClassCastException'],
  ['(extract "y" nil)', 'type_error/NullPointerException'],
  ['(extract-int "x=(\\\\d+)" "x=12")', '12'],
  ['(extract-int #"x=(\\d+)" "x=12")', '12'],
  ['(extract-int "(\\\\d+)-(\\\\d+)" "3-4" 2)', '4'],
  ['(extract-int "x=(\\\\d+)" "y")', 'nil'],
  ['(extract-int "x=(\\\\d+)" "y" 1 7)', '7'],
  ['(extract-int "x=(.)" "x=a" 1 7)', '7'],
  ['(extract-int "[" "y")', 'value_error/PatternSyntaxException'],
  // max-by and min-by: by compare; nil values skipped; a tie keeps the first
  ['(min-by first [["b" 2] ["a" 1]])', '["a" 1]'],
  ['(max-by first [["b" 2] ["a" 1]])', '["b" 2]'],
  ['(max-by :n [{:n 1 :i 0} {:n 2 :i 1} {:n 2.0 :i 2} {:n nil} {}])', '{:n 2, :i 1}'],
  ['(min-by :n [{:n 1 :i 0} {:n 1.0 :i 1} {:n nil} {}])', '{:n 1, :i 0}'],
  ['(max-by "n" [{:n :a} {:n :c} {:n :b}])', '{:n :c}'],
  ['(min-by [:a "b"] [{:a {:b [2]}} {:a {:b [1 5]}}])', '{:a {:b [2]}}'],
  ['(max-by identity [true false])', 'true'],
  ['(min-by identity [\\b \\a])', '\\a'],
  [
    '(min-by identity [(java.time.LocalDate/parse "2024-02-29") (java.time.LocalDate/parse "2023-01-01")])',
    '#object[java.time.LocalDate "2023-01-01"]',
  ],
  ['(max-by identity [1 5] [7 2])', '7'],
  ['(max-by :n [])', 'nil'],
  ['(max-by :n [{} {:n nil}])', 'nil'],
  ['(max-by identity [1 "a"])', 'type_error/ClassCastException'],
  ['(max-by identity [{:a 1} {:a 2}])', 'type_error/ClassCastException'],
  // the other functions by a key: a callable, a string key or a vector path, by the flexible rule; nil skipped
  ['(sum-by :n [{:n 1} {"n" 2} {:n nil} {}])', '3'],
  ['(sum-by "n" [{:n 1} {"n" 2.5}])', '3.5'],
  ['(sum-by [:a :b] [{:a {:b 1}} {"a" {"b" 2}} {:a nil}])', '3'],
  ['[(sum-by :n []) (avg-by :n []) (distinct-by :n [])]', '[0 nil ()]'],
  ['(avg-by :n [{:n 1} {:n 4} {}])', '2.5'],
  ['(distinct-by :n [{:n 1 :i 0} {:n 1 :i 1} {:n nil :i 2}])', '({:n 1, :i 0} {:n nil, :i 2})'],
  ['[(sum [1 nil 2.5]) (sum #{1 2}) (sum nil) (avg [1 nil 2]) (avg [])]', '[3.5 3 0 1.5 nil]'],
  // numbers
  ['(map round [0.5 -0.5 1.5 2 2.4])', '(1 -1 2 2 2)'],
  ['[(floor -1.5) (ceil -1.5) (trunc -1.5) (round 1e20)]', '[-2 -1 -1 100000000000000000000]'],
  ['[(floor ##Inf) (ceil ##NaN) (sqrt 9) (pow 2 10)]', '[##Inf ##NaN 3.0 1024.0]'],
  ['[(parse-int "12") (parse-int "x") (upcase "ß") (downcase "ÀB")]', '[12 nil "SS" "àb"]'],
  // collections
  ['[(entries {:b 1 :a 2}) (entries nil)]', '[[[:b 1] [:a 2]] []]'],
  ['[(combinations [1 2 3] 2) (combinations [1] 0) (combinations [1] 2)]', '[([1 2] [1 3] [2 3]) ([]) ()]'],
  ['(zip [1 2 3] "ab")', '[[1 \\a] [2 \\b]]'],
  ['(zip (range) [:a :b])', '[[0 :a] [1 :b]]'],
  ['[(regex? #"a") (regex? "a") (re-split #"," ",a,,")]', '[true false ["" "a" "" ""]]'],
];

describe('functions of our own', () => {
  for (const [source, outcome] of ROWS) {
    it(source, () => expect(outcomeOf(source)).to.equal(outcome));
  }
});
