import { expect } from 'chai';
import type { CompileFault } from '../../../contract/sandbox-protocol.ts';
import { component, guestUnderTest } from '../testing/guest-under-test.ts';

function refused(...sources: readonly string[]): {
  readonly fault: CompileFault;
  readonly faults: readonly CompileFault[];
} {
  const reply = guestUnderTest().compile(sources.map((source, index) => component(`c${index}`, source)));
  if (reply.status !== 'refused') throw new Error('it compiled');
  return { fault: reply.fault, faults: reply.faults ?? [] };
}

/** Line of each fault, and its message. */
function faultLines(source: string): readonly string[] {
  return refused(source).faults.map(
    ({ message, span }) => `${source.slice(0, span?.start_byte ?? 0).split('\n').length}: ${message}`,
  );
}

describe('every fault of a component at once', () => {
  it('tells each name that means nothing, where it stands, with what may be meant', () => {
    expect(faultLines('(ns app)\n(defn f [x]\n  (mpa inc (foo x)))\n(defn g [] (cnt (foo 1)))')).to.deep.equal([
      '3: Unable to resolve symbol: mpa (did you mean map?)',
      '3: Unable to resolve symbol: foo (did you mean for?)',
      '4: Unable to resolve symbol: cnt (did you mean cat, int?)',
    ]);
  });

  it('goes on behind a form that is refused, and takes what it defines for defined', () => {
    expect(
      faultLines(
        '(ns app)\n(defn f [x] (if))\n(defn g [x] (let [y] (f y)))\n(defn h [] (f bar))\n(println 1)\n(defn f [] 1)',
      ),
    ).to.deep.equal([
      '2: if takes 2 or 3 parts, given 0',
      '3: let requires an even number of forms in its binding vector',
      '4: Unable to resolve symbol: bar (did you mean var?)',
      '5: A component holds only ns, def, defonce, defn, defn-, declare, defmulti, defmethod, defprotocol, defrecord, extend-type, extend-protocol and comment at its top level',
      '6: app/f is defined twice',
    ]);
  });

  it('keeps the first one as what the component is refused for', () => {
    const { fault, faults } = refused('(ns app)\n(defn f [] (foo))\n(defn g [x] (if))');
    expect([fault.reason, faults.map(({ reason }) => reason)]).to.deep.equal([
      'invalid_arity',
      ['unbound_var', 'invalid_arity'],
    ]);
  });

  it('reads each form by itself where a bracket is missing or too many', () => {
    expect(
      faultLines(
        '(ns app)\n(defn f [x]\n  (inc x)\n(defn g [x]\n  (f (foo x)))\n(defn h [x]\n  (g x)))\n(defn i [x] [x)\n',
      ),
    ).to.deep.equal([
      '2: Unclosed ( opened at line 2, column 1',
      '5: Unable to resolve symbol: foo (did you mean for?)',
      '7: Unmatched delimiter: ); the form that begins at line 6, column 1 is closed already',
      '8: Unmatched delimiter: ); the [ at line 8, column 13 needs ]',
    ]);
  });

  it('takes a text with a bracket at its margin for what it is', () => {
    expect(faultLines('(ns app)\n(defn f "Adds\n(as one does)" [x] (foo x))\n(def a "b)\n')).to.deep.equal([
      '3: Unable to resolve symbol: foo (did you mean for?)',
      '4: Unclosed string: EOF while reading string',
    ]);
  });

  it('does not blame what follows from a namespace that is not there', () => {
    expect(faultLines('(ns app (:require [other.thing :as o]))\n(defn f [] (o/x))\n(defn g [] (p/y))')).to.deep.equal([
      '1: Unknown namespace: other.thing; there are clojure.core, clojure.edn, clojure.math, clojure.pprint, clojure.set, clojure.string, clojure.walk, json, regex',
      '3: No such namespace: p',
    ]);
  });

  it('goes on with components that do not use the refused one', () => {
    expect(refused('(ns a) (defn f [] x)', '(ns b) (defn f [] y)').faults.map(({ component: id }) => id)).to.deep.equal(
      ['c0', 'c1'],
    );
  });

  it('is bounded', () => {
    expect(refused(`(ns app)\n${'(defn f [] (foo)\n'.repeat(3000)}`).faults.length).to.be.within(1, 64);
    expect(
      refused(`(ns app)\n${Array.from({ length: 900 }, (_, index) => `(defn f${index} [] x${index})`).join('\n')}`)
        .faults.length,
    ).to.be.within(1, 64);
    expect(
      refused(`(ns app)\n(defn f [] ${'['.repeat(150)}${']'.repeat(150)} foo)\n${' '.repeat(300_000)}`).faults,
    ).to.have.lengthOf(1);
  });
});
