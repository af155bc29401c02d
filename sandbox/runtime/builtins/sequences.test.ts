import { expect } from 'chai';
import fc from 'fast-check';
import { equals } from '../equality.ts';
import type { LispFunction } from '../invoke.ts';
import { printString } from '../print.ts';
import { LazySeq } from '../values/lazy-seq.ts';
import { list, realised } from '../values/seq.ts';
import { vector } from '../values/vector.ts';
import { builtinValue, call, outcome } from '../testing/builtins.ts';

const isOdd = (x: unknown): boolean => typeof x === 'number' && x % 2 !== 0;
const half = (x: unknown): unknown => (typeof x === 'number' ? Math.floor(x / 2) : x);
const orNil = (x: unknown): unknown => (isOdd(x) ? x : null);
const withIndex = (i: unknown, x: unknown): unknown => vector([i, x]);
const twice = (x: unknown): unknown => list([x, x]);

/** Functions that have both a transducer and a sequence form, with their leading arguments. */
const BOTH: readonly (readonly [string, readonly unknown[]])[] = [
  ['map', [half]],
  ['filter', [isOdd]],
  ['remove', [isOdd]],
  ['keep', [orNil]],
  ['map-indexed', [withIndex]],
  ['keep-indexed', [(i: unknown, x: unknown): unknown => (isOdd(i) ? x : null)]],
  ['mapcat', [twice]],
  ['take', [3]],
  ['drop', [3]],
  ['take-while', [isOdd]],
  ['drop-while', [isOdd]],
  ['take-nth', [2]],
  ['partition-all', [2]],
  ['partition-by', [isOdd]],
  ['distinct', []],
  ['dedupe', []],
  ['interpose', [':x']],
  ['replace', [vector([10, 11, 12])]],
];

function counted(f: LispFunction): { readonly f: LispFunction; calls: number } {
  const counter = {
    calls: 0,
    f: (...args: readonly unknown[]): unknown => {
      counter.calls++;
      return f(...args);
    },
  };
  return counter;
}

describe('sequence functions', () => {
  for (const [name, args] of BOTH) {
    it(`${name}: transducer, eager and lazy forms agree`, () => {
      fc.assert(
        fc.property(fc.array(fc.integer({ min: 0, max: 8 }), { maxLength: 20 }), (numbers) => {
          const eager = call(name, ...args, realised(numbers));
          const lazySource = call('map', (x: unknown) => x, new LazySeq(() => realised(numbers), [], null));
          const lazy = call(name, ...args, lazySource);
          expect(lazy).to.be.instanceOf(LazySeq);
          expect(equals(eager, lazy), `${printString(eager)} ${printString(lazy)}`).to.equal(true);
          const transduced = call('into', vector([]), call(name, ...args), vector(numbers));
          expect(equals(eager, transduced), `${printString(eager)} ${printString(transduced)}`).to.equal(true);
          const sequence = call('sequence', call(name, ...args), lazySource);
          expect(equals(eager, sequence)).to.equal(true);
        }),
        { numRuns: 40 },
      );
    });
  }

  it('over finite sources run at once, in order (language.md §6.1)', () => {
    const seen: unknown[] = [];
    call('map', (x: unknown) => seen.push(x), vector([1, 2, 3]));
    expect(seen).to.deep.equal([1, 2, 3]);
  });

  it('over lazy sources do nothing before they are asked, then one element at a time (§6.3, §6.5)', () => {
    const source = counted((x) => (typeof x === 'number' ? x + 1 : x));
    const mapped = call('map', (x: unknown) => x, call('iterate', source.f, 0));
    expect(source.calls).to.equal(0);
    expect(call('first', mapped)).to.equal(0);
    expect(source.calls).to.equal(0);
    expect(call('first', call('next', mapped))).to.equal(1);
    expect(source.calls).to.equal(1);
    call('first', call('next', mapped));
    expect(source.calls).to.equal(1);
  });

  it('take n stops with the n-th item, without asking for another', () => {
    const source = counted((x) => (typeof x === 'number' ? x + 1 : x));
    expect(printString(call('into', vector([]), call('take', 3), call('iterate', source.f, 0)))).to.equal('[0 1 2]');
    expect(source.calls).to.equal(2);
  });

  it('mapcat that meets a lazy part waits with the later callbacks (§6.4)', () => {
    const f = counted((x) => call('iterate', builtinValue('inc'), x));
    const all = call('mapcat', f.f, vector([1, 2]));
    expect(f.calls).to.equal(1);
    expect(printString(call('take', 3, all))).to.equal('(1 2 3)');
    expect(f.calls).to.equal(1);
  });

  it('partition-all flushes its rest after an early stop', () => {
    const xform = call('comp', call('take', 2), call('partition-all', 3));
    expect(printString(call('transduce', xform, builtinValue('conj'), vector([]), vector([1, 2, 3])))).to.equal(
      '[[1 2]]',
    );
  });

  it('sort is stable and agrees with a model', () => {
    const pair = fc.tuple(fc.integer({ min: 0, max: 5 }), fc.nat());
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 60 }), (pairs) => {
        const sorted = call('sort-by', builtinValue('first'), vector(pairs.map((p) => vector(p))));
        const expected = pairs.toSorted((a, b) => a[0] - b[0]);
        expect(equals(sorted, vector(expected.map((p) => vector(p))))).to.equal(true);
      }),
    );
  });

  it('flatten and long lazy chains need no stack', () => {
    let nested: unknown = vector([]);
    for (let i = 0; i < 50_000; i++) nested = vector([i, nested]);
    expect(call('count', call('flatten', nested))).to.equal(50_000);
    let filtered: unknown = call('iterate', builtinValue('inc'), 0);
    filtered = call('filter', (x: unknown) => typeof x === 'number' && x > 100_000, filtered);
    expect(call('first', filtered)).to.equal(100_001);
  });

  it('refuses results beyond ten million elements early (language.md §20)', () => {
    expect(outcome(() => call('repeat', 10_000_001, null))).to.equal('memory_exceeded');
    expect(outcome(() => call('vec', call('range', 1e9)))).to.equal('memory_exceeded');
    expect(outcome(() => call('svc.core/combinations', call('range', 40), 20))).to.equal('memory_exceeded');
  });

  it('holds a finite range as numbers', () => {
    expect(call('count', call('range', 1e12))).to.equal(1e12);
    expect(call('nth', call('range', 1e12), 1e11)).to.equal(1e11);
  });
});
