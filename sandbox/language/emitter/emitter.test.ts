import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { component, guestUnderTest, outcomeOf } from '../testing/guest-under-test.ts';
import { indented, letters } from '../code-text.ts';

/** Programs whose loops are integer arithmetic, where they leave it, and values that are assigned in one step. */
const LOOPS: readonly (readonly [source: string, value: string])[] = [
  ['(loop [i 0 s 0] (if (< i 10) (recur (inc i) (+ s i)) s))', '45'],
  ['(loop [i 0] (if (< i 10) (recur (inc i)) [i (* i i)]))', '[10 100]'],
  ['(let [r (loop [i 0] (if (< i 10) (recur (inc i)) (str "end " i)))] (str r "!"))', '"end 10!"'],
  ['(loop [i 0 n 1] (let [m (* n 3)] (if (< i 40) (recur (inc i) m) m)))', '36472996377170786403'],
  ['(loop [i 9007199254740990] (if (< i 9007199254740993) (recur (inc i)) i))', '9007199254740993'],
  ['(loop [i 0 s 0.5] (if (< i 3) (recur (inc i) (+ s i)) s))', '3.5'],
  ['(loop [i 0 s 1] (if (< i 3) (recur (inc i) (+ s 0.5)) s))', '2.5'],
  ['(loop [a 1 b 2 n 0] (if (< n 3) (recur b a (inc n)) [a b]))', '[2 1]'],
  ['(loop [a "x" b "y" n 0] (if (< n 3) (recur b a (inc n)) [a b n]))', '["y" "x" 3]'],
  ['(loop [a [] b 0] (if (< b 3) (recur (conj a b) (+ b 1)) a))', '[0 1 2]'],
  ['(loop [n 10 fs []] (if (pos? n) (recur (- n 5) (conj fs (fn [] n))) (map (fn [f] (f)) fs)))', '(10 5)'],
  ['(loop [i 5] (if (zero? i) (fn? (fn [] i)) (recur (dec i))))', 'true'],
  ['(loop [i 0] (case i 3 :three (recur (inc i))))', ':three'],
  ['(loop [i 7 k 0] (if (= i 0) k (recur (quot i 2) (inc k))))', '3'],
  ['(loop [i 0 m 0] (if (>= i 5) m (recur (inc i) (+ m (mod (- i 3) 5)))))', '10'],
  ['(loop [i 3] (if (> i 0) (recur (dec i)) (rem i 0)))', 'arithmetic_error/ArithmeticException'],
];

describe('generated code', () => {
  for (const [source, value] of LOOPS) {
    it(`${source} => ${value}`, () => {
      expect(outcomeOf(source)).to.equal(value);
    });
  }

  it('counts the turns of every kind of loop', () => {
    for (const loop of [
      '(loop [i 0] (if (< i 5) (recur (inc i)) i))',
      '(loop [i 0 v []] (if (< i 5) (recur (inc i) (conj v i)) i))',
    ]) {
      expect(outcomeOf(loop, { loop_iterations: 5 })).to.equal('5');
      expect(outcomeOf(loop, { loop_iterations: 4 })).to.equal('loop_limit_exceeded');
    }
  });

  it('keeps names apart that look alike as identifiers', () => {
    expect(
      outcomeOf(
        '(defn a-b [] 1) (defn a_b [] 2) (defn a->b [] 3) (defn a-b-2 [] 4) [(a-b) (a_b) (a->b) (a-b-2) :a-b :a_b :a/b]',
      ),
    ).to.equal('[1 2 3 4 :a-b :a_b :a/b]');
    expect(outcomeOf('(let [x 1 x? 2 x! 3 f (fn [x] (fn [x?] [x x? x!]))] ((f 4) 5))')).to.equal('[4 5 3]');
  });

  it('makes identifiers of any name', () => {
    expect(['even?', '->x', '*', '1st', 'a.b/c', ''].map(letters)).to.deep.equal([
      'even',
      'x',
      'v',
      'v1st',
      'a_b_c',
      'v',
    ]);
  });

  it('is at most three and a half times as long as ordinary source, bundle and all', () => {
    const text = readFileSync(
      join(import.meta.dirname, '../../../examples/kernel-tutorial/01-orders/orders.clj'),
      'utf8',
    );
    const source = Array.from({ length: 16 }, (_, index) =>
      text.replace('(ns orders', `(ns orders.part-${index}`),
    ).join('\n');
    const reply = guestUnderTest().compile([component('orders', source)]);
    expect(reply.status === 'compiled' ? reply.code.length / source.length : Infinity).to.be.at.most(3.5);
  });

  it('fits into a bundle of twice its source, however dense that is, where much of it comes near its bound', () => {
    let state = 1;
    const random = (below: number): number => {
      state = Math.imul(state, 1_103_515_245) + 12_345;
      return (state >>> 16) % below;
    };
    const form = (depth: number): string => {
      const part = (): string => form(depth - 1);
      if (depth === 0) return ['a', 'b', 'xs', ':k', '"t"', String(random(100))][random(6)] ?? '';
      const forms = [
        () => `(f${random(300)} ${part()} ${part()} ${part()})`,
        () => `(let [a ${part()}] ${part()})`,
        () => `(if ${part()} ${part()} ${part()})`,
        () => `(fn [b] ${part()})`,
        () => `(str ${part()} ${part()})`,
        () => `{:k ${part()} :b ${part()}}`,
      ];
      return forms[random(forms.length)]?.() ?? '';
    };
    const source = `(ns dense)\n${Array.from({ length: 900 }, (_, index) => `(defn f${index} [a b xs] ${form(5)})`).join('\n')}`;
    const reply = guestUnderTest().compile([component('dense', source)]);
    expect(reply.status === 'compiled' ? reply.code.length / source.length : Infinity).to.be.at.most(2);
  });

  it('is indented by its braces for people', () => {
    expect(indented('function () {\nif (x) {\nreturn "{";\n} else {\nf();\n}\n});\n')).to.equal(
      'function () {\n  if (x) {\n    return "{";\n  } else {\n    f();\n  }\n});\n',
    );
  });
});
