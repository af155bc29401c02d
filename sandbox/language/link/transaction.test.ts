import { expect } from 'chai';
import { guestUnderTest } from '../testing/guest-under-test.ts';

/** Values of programs given one after the other to one session; an error gives its reason. */
function session(...sources: readonly string[]): string[] {
  const guest = guestUnderTest();
  return sources.map((source) => {
    const reply = guest.evaluate(source, { environment: 'workflow', projection: 'preview' });
    return reply.outcome === 'evaluation_error' ? reply.fault.reason : (reply.value ?? '');
  });
}

function last(...sources: readonly string[]): string | undefined {
  return session(...sources).at(-1);
}

describe('evaluations of one session (language.md §12)', () => {
  it('keep definitions and the last three values', () => {
    expect(session('(def a 1)', '(defn f [x] (+ x a))', '(f 1)', '10', '[*1 *2 *3]')).to.deep.equal([
      "#'user/a",
      "#'user/f",
      '2',
      '10',
      "[10 2 #'user/f]",
    ]);
  });

  it('see redefinitions in functions defined before', () => {
    expect(last('(def a 1)', '(defn f [] a)', '(def a 2)', '(f)')).to.equal('2');
  });

  it('commit what returns, without its value', () => {
    expect(last('1', '(do (def a 5) (return 7))', '[a *1]')).to.equal('[5 1]');
  });

  /** Setup, a form that fails, what is asked then, and the answer. */
  const ROLLED_BACK: readonly (readonly [
    state: string,
    setup: string,
    failing: string,
    question: string,
    answer: string,
  ])[] = [
    ['a new definition', '1', '(do (def a 1) (/ 1 0))', 'a', 'unbound_var'],
    [
      'a definition that failed half-way is free for another',
      '1',
      '(do (def a 1) (/ 1 0))',
      '(do (declare a) (def a 2) a)',
      '2',
    ],
    ['a redefinition', '(def a 1)', '(do (def a 2) (/ 1 0))', 'a', '1'],
    ['a definition of a failed run', '(def a 1)', '(do (def a 2) (fail a))', 'a', '1'],
    ['metadata', '(def ^{:k 1} a 1)', '(do (def ^{:k 2} a 1) (/ 1 0))', '(:k (meta (var a)))', '1'],
    ['the history', ':kept', '(/ 1 0)', '*1', ':kept'],
    ['an atom', '(def a (atom 1))', '(do (reset! a 2) (/ 1 0))', '@a', '1'],
    [
      'an atom inside a collection',
      '(def a [{:k (atom 1)}])',
      '(do (reset! (:k (first a)) 2) (/ 1 0))',
      '@(:k (first a))',
      '1',
    ],
    [
      'an atom that only a closure holds',
      '(def f (let [a (atom 1)] (fn [] (swap! a inc))))',
      '(do (f) (/ 1 0))',
      '(f)',
      '2',
    ],
    [
      'an atom that a partial holds',
      '(def f (let [a (atom 1)] (partial swap! a)))',
      '(do (f inc) (/ 1 0))',
      '(f inc)',
      '2',
    ],
    ['an atom in the history', '(atom 1)', '(do (swap! *1 inc) (/ 1 0))', '@*1', '1'],
    ['a volatile', '(def v (volatile! 1))', '(do (vreset! v 2) (/ 1 0))', '@v', '1'],
    ['a delay', '(def a (atom 0)) (def d (delay (swap! a inc)))', '(do @d (/ 1 0))', '[@a @d @a]', '[0 1 1]'],
    [
      'a lazy seq',
      '(def a (atom 0)) (def s (map (fn [x] (swap! a inc) x) (iterate inc 0)))',
      '(do (nth s 3) (/ 1 0))',
      '[@a (first s) @a]',
      '[0 0 1]',
    ],
    [
      'methods',
      '(defmulti m identity) (defmethod m 1 [_] :one)',
      '(do (defmethod m 1 [_] :two) (/ 1 0))',
      '(m 1)',
      ':one',
    ],
    [
      'what extends a protocol',
      '(defprotocol F (f [x])) (extend-type Long F (f [_] :old))',
      '(do (extend-type Long F (f [_] :new)) (extend-type String F (f [_] :s)) (/ 1 0))',
      '[(f 1) (satisfies? F "a")]',
      '[:old false]',
    ],
    [
      'the class of a record',
      '(defrecord R [x]) (def r (->R 1))',
      '(do (defrecord R [x]) (/ 1 0))',
      '[(instance? R r) (= r (->R 1))]',
      '[true true]',
    ],
    [
      'where a matcher is',
      String.raw`(def m (re-matcher #"\d" "1 2 3")) (re-find m)`,
      '(do (re-find m) (/ 1 0))',
      '(re-find m)',
      '"2"',
    ],
    ['a variable that was bound', '(def ^:dynamic *x* 1)', '(binding [*x* 2] (set! *x* 3) (/ 1 0))', '*x*', '1'],
    ['a variable that was bound when all failed', '(def ^:dynamic *x* 1)', '(binding [*x* 2] (fail *x*))', '*x*', '1'],
    [
      'a root value that was defined under a binding',
      '(def ^:dynamic *x* 1)',
      '(binding [*x* 2] (def ^:dynamic *x* 5) (/ 1 0))',
      '*x*',
      '1',
    ],
    [
      'the hierarchy',
      '(derive ::a ::b)',
      '(do (derive ::a ::c) (/ 1 0))',
      '[(isa? ::a ::b) (isa? ::a ::c)]',
      '[true false]',
    ],
    [
      'changes by a lazy value that fails when shown',
      '(def a (atom 1))',
      '(do (reset! a 2) (map (fn [x] (/ 1 x)) (iterate inc 0)))',
      '@a',
      '1',
    ],
    ['changes before a text that does not compile', '(def a (atom 1))', '(reset! a 2) (', '@a', '1'],
  ];
  for (const [state, setup, failing, question, answer] of ROLLED_BACK) {
    it(`restore ${state}`, () => expect(last(setup, failing, question)).to.equal(answer));
  }

  it('keep the identity of shared state', () => {
    expect(
      last('(def a (atom 1)) (def b a)', '(do (reset! a 2) (/ 1 0))', '(do (reset! a 3) [@b (identical? a b)])'),
    ).to.equal('[3 true]');
  });

  it('show their code when asked', () => {
    const reply = guestUnderTest().evaluate('(+ 1 2)', { show_code: true });
    expect(reply.code).to.be.a('string').and.include('return');
    expect(guestUnderTest().evaluate('(+ 1 2)')).not.to.have.property('code');
    expect(guestUnderTest().evaluate('(/ 1 0)', { show_code: true })).to.have.property('code');
  });
});

describe('the last error, where a person types (first-day.md §6)', () => {
  const TYPED = {
    projection: 'preview',
    keeps_isolate: true,
    commit: { memory_bytes: 100_000, history_bytes: 100_000 },
  } as const;

  function typed(...sources: readonly string[]): string | undefined {
    const guest = guestUnderTest();
    const values = sources.map((source) => {
      const reply = guest.evaluate(source, { ...TYPED, last_error: 'living' });
      return reply.outcome === 'evaluation_error' ? reply.fault.reason : (reply.value ?? '');
    });
    return values.at(-1);
  }

  const ROWS: readonly (readonly [rule: string, forms: readonly string[], answer: string])[] = [
    ['is nil before any', ['*e'], 'nil'],
    [
      'is the exception itself',
      ['(/ 1 0)', '[(class *e) (ex-message *e)]'],
      '[java.lang.ArithmeticException "Divide by zero"]',
    ],
    [
      'has the data that it was made with',
      ['(throw (ex-info "m" {:a 1}))', '[(ex-message *e) (ex-data *e)]'],
      '["m" {:a 1}]',
    ],
    ['has its cause', ['(throw (ex-info "m" {} (ex-info "inner" {})))', '(ex-message (ex-cause *e))'], '"inner"'],
    ['outlives what succeeds', ['(/ 1 0)', '1', '2', '(ex-message *e)'], '"Divide by zero"'],
    ['is the newest', ['(/ 1 0)', '(throw (ex-info "m" {}))', '(ex-message *e)'], '"m"'],
    ['is of a text that does not compile', ['(nosuch 1)', '(ex-message *e)'], '"Unable to resolve symbol: nosuch"'],
    ['is of a text that cannot be read', ['(', '(instance? RuntimeException *e)'], 'true'],
    ['is of a `fail`', ['(fail {:kind :k})', '[(ex-message *e) (ex-data *e)]'], '["{:kind :k}" {:kind :k}]'],
    ['is of a `fail` without a map', ['(fail "no")', '[(ex-message *e) (ex-data *e)]'], String.raw`["\"no\"" {}]`],
    ['is of a value that fails when shown', ['(map (fn [x] (/ 1 x)) [0])', '(ex-message *e)'], '"Divide by zero"'],
    ['is not of what was caught', ['(try (/ 1 0) (catch Exception e :caught))', '*e'], 'nil'],
    [
      'can be kept',
      ['(/ 1 0)', '(def e *e)', '(throw (ex-info "m" {}))', '(map ex-message [e *e])'],
      '("Divide by zero" "m")',
    ],
    [
      'is seen in functions that were defined before',
      ['(defn why [] (ex-message *e))', '(/ 1 0)', '(why)'],
      '"Divide by zero"',
    ],
    [
      'puts back what a failed form changed in it',
      [
        '(throw (ex-info "m" {:a (atom 1)}))',
        '(def a (:a (ex-data *e)))',
        '(do (reset! (:a (ex-data *e)) 2) (/ 1 0))',
        '@a',
      ],
      '1',
    ],
    [
      'puts back what a failed form changed in it alone',
      ['(throw (ex-info "m" {:a (atom 1)}))', '(do (reset! (:a (ex-data *e)) 2) (throw *e))', '@(:a (ex-data *e))'],
      '1',
    ],
    ['gives way to a name of the program', ['(def *e 5)', '(/ 1 0)', '*e'], '5'],
  ];
  for (const [rule, forms, answer] of ROWS) it(rule, () => expect(typed(...forms)).to.equal(answer));

  it('is of an isolate that is lost what it said', () => {
    expect(
      guestUnderTest().evaluate('[(class *e) (ex-message *e)]', {
        ...TYPED,
        last_error: { message: 'it took too long' },
      }),
    ).to.include({
      value: '[java.lang.RuntimeException "it took too long"]',
    });
  });

  it('is of a limit what it said', () => {
    const guest = guestUnderTest();
    guest.evaluate('(loop [] (recur))', { ...TYPED, last_error: 'living', loop_iterations: 10 });
    expect(guest.evaluate('(ex-message *e)', { ...TYPED, last_error: 'living' })).to.deep.include({
      value: '"a loop exceeded its limit of 10 iterations"',
    });
  });

  it('is no name for programs that nobody types, nor of components', () => {
    const guest = guestUnderTest();
    guest.evaluate('(/ 1 0)');
    expect(guest.evaluate('*e')).to.nested.include({ 'fault.reason': 'unbound_var' });
    const compiled = guest.compile([{ id: 'c', source: '(ns c)\n(defn f [] *e)', dependencies: [] }]);
    expect(JSON.stringify(compiled)).to.include('Unable to resolve symbol: *e');
  });
});
