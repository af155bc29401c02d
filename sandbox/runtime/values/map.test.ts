import { expect } from 'chai';
import fc from 'fast-check';
import { equals, hash } from '../equality.ts';
import { ArrayMap, EMPTY_MAP } from './array-map.ts';
import { HashMap } from './hash-map.ts';
import { ABSENT, type LispMap } from './map.ts';
import { arrayMap, MapBuilder, mapFromEntries } from './map-builder.ts';
import { setFrom } from './set.ts';
import { SortedEntries } from './sorted-entries.ts';
import { SortedMap } from './sorted-map.ts';
import { compareValues } from '../comparison.ts';

/** Keys of which many collide: "Aa" and "BB" have one hash, and so have their concatenations. */
const key = fc.oneof(
  fc.integer({ min: -40, max: 40 }),
  fc.constantFrom(null, '', 'Aa', 'BB', 'AaAa', 'BBBB', 'AaBB', 'BBAa', true, false, 1.5, 10n ** 20n),
);
const changes = fc.array(fc.tuple(fc.boolean(), key, fc.nat()), { maxLength: 120 });

function entriesOf(map: LispMap): [unknown, unknown][] {
  const entries: [unknown, unknown][] = [];
  map.visit((k, v) => {
    entries.push([k, v]);
  });
  return entries;
}

function hashDigits(value: unknown): number[] {
  const h = hash(value) >>> 0;
  return [value === null ? 0 : 1, ...[0, 5, 10, 15, 20, 25, 30].map((shift) => (h >>> shift) & 31)];
}

describe('maps', () => {
  it('agree with a Map under assoc and dissoc, in every kind', () => {
    fc.assert(
      fc.property(changes, fc.constantFrom('grown', 'hashed'), (steps, start) => {
        let map: LispMap = start === 'grown' ? EMPTY_MAP : HashMap.fromFlat([], null);
        const model = new Map<unknown, unknown>();
        for (const [adds, k, v] of steps) {
          map = adds ? map.assoc(k, v) : map.dissoc(k);
          if (adds) model.set(k, v);
          else model.delete(k);
        }
        expect(map.count).to.equal(model.size);
        for (const [k, v] of model) expect(map.lookup(k)).to.equal(v);
        expect(entriesOf(map).every(([k, v]) => model.get(k) === v)).to.equal(true);
        expect(map.lookup('never put')).to.equal(ABSENT);
      }),
    );
  });

  it('of the hash kind iterate by the digits of the hash, nil first (language.md §5)', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.oneof(fc.integer(), fc.constant(null), fc.string()), { minLength: 9 }), (keys) => {
        const map = mapFromEntries(keys.flatMap((k) => [k, k]));
        const order = entriesOf(map).map(([k]) => JSON.stringify(hashDigits(k)));
        const sorted = keys.map(hashDigits).toSorted((a, b) => {
          const at = a.findIndex((digit, i) => digit !== b[i]);
          return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
        });
        expect(order).to.deep.equal(sorted.map((digits) => JSON.stringify(digits)));
      }),
    );
  });

  it('of one hash keep the order of insertion', () => {
    expect(setFrom(['BB', 'Aa', 'C']).toArray()).to.deep.equal(['C', 'BB', 'Aa']);
    expect(setFrom(['Aa', 'BB', 'C']).toArray()).to.deep.equal(['C', 'Aa', 'BB']);
  });

  it('become hash maps with the ninth key, and never array maps again', () => {
    const eight = arrayMap(Array.from({ length: 16 }, (_x, i) => i));
    expect(eight).to.be.instanceOf(ArrayMap);
    const nine = eight.assoc('ninth', 1);
    expect(nine).to.be.instanceOf(HashMap);
    expect(nine.dissoc('ninth').dissoc(0)).to.be.instanceOf(HashMap);
    expect(eight.assoc(0, 'replaced')).to.be.instanceOf(ArrayMap);
  });

  it('are equal and hash alike whatever their kind and history', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer(), { maxLength: 30 }), (keys) => {
        const flat = keys.flatMap((k) => [k, String(k)]);
        const backwards = keys.toReversed().flatMap((k) => [k, String(k)]);
        let sorted = new SortedMap(SortedEntries.empty({ compare: compareValues, comparator: null }), null);
        for (const k of keys) sorted = sorted.assoc(k, String(k));
        for (const other of [arrayMap(backwards), HashMap.fromFlat(backwards, null), sorted]) {
          expect(equals(arrayMap(flat), other)).to.equal(true);
          expect(hash(arrayMap(flat))).to.equal(hash(other));
        }
      }),
    );
  });

  it('in a builder: dissoc! moves the last entry of an array map into the hole', () => {
    const builder = new MapBuilder(arrayMap(['a', 1, 'b', 2, 'c', 3]));
    builder.drop('a');
    expect(entriesOf(builder.build())).to.deep.equal([
      ['c', 3],
      ['b', 2],
    ]);
  });

  it('sorted: stay in order and agree with a Map under assoc and dissoc', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 60 })), { maxLength: 200 }), (steps) => {
        let map = new SortedMap(SortedEntries.empty({ compare: compareValues, comparator: null }), null);
        const model = new Set<number>();
        for (const [adds, k] of steps) {
          map = adds ? map.assoc(k, k) : map.dissoc(k);
          if (adds) model.add(k);
          else model.delete(k);
        }
        expect(map.count).to.equal(model.size);
        expect(entriesOf(map).map(([k]) => k)).to.deep.equal([...model].toSorted((a, b) => a - b));
        expect(map.entries.root === null ? 0 : map.entries.root.height).to.be.at.most(
          Math.ceil(1.45 * Math.log2(model.size + 2)),
        );
      }),
    );
  });
});
