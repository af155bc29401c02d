import { expect } from 'chai';
import fc from 'fast-check';
import { hash } from '../equality.ts';
import { HashMap } from './hash-map.ts';
import { ABSENT, type LispMap } from './map.ts';
import { orderedHashMap } from './ordered-hash-map.ts';

/**
 * Keys of which many have one hash ("Aa" and "BB", and so their concatenations) or begin with the same digits of it.
 */
const key = fc.oneof(
  fc.integer({ min: -2000, max: 2000 }),
  fc.constantFrom(null, '', 'Aa', 'BB', 'AaAa', 'BBBB', 'AaBB', 'BBAa', true, 1.5, 10n ** 20n),
  fc.string(),
);
const changes = fc.array(fc.tuple(fc.boolean(), key), { maxLength: 300, size: 'max' });

function changed(map: LispMap, steps: readonly (readonly [boolean, unknown])[]): LispMap {
  return steps.reduce((made, [adds, k], at) => (adds ? made.assoc(k, at) : made.dissoc(k)), map);
}

function flatOf(map: LispMap): unknown[] {
  const flat: unknown[] = [];
  map.visit((k, v) => {
    flat.push(k, v);
  });
  return flat;
}

describe('a hash map of entries in its own order', () => {
  it('is the map they came from, whatever becomes of both', () => {
    fc.assert(
      fc.property(changes, changes, (before, after) => {
        const map = changed(HashMap.fromFlat([], null), before);
        const again = orderedHashMap(flatOf(map), null);
        if (again === null) throw new Error('they are in order');
        expect(again.count).to.equal(map.count);
        expect(flatOf(again)).to.deep.equal(flatOf(map));
        map.visit((k, v) => {
          expect(again.lookup(k)).to.equal(v);
        });
        expect(again.lookup('never put')).to.equal(ABSENT);
        expect(flatOf(changed(again, after))).to.deep.equal(flatOf(changed(map, after)));
      }),
    );
  });

  it('is not made of entries in any other order, nor of a key that stands twice', () => {
    fc.assert(
      fc.property(changes, fc.nat(), (steps, at) => {
        const flat = flatOf(changed(HashMap.fromFlat([], null), steps));
        fc.pre(flat.length >= 4);
        const i = 2 * (at % (flat.length / 2 - 1));
        const entry = flat.slice(i, i + 2);
        expect(orderedHashMap(flat.toSpliced(i, 0, ...entry), null)).to.equal(null);
        const swapped = flat.toSpliced(i, 4, ...flat.slice(i + 2, i + 4), ...entry);
        const isOneHash = flat[i] !== null && hash(flat[i]) === hash(flat[i + 2]);
        expect(orderedHashMap(swapped, null) !== null).to.equal(isOneHash);
      }),
    );
  });
});
