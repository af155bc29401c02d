import { expect } from 'chai';
import { guards, LispError } from '../errors.ts';
import { functionFacts } from '../functions.ts';
import { isFunction } from '../invoke.ts';
import { builtinNames, builtinValue } from '../testing/builtins.ts';
import { keyword } from '../values/keyword.ts';
import { mapFromEntries } from '../values/map-builder.ts';
import { vector } from '../values/vector.ts';

const K = keyword(null, 'k');
/** Something for every position that most functions do not take there; no functions, whose own errors would be told. */
const VALUES: readonly unknown[] = [null, 5, 'a', K, vector([1, 2]), mapFromEntries([K, 1])];

/** They answer with endless seqs, which are never asked, or call keywords and maps as functions. */
const CALLERS =
  /^clojure\.(?:core\/(?:apply|trampoline|max-key|min-key|map|mapv|reduce|sort-by|.*-by|.*-with)|set\/select|walk\/.*)$/;

/**
 * Other names that a message may give: the reference's text tells what is no seq without naming a function, and
 * language.md or functions.md describe these in terms of the other function.
 */
const ALSO: readonly (readonly [name: RegExp, other: string])[] = [
  [/./, 'seq'],
  [/^clojure\.core\/(?:sort|sorted-.*)$/, 'compare'],
  [/^svc\.core\/(?:max|min)-by$/, 'compare'],
  [/^clojure\.set\//, 'conj'],
  [/^clojure\.set\//, 'disj'],
  [/^clojure\.set\//, 'contains?'],
  [/^clojure\.set\//, 'count'],
];

function* choices(count: number): Generator<readonly unknown[]> {
  if (count === 0) yield [];
  else for (const before of choices(count - 1)) for (const value of VALUES) yield [...before, value];
}

/** The operation that an error of this call names, null where there is no error or it names none. */
function namedOperation(f: (...args: readonly unknown[]) => unknown, args: readonly unknown[]): string | null {
  try {
    f(...args);
  } catch (thrown) {
    if (!(thrown instanceof LispError) || thrown.reason !== 'type_error') return null;
    return thrown.facts?.operation ?? /^(\S+): /.exec(thrown.message ?? '')?.[1] ?? null;
  }
  return null;
}

describe('type errors of built-ins (language.md §17)', () => {
  // As inside of a `try`: where each of so many errors was raised is not asked.
  before(() => {
    guards.depth += 1;
  });
  after(() => {
    guards.depth -= 1;
  });

  it('name the function that was called', () => {
    const wrong = new Set<string>();
    for (const name of builtinNames().filter((each) => !CALLERS.test(each))) {
      const f = builtinValue(name);
      if (!isFunction(f)) continue;
      const own = name.slice(name.indexOf('/') + 1);
      const arity = functionFacts(f)?.arity ?? { most: 0, rest: false };
      for (let count = 1; count <= Math.min(3, arity.most + (arity.rest ? 1 : 0)); count += 1) {
        for (const args of choices(count)) {
          const named = namedOperation(f, args);
          if (
            named !== null &&
            named !== own &&
            !ALSO.some(([pattern, other]) => named === other && pattern.test(name))
          )
            wrong.add(`${name} tells of ${named}`);
        }
      }
    }
    expect([...wrong]).to.deep.equal([]);
  });
});
