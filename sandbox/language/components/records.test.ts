import { expect } from 'chai';
import type { ExportFact } from '../../../contract/sandbox-protocol.ts';
import { component, guestUnderTest, type GuestUnderTest } from '../testing/guest-under-test.ts';

const SHAPES = component(
  'shapes',
  `(ns geo.shapes "Shapes.")
  (defprotocol Shape "What has an area." (area [s] "Its area.") (^:private hidden [s]))
  (extend-protocol Shape String (area [s] (tool/measure {"text" s})) nil (area [_] 0))
  (defrecord Square [side] Shape (area [_] (* side side)))
  (defn total [shapes] (reduce + (map area shapes)))`,
);

const CIRCLES = component(
  'circles',
  `(ns geo-more.circles (:require [geo.shapes :as shapes]))
  (defrecord Circle [r] shapes/Shape (area [_] (get (tool/circle {"r" r}) "area")))
  (defn unit [] (->Circle 1))
  (defn dot [] (reify shapes/Shape (area [_] 0)))`,
  ['shapes'],
);

function loaded(answer = '{"reply":"value","value":5}'): {
  readonly guest: GuestUnderTest;
  readonly exports: readonly ExportFact[];
} {
  const guest = guestUnderTest(() => answer);
  const reply = guest.compile([SHAPES, CIRCLES]);
  if (reply.status !== 'compiled') throw new Error(`${reply.fault.reason}: ${reply.fault.message}`);
  guest.load(reply.code);
  return { guest, exports: reply.exports };
}

function printed(source: string): unknown {
  const reply = loaded().guest.evaluate(source, { tools: ['circle', 'measure'] });
  return reply.outcome === 'evaluation_error' ? `${reply.fault.reason}: ${reply.fault.message}` : reply.value;
}

describe('components with records and protocols', () => {
  for (const [rule, source, value] of [
    [
      'give records that are equal wherever they are made',
      '[(geo.shapes/->Square 2) (= (geo.shapes/->Square 2) (geo.shapes/map->Square {:side 2})) (geo.shapes/area (geo.shapes/->Square 2))]',
      '[#geo.shapes.Square{:side 2} true 4]',
    ],
    [
      'implement the protocol of another',
      '[(geo-more.circles/unit) (class (geo-more.circles/unit)) (geo.shapes/area (geo-more.circles/dot)) (satisfies? geo.shapes/Shape (geo-more.circles/dot))]',
      '[#geo_more.circles.Circle{:r 1} geo_more.circles.Circle 0 true]',
    ],
    [
      'name classes as Clojure does',
      '[(instance? geo_more.circles.Circle (geo-more.circles/unit)) (geo.shapes.Square. 3) (.-side (geo.shapes.Square. 3))]',
      '[true #geo.shapes.Square{:side 3} 3]',
    ],
    [
      'import classes',
      '(ns work (:import (geo.shapes Square) [geo_more.circles Circle])) [(Square. 2) (Circle. 1) (instance? Square (Circle. 1))]',
      '[#geo.shapes.Square{:side 2} #geo_more.circles.Circle{:r 1} false]',
    ],
    [
      'are implemented by records of a program',
      '(defrecord Dot [] geo.shapes/Shape (area [_] 1)) (geo.shapes/total [(->Dot) nil (geo.shapes/->Square 3)])',
      '10',
    ],
    [
      'are implemented by objects of a program',
      '(require (quote [geo.shapes :as s])) (s/area (reify s/Shape (area [_] 7)))',
      '7',
    ],
    [
      'are not extended from outside',
      '(extend-type Long geo.shapes/Shape (area [n] n))',
      'invalid_form: A protocol of a component cannot be extended from outside; implement it in a defrecord or reify',
    ],
    [
      'are not extended from outside by extend either',
      '(extend Long geo.shapes/Shape {:area identity})',
      'value_error: The protocol geo.shapes/Shape of a component cannot be extended from outside',
    ],
    ['keep private methods to themselves', '(geo.shapes/hidden 1)', 'invalid_form: No such var: geo.shapes/hidden'],
  ] as const) {
    it(rule, () => expect(printed(source)).to.equal(value));
  }

  it('count the tools of methods as those of the protocol and of what makes the records', () => {
    const required = new Map(loaded().exports.map(({ ref, requirements }) => [ref, requirements]));
    expect(Object.fromEntries(required)).to.deep.equal({
      'geo.shapes/->Square': ['tool:measure'],
      'geo.shapes/Shape': ['tool:measure'],
      'geo.shapes/Square': ['tool:measure'],
      'geo.shapes/area': ['tool:measure'],
      'geo.shapes/map->Square': ['tool:measure'],
      'geo.shapes/total': ['tool:measure'],
      'geo-more.circles/->Circle': ['tool:circle', 'tool:measure'],
      'geo-more.circles/Circle': ['tool:circle', 'tool:measure'],
      'geo-more.circles/dot': ['tool:measure'],
      'geo-more.circles/map->Circle': ['tool:circle', 'tool:measure'],
      'geo-more.circles/unit': ['tool:circle', 'tool:measure'],
    });
  });

  for (const [rule, source, reason] of [
    ['a record that is defined twice', '(ns a) (defrecord R [x]) (defrecord R [y])', 'duplicate_ref'],
    ['a method that has the name of a function', '(ns a) (defn f [x] x) (defprotocol P (f [x]))', 'duplicate_ref'],
    [
      'an extension of the protocol of another',
      '(ns a) (extend-type Long geo.shapes/Shape (area [n] n))',
      'invalid_form',
    ],
    [
      'a method that the protocol does not have',
      '(ns a) (defprotocol P (f [x])) (defrecord R [] P (g [_] 1))',
      'compile_error',
    ],
    ['a value that holds a matcher', '(ns a) (def m (re-matcher #"a" "a"))', 'compile_error'],
    [
      'a value that holds an object with state',
      '(ns a) (defprotocol P (f [x])) (def o (let [n (atom 0)] (reify P (f [_] @n))))',
      'compile_error',
    ],
    ['a wrong number of fields', '(ns a) (defrecord R [x y]) (defn f [] (R. 1))', 'arity_error'],
  ] as const) {
    it(`refuse ${rule}`, () => {
      const reply = guestUnderTest().compile([SHAPES, component('app', source, ['shapes'])]);
      expect(reply.status === 'refused' ? reply.fault.reason : reply.status).to.equal(reason);
    });
  }
});
