import { expect } from 'chai';
import { outcomeOf } from '../testing/guest-under-test.ts';
import { newSession } from './new-session.ts';

/** Its `xform*` stands for one or more. */
const OTHERWISE = 'clojure.core/eduction';
/** No built-in has more parameters than these. */
const MOST = 12;

/** Whether some of the parameter vectors of a text takes this many arguments. */
function takes(parameters: string, count: number): boolean {
  // A pattern inside a vector is one parameter.
  const vectors = parameters.startsWith('(')
    ? [parameters.slice(2, -2).replaceAll(/\[[^\]]*\]/g, 'pattern')]
    : parameters.split('|');
  return vectors.some((text) => {
    const names = text === '' ? [] : text.split(' ');
    const rest = names.indexOf('&');
    return rest < 0 ? names.length === count : count >= rest;
  });
}

describe('metadata of the variables of built-ins', () => {
  it('name parameters for exactly the numbers of arguments that each takes', () => {
    const wrong: string[] = [];
    for (const { name, parameters, arities, implementation } of newSession().builtins.values()) {
      if (typeof implementation !== 'function') {
        if (parameters !== null) wrong.push(`${name} has parameters`);
      } else if (parameters === null) wrong.push(`${name} has none`);
      else if (name !== OTHERWISE) {
        const counts = Array.from({ length: MOST }, (_, count) => count);
        const differs = counts.filter(
          (count) =>
            takes(parameters, count) !==
            (arities.fixed.includes(count) || (arities.variadicFrom !== null && count >= arities.variadicFrom)),
        );
        if (differs.length > 0) wrong.push(`${name}: ${parameters} for ${differs.join(' ')}`);
      }
    }
    expect(wrong).to.deep.equal([]);
  });

  for (const [source, value] of [
    [
      "(meta #'map)",
      '{:name map, :ns clojure.core, :arglists ([f] [f coll] [f c1 c2] [f c1 c2 c3] [f c1 c2 c3 & colls]), :doc "What a function gives for each element, or for the elements of several collections in step."}',
    ],
    ["(meta #'clojure.math/E)", '{:name E, :ns clojure.math, :doc "The base of natural logarithms."}'],
    [
      "(meta #'avg)",
      '{:name avg, :ns svc.core, :arglists ([coll]), :doc "The mean of the numbers, without nil; nil when there are none."}',
    ],
    [
      "(let [{:keys [name ns arglists doc]} (meta #'assoc-in)] (map class [name ns arglists (first arglists) (first (first arglists)) doc]))",
      '(clojure.lang.Symbol clojure.lang.Symbol clojure.lang.PersistentList clojure.lang.PersistentVector clojure.lang.Symbol java.lang.String)',
    ],
    ["(identical? (meta #'inc) (meta #'inc))", 'true'],
  ] as const) {
    it(source, () => expect(outcomeOf(source)).to.equal(value));
  }
});
