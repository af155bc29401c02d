import { expect } from 'chai';
import { outcomeOf } from '../testing/guest-under-test.ts';

/** Program and its printed value, or the reason and exception class it ends with (functions.md §18, §19). */
const PROGRAMS: readonly (readonly [string, string])[] = [
  // Casts of arguments: nil is NullPointerException, another type ClassCastException; overloads match or do not.
  ['(Math/floor nil)', 'java_type_error/NullPointerException'],
  ['(Math/floor "a")', 'java_type_error/ClassCastException'],
  ['(Math/abs "a")', 'java_type_error/IllegalArgumentException'],
  ['(.concat "a" 5)', 'java_type_error/ClassCastException'],
  ['(Long/parseLong nil)', 'java_domain_error/NumberFormatException'],
  ['(.length nil)', 'java_type_error/NullPointerException'],
  ['(.length 5)', 'unsupported_java_member/IllegalArgumentException'],
  ['(.nope "a")', 'unsupported_method'],
  ['(Math/nope 1)', 'unsupported_java_member'],
  ['(Math/pow 1)', 'java_arity_error'],
  // Numbers.
  ['[(Math/max -0.0 0.0) (Math/max 1 2.5) (Math/min 1 2) (Math/max ##NaN 1)]', '[0.0 2.5 1 ##NaN]'],
  [
    '[(Math/round 0.49999999999999994) (Math/round -0.5) (Math/round 2.5) (Math/round 4503599627370497.0)]',
    '[0 0 3 4503599627370497]',
  ],
  ['[(Long/parseLong "-7f" 16) (Integer/parseInt "+5") (Double/parseDouble " 0x1p3 ")]', '[-127 5 8.0]'],
  ['(Integer/parseInt "2147483648")', 'java_domain_error/NumberFormatException'],
  [
    '[(Float/parseFloat "0.1") (Float/valueOf 1) (Float/isNaN Float/NaN) (Float/compare 1 2) Float/MAX_VALUE]',
    '[0.1 1.0 true -1 3.4028235E38]',
  ],
  ['(== (Float/parseFloat "0.1") 0.1)', 'false'],
  // Strings through the regexes of the language.
  [
    '[(.replaceAll "a1b2" "\\\\d" "<$0>") (.replaceFirst "aa" "a" "b") (.matches "ab" "a") (.split "a,b,," ",") (.split "a,b,c" "," 2)]',
    '["a<1>b<2>" "ba" false ["a" "b"] ["a" "b,c"]]',
  ],
  ['(.split "a" "(")', 'java_domain_error/PatternSyntaxException'],
  ['(.replace "a.b" "." "$1")', '"a$1b"'],
  ['(.replace "ab" "" "-")', '"-a-b-"'],
  ['(map #(.hashCode %) ["Aa" "BB" 5 -1 4294967296 1.5 true \\a])', '(2112 2112 5 0 1 1073217536 1231 97)'],
  ['(map #(String/valueOf %) [1 1.5 true :a nil \\c])', '("1" "1.5" "true" ":a" "null" "c")'],
  // Collections: exact keys.
  [
    '[(.size {:a 1}) (.get {"a" 1} :a) (.getOrDefault {:a nil} :a 1) (.containsKey {"a" 1} :a) (.get [7] 0) (.isEmpty ()) (.contains [1 nil] nil)]',
    '[1 nil nil false 7 true true]',
  ],
  [
    '[(.indexOf [1 2 1] 1) (.lastIndexOf [1 2 1] 1) (.indexOf (map inc [1 2]) 9) (.contains #{nil} nil)]',
    '[0 2 -1 true]',
  ],
  ['(.get [1] 1)', 'java_domain_error/IndexOutOfBoundsException'],
  ['(.get #{1} 1)', 'unsupported_java_member/IllegalArgumentException'],
  // Dates.
  ['(inst-ms (java.util.Date. "Jan 2 2020 03:04:05 GMT"))', '1577934245000'],
  ['(java.util.Date. "2020-01-02T03:04:05Z")', 'java_domain_error/IllegalArgumentException'],
  ['(java.util.Date. nil)', 'java_type_error/NullPointerException'],
  [
    '[(.before #inst "2020" #inst "2021") (.after #inst "2020" #inst "2021") (.compareTo #inst "2020" #inst "2021")]',
    '[true false -1]',
  ],
  ['(.before #inst "2020" 5)', 'java_type_error/ClassCastException'],
  ['(str (.plusMonths (LocalDate/parse "2024-01-31") 1))', '"2024-02-29"'],
  ['(try (LocalDate/parse "x") (catch java.time.DateTimeException e :no))', ':no'],
  [
    '(str (Duration/between (Instant/parse "2020-01-01T00:00:00Z") (Instant/parse "2020-01-02T12:00:00.5Z")))',
    '"PT36H0.5S"',
  ],
  // Sizes (functions.md §18): no program catches this.
  ['(.length (apply str (repeat 256000 "a")))', '256000'],
  ['(try (.length (apply str (repeat 256001 "a"))) (catch Throwable e 1))', 'invalid_java_string'],
  ['(try (.concat "a" (apply str (repeat 86000 "ह"))) (catch Throwable e 1))', 'invalid_java_string'],
];

describe('Java members', () => {
  for (const [source, expected] of PROGRAMS) {
    it(source, () => expect(outcomeOf(source)).to.equal(expected));
  }
});
