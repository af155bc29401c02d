import { expect } from 'chai';
import fc from 'fast-check';
import { EMPTY_VECTOR, vector, type Vector, VectorBuilder } from './vector.ts';

type Change =
  | { readonly kind: 'conj'; readonly value: number }
  | { readonly kind: 'pop' }
  | { readonly kind: 'assoc'; readonly at: number; readonly value: number };

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constant('conj' as const), value: fc.integer() }),
  fc.record({ kind: fc.constant('pop' as const) }),
  fc.record({ kind: fc.constant('assoc' as const), at: fc.nat(), value: fc.integer() }),
);

function applied(start: Vector, model: number[], changes: readonly Change[]): Vector {
  let made = start;
  for (const step of changes) {
    if (step.kind === 'conj') {
      made = made.conj(step.value);
      model.push(step.value);
    } else if (model.length > 0) {
      if (step.kind === 'pop') {
        made = made.pop();
        model.pop();
      } else {
        const at = step.at % model.length;
        made = made.assocAt(at, step.value);
        model[at] = step.value;
      }
    }
  }
  return made;
}

describe('vector', () => {
  it('agrees with an array under conj, pop and assoc, whatever size it starts from', () => {
    const sizes = fc.constantFrom(0, 1, 31, 32, 33, 63, 64, 1023, 1024, 1055, 1056, 1057, 1088, 32_800, 33_825);
    fc.assert(
      fc.property(sizes, fc.array(change, { maxLength: 90 }), (size, changes) => {
        const model = Array.from({ length: size }, (_x, i) => i);
        const made = applied(vector(model.slice()), model, changes);
        expect(made.count).to.equal(model.length);
        expect(made.toArray()).to.deep.equal(model);
        expect(model.every((value, i) => made.at(i) === value)).to.equal(true);
      }),
      { numRuns: 60 },
    );
  });

  it('keeps every version it came from', () => {
    const before = vector(Array.from({ length: 1056 }, (_x, i) => i));
    const changed = before.conj('new').assocAt(0, 'changed').pop();
    expect(before.count).to.equal(1056);
    expect(before.at(0)).to.equal(0);
    expect(changed.at(0)).to.equal('changed');
  });

  it('is built the same by a builder, and stays when the builder goes on', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1100 }), fc.integer({ min: 0, max: 1100 }), (first, more) => {
        const builder = new VectorBuilder(EMPTY_VECTOR);
        for (let i = 0; i < first; i++) builder.push(i);
        const early = builder.build(null);
        for (let i = first; i < first + more; i++) builder.push(i);
        expect(early.toArray()).to.deep.equal(Array.from({ length: first }, (_x, i) => i));
        expect(builder.build(null).toArray()).to.deep.equal(Array.from({ length: first + more }, (_x, i) => i));
      }),
      { numRuns: 30 },
    );
  });
});
