import { expect } from 'chai';
import { guestUnderTest } from '../testing/guest-under-test.ts';

/** Programs, and the operation that their error names (language.md §17). */
const NAMED: readonly (readonly [source: string, operation: string])[] = [
  ['(inc nil)', 'inc'],
  ['(dec nil)', 'dec'],
  ["(inc' nil)", "inc'"],
  ["(dec' nil)", "dec'"],
  ['(+ nil 1)', '+'],
  ['(- nil)', '-'],
  ['(* 2 nil)', '*'],
  ["(+' 1 nil)", "+'"],
  ["(+' nil)", "+'"],
  ["(-' nil)", "-'"],
  ["(-' 1 nil)", "-'"],
  ["(*' 1 2 nil)", "*'"],
  ['(mod nil 2)', 'mod'],
  ['(rem nil 2)', 'rem'],
  ['(-> nil inc dec)', 'inc'],
  ['(map inc [1 nil])', 'inc'],
  ['(apply dec [nil])', 'dec'],
  ['(update {} :n inc)', 'inc'],
  ['(update 5 :n identity)', 'update'],
  ['(assoc-in {:a 5} [:a :b] 1)', 'assoc-in'],
  ['(loop [i 0 x nil] (if (< i 3) (recur (inc i) (dec x)) x))', 'dec'],
  ['(loop [i 0] (if (< i 3) (recur (inc i)) (inc nil)))', 'inc'],
  ['(max-key :n {:n 1} {:n nil})', 'max-key'],
  ['(reduce + [1 nil])', '+'],
];

describe('type errors of programs', () => {
  const guest = guestUnderTest();
  for (const [source, operation] of NAMED) {
    it(`${source} names ${operation}`, () => {
      const reply = guest.evaluate(source);
      if (reply.outcome !== 'evaluation_error') throw new Error(reply.outcome);
      expect(reply.fault.message)
        .to.match(/^\S+: /)
        .and.satisfy((message: string) => message.startsWith(`${operation}: `));
      expect(reply.fault.public_error?.message)
        .to.match(/^\S+ takes |^\S+ does not take /)
        .and.satisfy((message: string) => message.startsWith(`${operation} `));
    });
  }
});
