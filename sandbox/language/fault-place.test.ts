import { expect } from 'chai';
import type { EvaluationFault } from '../../contract/sandbox-protocol.ts';
import { component, guestUnderTest, type GuestUnderTest } from './testing/guest-under-test.ts';

function faultOf(source: string, guest: GuestUnderTest = guestUnderTest()): EvaluationFault {
  const reply = guest.evaluate(source, { loop_iterations: 100 });
  if (reply.outcome === 'evaluation_error') return reply.fault;
  throw new Error(`${source} gave ${reply.value ?? ''}`);
}

/** The text that a fault names. */
function formOf(source: string, { span }: EvaluationFault): string {
  return span === null ? '' : Buffer.from(source).subarray(span.start_byte, span.end_byte).toString();
}

function withComponent(source: string): GuestUnderTest {
  const guest = guestUnderTest();
  const reply = guest.compile([component('app', source)]);
  if (reply.status !== 'compiled') throw new Error(reply.fault.message);
  guest.load(reply.code);
  return guest;
}

/** Programs and their innermost form at fault. */
const FORMS: readonly (readonly [source: string, form: string])[] = [
  ['(defn f [x] (let [y 1] (map #(+ y (inc %)) [x]))) (f nil)', '(inc %)'],
  ['(str "é" (nth [1] 5))', '(nth [1] 5)'],
  ['(defn f [a] a) [(f 1) (f 1 2)]', '(f 1 2)'],
  ['((fn [x] (x 1)) 5)', '(x 1)'],
  ['(let [f nil] [1 (f 2)])', '(f 2)'],
  ['(let [k "s"] (k {}))', '(k {})'],
  ['(let [i (identity "a")] (if (pos? i) 1 2))', '(pos? i)'],
  ['(when (or false (< nil 1)) 1)', '(< nil 1)'],
  ['(+ 1 2 (* 3 nil) 4)', '(* 3 nil)'],
  ['(reduce (fn [a x] (/ a x)) [1 0])', '(/ a x)'],
  ['(doseq [x 5] x)', '(doseq [x 5] x)'],
  ['(dotimes [i 3] (when (= i 2) (pop [])))', '(pop [])'],
  ['(for [x [1 0]] (quot 1 x))', '(quot 1 x)'],
  ['[(case 5 1 2)]', '(case 5 1 2)'],
  ['(let [[a] {1 2}] a)', 'a'],
  ['(let [d (delay (/ 1 0))] [@d])', '(/ 1 0)'],
  ['(take 3 (map #(/ 1 %) (iterate dec 1)))', '(/ 1 %)'],
  ['(declare zz) [1 zz]', 'zz'],
  ['(declare zz) [1 (zz)]', '(zz)'],
  ['[1 (throw (ex-info "a" {}))]', '(throw (ex-info "a" {}))'],
  ['(let [e (ex-info "a" {})] [1 (throw e)])', '(throw e)'],
  ['(do 1 (try (nth [] 1) (catch Exception e (throw e))))', '(throw e)'],
  ['(do 1 (try (nth [] 1) (catch ArithmeticException e 1)))', '(try (nth [] 1) (catch ArithmeticException e 1))'],
  ['(do 1 (try (nth [] 1) (finally 1)))', '(nth [] 1)'],
  ['(try 1 (catch Exception e 2)) (nth [] 1)', '(nth [] 1)'],
  ['(try (throw (ex-info "x" {})) (catch Exception e 2)) [(nth [] 1)]', '(nth [] 1)'],
  ['(assert (= 1 2))', '(= 1 2)'],
  ['(.length nil)', '(.length nil)'],
  ['(Math/floorMod 1 0)', '(Math/floorMod 1 0)'],
  ['(defn f [n] (+ 1 (f n))) [(f 1)]', '(f n)'],
  ['[(loop [i 0] (recur (inc i)))]', '(loop [i 0] (recur (inc i)))'],
  ['[(loop [s ""] (recur (str s 1)))]', '(loop [s ""] (recur (str s 1)))'],
  ['[{:k 1 (str "k") 2 (identity "k") 3}]', '{:k 1 (str "k") 2 (identity "k") 3}'],
  ['(defmulti m :k) (m {:k 1})', '(m {:k 1})'],
  ['(apply + [1 nil])', '(apply + [1 nil])'],
];

describe('the place of a run-time error (language.md §17)', () => {
  for (const [source, form] of FORMS) {
    it(source, () => {
      expect(formOf(source, faultOf(source))).to.equal(form);
    });
  }

  it('is told by line and column too', () => {
    expect(faultOf('(defn f [x]\n  "é" (inc\n x))\n(f nil)').details).to.deep.equal({ line: 2, column: 7 });
  });

  it('is the form that called where a component raised the error, which is told beside', () => {
    const source = '(ns app) ; é\n(defn- helper [x]\n  (inc x))\n(defn open [x]\n  (str (helper x)))';
    const guest = withComponent(source);
    const fault = faultOf('[(app/open nil)]', guest);
    expect(formOf('[(app/open nil)]', fault)).to.equal('(app/open nil)');
    const start = Buffer.from(source).indexOf('(helper x)))');
    expect(fault.details).to.deep.equal({
      line: 1,
      column: 2,
      in_component: { component: 'app', ref: 'app/open', line: 5, column: 8, start_byte: start, end_byte: start + 10 },
    });
  });

  it("is the program's own where a component only called it", () => {
    const guest = withComponent('(ns app) (defn each [f xs] (mapv f xs))');
    const source = '(app/each (fn [x] (nth x 3)) [[1]])';
    const fault = faultOf(source, guest);
    expect(formOf(source, fault)).to.equal('(nth x 3)');
    expect(fault.details).to.deep.equal({ line: 1, column: 19 });
  });

  it('is found among the innermost hundred calls, else it is the top-level form', () => {
    const source = '(defn f [n] (if (= n 0) (deref 1) (+ 1 (f (- n 1))))) (f 500)';
    expect(formOf(source, faultOf(source))).to.equal('(deref 1)');
    const guest = withComponent('(ns app) (defn down [n] (if (= n 0) (deref 1) (+ 1 (down (- n 1)))))');
    expect(formOf('[(app/down 50)]', faultOf('[(app/down 50)]', guest))).to.equal('(app/down 50)');
    expect(formOf('[(app/down 500)]', faultOf('[(app/down 500)]', guest))).to.equal('[(app/down 500)]');
  });

  it('of a function that an earlier program defined is where this program calls it', () => {
    const guest = guestUnderTest();
    guest.evaluate('(defn f [x] (inc x))');
    expect(formOf('[1 (f nil)]', faultOf('[1 (f nil)]', guest))).to.equal('(f nil)');
  });

  it('is told to its author with every call that led there, private ones among them, each once', () => {
    const source =
      '(ns app)\n(defn- inner [x] (nth x 3))\n(defn- down [n x] (if (= n 0) (inner x) (str (down (dec n) x))))\n(defn open [x] [(down 20 x)])';
    const fault = faultOf('[(app/open [1])]', withComponent(source));
    const reported = fault.report?.trail.map(({ component: id, ref, span }) => [
      id,
      ref,
      formOf(id === null ? '[(app/open [1])]' : source, { ...fault, span }),
    ]);
    expect(reported).to.deep.equal([
      ['app', 'app/inner', '(nth x 3)'],
      ['app', 'app/down', '(inner x)'],
      ['app', 'app/down', '(down (dec n) x)'],
      ['app', 'app/open', '(down 20 x)'],
      [null, null, '(app/open [1])'],
    ]);
  });

  it('is the first of nine places at most', () => {
    const functions = Array.from(
      { length: 20 },
      (_, index) => `(defn f${index} [x] [(${index === 0 ? 'inc' : `f${index - 1}`} x)])`,
    ).join('\n');
    expect(faultOf(`${functions} (f19 nil)`).report?.trail).to.have.lengthOf(9);
  });

  it('is told with the data of an exception that a program made, and with its first cause', () => {
    const report = faultOf(
      '(try (/ 1 0) (catch Exception e (throw (ex-info "no" {:a [1 (lazy-seq (/ 1 0))]} e))))',
    ).report;
    expect(report).to.deep.include({ data: '{:a [1 (...)]}', cause: 'Divide by zero' });
    expect(faultOf('(throw (ex-info "no" {}))').report).to.deep.include({ data: null, cause: null });
    expect(
      faultOf(`(throw (ex-info "no" {:a "${'x'.repeat(9000)}" :b (range)}))`).report?.data,
    ).to.have.lengthOf.at.most(512);
  });
});
