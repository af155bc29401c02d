import { expect } from 'chai';
import { builtinTable } from '../builtins/table.ts';
import { testEnvironment } from '../testing/builtins.ts';
import { LispError } from '../errors.ts';
import type { LispFunction } from '../invoke.ts';
import { makerNamed } from './makers.ts';

const table = builtinTable(testEnvironment());
const world = { builtin: (name: string): unknown => table.get(name)?.implementation };

/** One that asks for numbers, say, refuses. */
function callWith(f: LispFunction | null, args: readonly unknown[]): void {
  try {
    f?.(...args);
  } catch (error) {
    if (!(error instanceof LispError)) throw error;
  }
}

describe('built-ins that a text may call to make a function', () => {
  it('are those that say so in their row, and call nothing that they are given', () => {
    let calls = 0;
    const spy = (): null => {
      calls += 1;
      return null;
    };
    const makers = table.keys().filter((name) => makerNamed(world, name) !== null);
    expect(makers).to.include.members(['clojure.core/comp', 'clojure.core/partial', 'clojure.core/map']);
    for (const name of makers) {
      const counts = [0, 1, 2, 3].filter((count) => table.get(name)?.direct(count) !== null);
      for (const count of counts)
        callWith(
          makerNamed(world, name),
          Array.from({ length: count }, () => spy),
        );
    }
    expect(calls).to.equal(0);
  });

  it('are no others, whatever the text names', () => {
    for (const name of ['clojure.core/apply', 'clojure.core/swap!', 'clojure.math/PI', 'clojure.core/no-such', ''])
      expect(makerNamed(world, name), name).to.equal(null);
  });
});
