import { expect } from 'chai';
import fc from 'fast-check';
import { equals, hash } from '../equality.ts';
import { compareValues } from '../comparison.ts';
import { keyword } from './keyword.ts';
import { EMPTY_SET, type LispSet, SetBuilder, setFrom } from './set.ts';
import { SortedEntries } from './sorted-entries.ts';
import { SortedSet } from './sorted-set.ts';
import { ABSENT } from './map.ts';
import { list } from './seq.ts';

const EMPTY_SORTED = new SortedSet(SortedEntries.empty({ compare: compareValues, comparator: null }), null);

/** Members, some of one hash; and what is done with each. */
const member = fc.oneof(
  fc.integer({ min: -30, max: 30 }).map((number) => String(number)),
  fc.constantFrom('Aa', 'BB', 'AaAa', 'BBBB', 'AaBB', 'BBAa'),
);
const steps = fc.array(fc.tuple(fc.boolean(), member), { maxLength: 150 });

describe('sets', () => {
  for (const [kind, empty] of [
    ['hash', EMPTY_SET],
    ['sorted', EMPTY_SORTED],
  ] as const) {
    it(`of the ${kind} kind agree with a Set under conj and disj, and keep every version they came from`, () => {
      fc.assert(
        fc.property(steps, (used) => {
          const model = new Set<string>();
          const versions: (readonly [LispSet, readonly string[]])[] = [];
          let set: LispSet = empty;
          for (const [adds, value] of used) {
            set = adds ? set.conj(value) : set.disj(value);
            if (adds) model.add(value);
            else model.delete(value);
            versions.push([set, [...model].toSorted()]);
          }
          for (const [version, members] of versions) {
            expect(version.count).to.equal(members.length);
            expect(version.toArray().map(String).toSorted()).to.deep.equal(members);
          }
          for (const [, value] of used) expect(set.lookup(value)).to.equal(model.has(value) ? value : ABSENT);
        }),
      );
    });
  }

  it('are equal and hash alike whatever their kind and history', () => {
    fc.assert(
      fc.property(fc.uniqueArray(member, { maxLength: 40 }), (members) => {
        let grown: LispSet = EMPTY_SET.conj('gone');
        let sorted: LispSet = EMPTY_SORTED;
        for (const value of members.toReversed()) [grown, sorted] = [grown.conj(value), sorted.conj(value)];
        for (const other of [grown.disj('gone'), sorted]) {
          expect(equals(setFrom(members), other)).to.equal(true);
          expect(hash(other)).to.equal(hash(setFrom(members)));
        }
      }),
    );
  });

  it('in a builder hold what they would hold without one, in the same order', () => {
    fc.assert(
      fc.property(fc.array(member, { maxLength: 60 }), fc.array(member, { maxLength: 60 }), (first, more) => {
        const start = setFrom(first);
        const before = start.toArray();
        const builder = new SetBuilder(start);
        let plain: LispSet = start;
        for (const value of more) {
          builder.add(value);
          plain = plain.conj(value);
        }
        expect(builder.build().toArray()).to.deep.equal(plain.toArray());
        expect(start.toArray()).to.deep.equal(before);
      }),
    );
  });

  it('keep the member that was there when an equal one is added', () => {
    const there = list([1, keyword(null, 'a')]);
    const set = setFrom([there]);
    expect(set.conj(list([1, keyword(null, 'a')])).toArray()[0]).to.equal(there);
    expect(EMPTY_SORTED.conj('a').conj('a').count).to.equal(1);
  });
});
