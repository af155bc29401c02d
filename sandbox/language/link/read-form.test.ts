import { expect } from 'chai';
import { outcomeOf } from '../testing/guest-under-test.ts';

/** Program and its printed value, or the reason and exception class it ends with (functions.md §7, §13). */
const PROGRAMS: readonly (readonly [string, string])[] = [
  // clojure.edn: narrower than the language's own syntax.
  ['(edn/read-string "")', 'nil'],
  ['(edn/read-string {} "")', 'value_error/RuntimeException'],
  ['(edn/read-string {:eof :end} " ; only a comment")', ':end'],
  ['(edn/read-string nil)', 'nil'],
  ['[(edn/read-string "\'a") (edn/read-string "\'(1)")]', "['a ']"],
  [
    '(map #(try (edn/read-string %) (catch RuntimeException _ :no)) ["@a" "`a" "~a" "::a" "#\'a" "#(a)" "#\\"a\\"" "#=(a)" "#!x" "#?(:clj 1)" "#foo 1" "#"])',
    '(:no :no :no :no :no :no :no :no :no :no :no :no)',
  ],
  [
    '(map #(edn/read-string %) ["#_1 2" "^:a [1]" "#{1}" "##Inf" "#:a{:b 1}" "#inst \\"2020\\""])',
    '(2 [1] #{1} ##Inf {:a/b 1} #inst "2020-01-01T00:00:00.000-00:00")',
  ],
  // Tags: :readers, then the known ones, then :default.
  [
    '(edn/read-string {:readers {\'foo inc} :default vector} "[#foo 1 #bar 2 #uuid \\"00000000-0000-0000-0000-000000000001\\"]")',
    '[2 [bar 2] #uuid "00000000-0000-0000-0000-000000000001"]',
  ],
  ['(edn/read-string {:readers {\'inst (fn [x] [:i x])}} "#inst \\"2020\\"")', '[:i "2020"]'],
  ['(edn/read-string {:readers {\'foo inc}} "#foo :a")', 'type_error/ClassCastException'],
  ['(edn/read-string {:default (fn [t v] (list t v))} "#a/b #c [1]")', '(a/b (c [1]))'],
  // What a broken text raises.
  ['(read-string "1a")', 'value_error/NumberFormatException'],
  ['(read-string "{:a 1 :a 2}")', 'value_error/IllegalArgumentException'],
  [
    '(read-string "#{#uuid \\"00000000-0000-0000-0000-000000000001\\" #uuid \\"00000000-0000-0000-0000-000000000001\\"}")',
    'value_error/IllegalArgumentException',
  ],
  ['(read-string "(")', 'value_error/RuntimeException'],
  ['[(read-string "\'a") (read-string "@a") (read-string {:eof 1} "")]', '[(quote a) (clojure.core/deref a) 1]'],
  // Texts that are kept as written.
  ['[(str #"a\\"b") (pr-str #"a\\"b") (re-find #"a\\"b" "a\\"b")]', '["a\\\\\\"b" "#\\"a\\\\\\"b\\"" "a\\"b"]'],
  ['[(meta ^String [1]) (meta ^Nope [1])]', '[{:tag java.lang.String} {:tag Nope}]'],
];

describe('read-string', () => {
  for (const [source, expected] of PROGRAMS) {
    it(source, () => expect(outcomeOf(source)).to.equal(expected));
  }
});
