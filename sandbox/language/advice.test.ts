import { expect } from 'chai';
import { guestUnderTest } from './testing/guest-under-test.ts';

/** Program and what its error must tell (functions.md §20). */
const ADVICE: readonly (readonly [string, RegExp])[] = [
  ['(js/parseInt "1")', /Math\/abs/],
  ['(Math.abs 1)', /Math\/abs/],
  ['(let [x "a"] x.length)', /\(count x\)/],
  ['(let [x "a"] (.-length x))', /\(count x\)/],
  ['(try 1 (catch :default e 1))', /catch Throwable/],
  ['(try 1 (catch js/Error e 1))', /catch Throwable/],
  ['(rand-int 5)', /not deterministic.*tool\/search/],
  ['(System/nanoTime)', /not deterministic/],
  ['(System/getenv "X")', /no access/],
  ['(slurp "x")', /no files.*tool\/search/],
  ['(http/get "x")', /no files.*tool\/search/],
  ['(future 1)', /pmap, pcalls|pmap or pcalls/],
  ['(defmacro x [y] y)', /defmacro \(no macros[^:]*\)$/],
  ['(deftype R [a b])', /not supported yet; use defrecord/],
  ['(binding [map 1] 2)', /map is no variable that can be bound; define one with \(def \^:dynamic/],
  ['(pprint {})', /clojure\.pprint\/pprint/],
  ['(clojure.data/diff 1 2)', /not supported yet; compare with =/],
  ['(clojure.zip/vector-zip [])', /not supported yet; use clojure\.walk/],
  ['(require (quote [clojure.zip :as z]))', /clojure\.walk/],
  ['(require (quote [clojure.test :as t]))', /assert/],
  ['(format "%h" 1)', /%s|%d/],
  ['(.lines "a")', /split-lines/],
  ['(Long/bitCount 1)', /toBinaryString/],
  ['(str/split "a,b" ",")', /#","/],
  ['"\\d"', /#"\\d"/],
  ['1/3', /\(\/ 1 3\)/],
  ['1.5M', /1\.5$/],
  ["(contains? '(1) 1)", /some #\{x\} xs/],
  ['(.append "a" "b")', /str and clojure\.string\/join/],
  ['(StringBuilder.)', /str and clojure\.string\/join/],
  ['(java.io.File. "x")', /no files/],
  ['(-> 1 #(inc %))', /parentheses.*as->/],
  ['(-> 1 (fn [x] x))', /parentheses.*as->/],
  ['(pprint/pprint 1)', /clojure\.pprint/],
  ['(reify clojure.lang.ILookup (valAt [_ k] k))', /ILookup cannot be implemented here; protocols/],
  ['(defrecord R [a] Object (equals [a b] true))', /Can't define method not in interfaces: equals/],
  ['(mpa inc [1])', /did you mean map\?/],
  ['(upper-cse "a")', /clojure\.string\/upper-case/],
  ['(search {})', /tool\/search/],
  ['(tool/serch {})', /tool\/search/],
  ['params', /data\/params/],
  ['(+ 1 (:user_name {"userName" 1}))', /:user_name found nothing; the map has "userName"/],
  ['(inc (get {:first-name 1} "FIRST_NAME"))', /the map has :first-name/],
  ['(inc (:adress {:address 1}))', /:adress found nothing; the map has :address\)$/],
  [
    '(.toUpperCase (:firstName {:first-name "a"}))',
    /receiver is nil \(:firstName found nothing; the map has :first-name\)/,
  ],
  ['(inc (:net_total {"total_net" 1 "total" 2}))', /:net_total found nothing; the map has "total_net"/],
  ['(inc (get {:unit-price 1} "price unit"))', /the map has :unit-price/],
  [
    '(def a "x)\n(def b "y")',
    /; the string that begins at line 1, column 8 goes on into the next form: its closing quotation mark may be missing/,
  ],
  ['((:handlr {:handler inc}) 1)', /the map has :handler/],
  ['(defn total [rows] (count rws))', /symbol: rws \(did you mean rows\?\)/],
  ['(st/join "," [1])', /did you mean set\/join, str\/join\?/],
  ['(s/join "," [1])', /did you mean \S+\/join\?/],
  ['(strings/join "," [1])', /did you mean string\/join\?/],
  ["(require '[clojure.string :as txt]) (tx/join 1)", /did you mean txt\/join\?/],
  ['(.exec #"a" "a")', /re-find/],
  ['(.toUppercase "a")', /did you mean \.toUpperCase\?/],
  ['(.substing "a" 1)', /did you mean \.substring\?/],
  ['(Math/sqroot 4)', /did you mean sqrt\?/],
  ['(map Math/sqroot [4])', /did you mean sqrt\?/],
  ['(nth [1 2 3] 5)', /^nth: index 5 is out of range; the indices are 0 to 2$/],
  ['(nth [] 0)', /^nth: index 0 is out of range; there are no elements$/],
  ['(nth [1] -1)', /^nth: index -1 is out of range; the indices are 0 to 0$/],
  ["(nth '(1 2) 7)", /^nth: index 7 is out of range; the indices are 0 to 1$/],
  ['(nth (map inc [1 2]) 2)', /^nth: index 2 is out of range; the indices are 0 to 1$/],
  ['(nth (range 4) 4)', /^nth: index 4 is out of range; the indices are 0 to 3$/],
  ['(nth "abc" 3)', /^nth: index 3 is out of range; the indices are 0 to 2$/],
  ['([1 2] 4)', /^index 4 is out of range; the indices are 0 to 1$/],
  ['(let [v [1 2]] (v 4))', /^v: index 4 is out of range; the indices are 0 to 1$/],
  ['(subvec [1 2] 3)', /^subvec: index 3 is out of range; the indices are 0 to 2$/],
  ['(assoc [1] 5 0)', /^assoc: index 5 is out of range; the indices are 0 to 1$/],
  ['(assoc [1] 3 0)', /^assoc: index 3 is out of range/],
  ['(subs "abc" 5)', /^subs: begin 5, end 3, length 3$/],
  ['(map 5 [1 2])', /^5 is not a function; map needs one$/],
  ['(->> [1 2] (filter nil))', /^nil is not a function; filter needs one$/],
  ['(update {:a 1} :a "x")', /^a value of type string is not a function; update needs one$/],
  ['(5 1)', /^5 is not a function, and stands first in a call$/],
  ['(let [f 5] [(f 1)])', /^f is 5, not a function$/],
  ['(defn add [a b] (+ a b)) (add 1)', /^Wrong number of args \(1\) passed to: user\/add; it takes \[a b\]$/],
  ['(defn add ([a] a) ([a b & more] a)) (add)', /it takes \[a\] or \[a b & more\]$/],
  ['(apply inc [1 2])', /passed to: clojure\.core\/inc; it takes \[x\]$/],
  ['(throw "x")', /^throw takes an exception; write \(throw \(ex-info/],
  ['(defn f [n] (+ 1 (f n))) (f 1)', /^endless recursion: .*loop and recur$/],
  ['(defn f [n] (g n)) (defn g [n] [(f n)]) (f 1)', /^endless recursion: /],
  ['(count (range))', /^all elements of an endless seq were asked for: \(range\) has no end; take what is needed/],
  ['(vec (range))', /endless seq/],
  ['(into [] (repeat 1))', /\(repeat x\) has no end/],
  ['(println (range))', /endless seq/],
  ['(let [r (range)] (first r) (count (rest r)))', /endless seq/],
  ['(sort (range))', /endless seq/],
  ['(json/generate-string (range))', /endless seq/],
  [
    '(first 5)',
    /^first takes a collection, not a value of type integer \(Don't know how to create ISeq from: java\.lang\.Long\)$/,
  ],
  ['(format "%d" 3.0)', /^d != java\.lang\.Double: %d takes an integer; write %s, %\.0f for a double, or \(long x\)$/],
  ['(format "%.2f" 3)', /^f != java\.lang\.Long: %f takes a double; write %d for an integer, or \(double x\)$/],
  ['(format "%X" "a")', /^X != java\.lang\.String: %X takes an integer/],
  ['(format "%c" "a")', /^c != java\.lang\.String: %c takes a char; write %s$/],
  ['(format "%d %s" 3)', /^Format specifier '%s': it takes value 2, and the call gives 1$/],
  ['(format "%3$s" 1 2)', /^Format specifier '%3\$s': it takes value 3, and the call gives 2$/],
  ['(format "%<s" 1)', /^Format specifier '%<s': there is no value before it$/],
  ['(str/contains? "abc" "b")', /^No such var: clojure\.string\/contains\?; use clojure\.string\/includes\?$/],
  ['(str/substring "abc" 1)', /use subs$/],
  ['(lambda [x] x)', /^Unable to resolve symbol: lambda \(write \(fn \[x\] …\) or #\(… %\)\)/],
  ['(defun f [x] x)', /defun \(write \(defn name \[x\] …\)\)/],
  ['(let [x (atom 1)] (setq x 2))', /setq \(write \(atom x\)/],
  ['(json/decode "1")', /^No such var: json\/decode; use json\/parse-string$/],
  ['(json/encode {})', /^No such var: json\/encode; use json\/generate-string$/],
  ["(import 'java.util.Nope)", /^Unsupported class: java\.util\.Nope; there are .*Date.*UUID/],
  ["(import '(java.io File))", /no files/],
  ['(import "java.util.Date")', /^import takes classes/],
  ['(do (defmulti f class) (f 1))', /^No method in multimethod 'f' for dispatch value: class java\.lang\.Long$/],
  ['(do (defmulti f identity) (f [String "x" nil]))', /dispatch value: \[java\.lang\.String "x" nil\]$/],
  ['(do (defmulti f type) (f nil))', /dispatch value: null$/],
  ['(map inc [1 (let [{:keys [nr]} {:NR 1}] nr)])', /the map has :NR/],
];

describe('advice in error messages', () => {
  for (const [source, pattern] of ADVICE) {
    it(source, () => {
      const reply = guestUnderTest().evaluate(source, { tools: ['search'], data: { params: '{}' } });
      expect(reply).to.have.property('outcome', 'evaluation_error');
      expect(reply.outcome === 'evaluation_error' ? reply.fault.message : '').to.match(pattern);
    });
  }

  it('tells of no key where the spelling was right, or another evaluation missed', () => {
    const guest = guestUnderTest();
    const messageOf = (source: string): string => {
      const reply = guest.evaluate(source);
      return reply.outcome === 'evaluation_error' ? reply.fault.message : '';
    };
    expect(messageOf('(inc (:b {:a 1}))')).not.to.contain('found nothing');
    expect(messageOf('(:a-b {:AB 1})')).to.equal('');
    expect(messageOf('(def a "x\n y")\n(a:)')).to.equal('Invalid token: a:');
    expect(messageOf('(inc nil)')).not.to.contain('found nothing');
  });

  it('bounds what it says of a text full of unknown names', () => {
    const names = Array.from({ length: 500 }, (_, index) => `unknown-name-${index}`);
    const reply = guestUnderTest().evaluate(`[${names.join(' ')}]`);
    expect(reply).to.have.nested.property('fault.details.unbound_names').that.has.length(500);
    expect(reply.outcome === 'evaluation_error' ? reply.fault.message : '').to.match(/and 484 more$/);
  });
});
