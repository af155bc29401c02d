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
  ['(defrecord R [a b])', /not supported yet; use maps, and defmulti/],
  ['(binding [*x* 1] 2)', /not supported yet; pass the value as an argument/],
  ['(re-matcher #"a" "a")', /not supported yet; use re-find/],
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
  ['(clojure.pprint/pprint 1)', /println/],
  ['(mpa inc [1])', /did you mean map\?/],
  ['(upper-cse "a")', /clojure\.string\/upper-case/],
  ['(search {})', /tool\/search/],
  ['(tool/serch {})', /tool\/search/],
  ['params', /data\/params/],
  ['(+ 1 (:user_name {"userName" 1}))', /:user_name found nothing; the map has "userName"/],
  ['(inc (get {:first-name 1} "FIRST_NAME"))', /the map has :first-name/],
  ["(map inc [1 (let [{:keys [nr]} {:NR 1}] nr)])", /the map has :NR/],
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
    expect(messageOf('(inc nil)')).not.to.contain('found nothing');
  });

  it('bounds what it says of a text full of unknown names', () => {
    const names = Array.from({ length: 500 }, (_, index) => `unknown-name-${index}`);
    const reply = guestUnderTest().evaluate(`[${names.join(' ')}]`);
    expect(reply).to.have.nested.property('fault.details.unbound_names').that.has.length(500);
    expect(reply.outcome === 'evaluation_error' ? reply.fault.message : '').to.match(/and 484 more$/);
  });
});
