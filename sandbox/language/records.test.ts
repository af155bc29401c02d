import { expect } from 'chai';
import { guestUnderTest, outcomeOf } from './testing/guest-under-test.ts';

const POINT = '(defrecord Point [x y]) ';

/** A value as JSON text at the boundary of results (language.md §19). */
function asJson(source: string): unknown {
  const reply = guestUnderTest().evaluate(source, { projection: 'json' });
  return reply.outcome === 'evaluation_error' ? reply.fault.reason : (reply.value ?? reply.projection_fault?.reason);
}

function previewed(source: string): unknown {
  const reply = guestUnderTest().evaluate(source, { projection: 'preview' });
  return reply.outcome === 'evaluation_error' ? reply.fault.reason : reply.value;
}

describe('records and their like', () => {
  for (const [rule, source, text] of [
    [
      'a record is an object like its map',
      `${POINT}[(assoc (->Point 1 [2.0]) :z nil) {"k" (->Point (->Point 1 2) :b)}]`,
      '[{"x":1,"y":[2.0],"z":null},{"k":{"x":{"x":1,"y":2},"y":"b"}}]',
    ],
    ['keys that become equal collide', `${POINT}(assoc (->Point 1 2) "x" 3)`, 'public_projection_collision'],
    ['a queue is an array', '(conj clojure.lang.PersistentQueue/EMPTY 1 "a")', '[1,"a"]'],
    [
      'what has no data is its print form',
      '[(reify Object (toString [_] "o")) (re-matcher #"a" "b")]',
      '["#object[user$reify__1]","#object[java.util.regex.Matcher]"]',
    ],
    ['a class is its name', `${POINT}Point`, '"user.Point"'],
  ] as const) {
    it(`as a result: ${rule}`, () => expect(asJson(source)).to.equal(text));
  }

  it('have no JSON text where they are no data', () => {
    expect(
      outcomeOf(`${POINT}(json/generate-string {:p (->Point 1 "a") :q (conj clojure.lang.PersistentQueue/EMPTY 1)})`),
    ).to.equal(String.raw`"{\"p\":{\"x\":1,\"y\":\"a\"},\"q\":[1]}"`);
    expect(outcomeOf('(json/generate-string (reify Object (toString [_] "o")))')).to.equal(
      'type_error/ClassCastException',
    );
  });

  it('are previewed with the name of their class, as much as there is room', () => {
    expect(previewed(`${POINT}[(->Point 1 {:a [1]})]`)).to.equal('[#user.Point{:x 1, :y {:a [1]}}]');
    expect(previewed(`${POINT}[[[[(->Point 1 2)]]]]`)).to.match(/^\[\[\[\[#user\.Point\{\.\.\.\}\]\]\]\]/);
    expect(previewed('(conj clojure.lang.PersistentQueue/EMPTY 1 2)')).to.equal(
      '#object[clojure.lang.PersistentQueue (1 2)]',
    );
  });

  for (const [rule, source, outcome] of [
    ['a toString without end', '(defrecord R [] Object (toString [r] (str r))) (str (->R))', 'memory_exceeded'],
    [
      'a method without end',
      '(defprotocol P (f [x])) (extend-type Long P (f [n] (inc (f n)))) (f 1)',
      'memory_exceeded',
    ],
    ['printing what has no end', '(clojure.pprint/pprint {:all (range)})', 'memory_exceeded'],
    ['bindings without end', '(def ^:dynamic *x* 1) (defn f [] (binding [*x* (inc *x*)] (f))) (f)', 'memory_exceeded'],
    ['a search without end', '(re-find (re-matcher #"(a*)*b" (apply str (repeat 100 "a"))))', 'regex_limit_exceeded'],
  ] as const) {
    it(`end ${rule} at its limit`, () => expect(outcomeOf(source)).to.equal(outcome));
  }

  it('leave no binding behind, however the body ends', () => {
    const guest = guestUnderTest();
    guest.evaluate('(def ^:dynamic *x* 1)', { keeps_isolate: true });
    for (const body of ['(return 1)', '(fail 1)', '(/ 1 0)', '(loop [] (recur))', '((fn f [] (inc (f))))']) {
      guest.evaluate(`(binding [*x* 2] ${body})`, { keeps_isolate: true, loop_iterations: 1000 });
      const reply = guest.evaluate('*x*', { keeps_isolate: true });
      expect(reply.outcome === 'evaluation_error' ? reply.fault.message : reply.value, body).to.equal('1');
    }
  });

  it('are printed on lines of at most 71 columns, as by the reference', () => {
    expect(outcomeOf('(count (with-out-str (clojure.pprint/pprint (vec (repeat 35 1)))))')).to.equal('72');
    expect(
      outcomeOf('(count (clojure.string/split-lines (with-out-str (clojure.pprint/pprint (vec (repeat 36 1))))))'),
    ).to.equal('36');
  });
});
