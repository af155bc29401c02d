import { expect } from 'chai';
import fc from 'fast-check';
import { equals } from '../equality.ts';
import { printString } from '../print.ts';
import { call, outcome } from '../testing/builtins.ts';
import { mapFromEntries } from '../values/map-builder.ts';
import { setFrom } from '../values/set.ts';
import { vector } from '../values/vector.ts';

const numbers = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 60 });
const changes = fc.array(fc.tuple(fc.constantFrom('add', 'drop'), fc.integer({ min: 0, max: 40 })), { maxLength: 120 });

/** A function of a transient and its persistent form. */
const PAIRS: Readonly<Record<string, readonly [add: string, drop: string]>> = {
  set: ['conj', 'disj'],
  map: ['assoc', 'dissoc'],
  vector: ['conj', 'pop'],
};

describe('transients', () => {
  for (const kind of ['set', 'map', 'vector'] as const) {
    it(`of a ${kind} hold what the persistent functions give, and leave what they were made of`, () => {
      fc.assert(
        fc.property(numbers, changes, (start, used) => {
          const from =
            kind === 'set'
              ? setFrom(start)
              : kind === 'map'
                ? call('zipmap', vector(start), vector(start))
                : vector(start);
          const before = printString(from);
          const [add, drop] = PAIRS[kind] ?? ['', ''];
          let plain: unknown = from;
          let transient = call('transient', from);
          for (const [change, value] of used) {
            if (kind === 'vector' && change === 'drop' && call('count', plain) === 0) continue;
            const args =
              kind === 'vector' && change === 'drop'
                ? []
                : kind === 'map' && change === 'add'
                  ? [value, value]
                  : [value];
            const name = change === 'add' ? add : drop;
            plain = call(name, plain, ...args);
            transient = call(`${name}!`, transient, ...args);
            expect(call('count', transient)).to.equal(call('count', plain));
          }
          const made = call('persistent!', transient);
          expect(equals(made, plain), `${printString(made)} ${printString(plain)}`).to.equal(true);
          expect(printString(from)).to.equal(before);
        }),
      );
    });
  }

  it('are of no use after persistent!', () => {
    const transient = call('transient', vector([1]));
    call('persistent!', transient);
    for (const use of [
      () => call('conj!', transient, 1),
      () => call('count', transient),
      () => call('persistent!', transient),
    ]) {
      expect(outcome(use)).to.equal('value_error/IllegalAccessError');
    }
  });

  it('of array maps become hash maps with the ninth key', () => {
    let transient = call('transient', mapFromEntries([]));
    for (let key = 0; key < 9; key += 1) transient = call('assoc!', transient, key, key);
    expect(printString(call('persistent!', transient))).to.equal(
      printString(call('hash-map', ...Array.from({ length: 18 }, (_, index) => index >> 1))),
    );
  });
});
