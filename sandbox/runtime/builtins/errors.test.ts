import { expect } from 'chai';
import { char } from '../values/char.ts';
import { double } from '../values/double.ts';
import { keyword } from '../values/keyword.ts';
import { list } from '../values/seq.ts';
import { mapFromEntries } from '../values/map-builder.ts';
import { regex } from '../regex/pattern.ts';
import { setFrom } from '../values/set.ts';
import { vector } from '../values/vector.ts';
import { builtinValue, call, outcome } from '../testing/builtins.ts';
import { invoke } from '../invoke.ts';

const a = regex('a');
const pattern = a.ok ? a.value : null;
const map = mapFromEntries([]);

/** Rows of functions.md §22: built-in, arguments, reason and class. */
const TABLE: readonly (readonly [string, readonly unknown[], string])[] = [
  ['+', [1, null], 'type_error/NullPointerException'],
  ['inc', [null], 'type_error/NullPointerException'],
  ['subs', [null, 0], 'type_error/NullPointerException'],
  ['name', [null], 'type_error/NullPointerException'],
  ['re-find', [pattern, null], 'type_error/NullPointerException'],
  ['+', [1, 'a'], 'type_error/ClassCastException'],
  ['name', [5], 'type_error/ClassCastException'],
  ['key', [vector([1, 2])], 'type_error/ClassCastException'],
  ['keys', [vector([1])], 'type_error/ClassCastException'],
  ['assoc', [list([1]), 0, 1], 'type_error/ClassCastException'],
  ['conj', ['a', 1], 'type_error/ClassCastException'],
  ['dissoc', [vector([1]), 0], 'type_error/ClassCastException'],
  ['sort', [vector([1, 'a'])], 'type_error/ClassCastException'],
  ['clojure.string/split', ['a', ','], 'type_error/ClassCastException'],
  ['first', [5], 'type_error/IllegalArgumentException'],
  ['map', [builtinValue('inc'), 5], 'type_error/IllegalArgumentException'],
  ['even?', [null], 'type_error/IllegalArgumentException'],
  ['contains?', [list([1]), 0], 'type_error/IllegalArgumentException'],
  ['get-in', [map, keyword(null, 'a')], 'type_error/IllegalArgumentException'],
  ['bit-and', [double(1), 1], 'type_error/IllegalArgumentException'],
  ['parse-long', [null], 'type_error/IllegalArgumentException'],
  ['count', [5], 'type_error/UnsupportedOperationException'],
  ['nth', [map, 0], 'type_error/UnsupportedOperationException'],
  ['nth', [setFrom([1]), 0], 'type_error/UnsupportedOperationException'],
  ['/', [1, 0], 'arithmetic_error/ArithmeticException'],
  ['mod', [5, double(0)], 'arithmetic_error/ArithmeticException'],
  ['int', [3000000000], 'arithmetic_error/ArithmeticException'],
  ['nth', [vector([1]), 5], 'index_error/IndexOutOfBoundsException'],
  ['assoc', [vector([1]), 3, 0], 'index_error/IndexOutOfBoundsException'],
  ['subvec', [vector([1]), 0, 2], 'index_error/IndexOutOfBoundsException'],
  ['subs', ['abc', 5], 'index_error/StringIndexOutOfBoundsException'],
  ['hash-map', [keyword(null, 'a')], 'value_error/IllegalArgumentException'],
  ['conj', [map, vector([1])], 'value_error/IllegalArgumentException'],
  ['assoc', [vector([1]), keyword(null, 'a'), 1], 'value_error/IllegalArgumentException'],
  ['long', [double(1e30)], 'value_error/IllegalArgumentException'],
  ['format', ['%d', 'a'], 'value_error/IllegalFormatException'],
  ['pop', [vector([])], 'value_error/IllegalStateException'],
  ['atom', [0, keyword(null, 'validator'), builtinValue('pos?')], 'value_error/IllegalStateException'],
  ['max', [], 'arity_error/ArityException'],
  ['inc', [1, 2], 'arity_error/ArityException'],
  ['clojure.math/round', ['a'], 'type_error/ClassCastException'],
];

describe('errors of built-ins (functions.md §22)', () => {
  for (const [name, args, expected] of TABLE) {
    it(`${name} of ${args.length} wrong arguments is ${expected}`, () => {
      expect(outcome(() => call(name, ...args))).to.equal(expected);
    });
  }

  const CALLS: readonly (readonly [unknown, readonly unknown[], string])[] = [
    [1, [2], 'not_callable/ClassCastException'],
    ['a', [1], 'not_callable/ClassCastException'],
    [char(97), [1], 'not_callable/ClassCastException'],
    [null, [1], 'not_callable/NullPointerException'],
    [vector([1]), [5], 'index_error/IndexOutOfBoundsException'],
    [vector([1]), [keyword(null, 'a')], 'value_error/IllegalArgumentException'],
    [vector([1]), [0, 1], 'arity_error/ArityException'],
    [keyword(null, 'a'), [], 'arity_error/ArityException'],
    [map, [1, 2, 3], 'arity_error/ArityException'],
  ];
  for (const [callee, args, expected] of CALLS) {
    it(`a call of ${String(callee?.constructor.name)} with ${args.length} arguments is ${expected}`, () => {
      expect(outcome(() => invoke(callee, args))).to.equal(expected);
    });
  }
});
