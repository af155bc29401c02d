import { expect } from 'chai';
import { guestUnderTest } from '../testing/guest-under-test.ts';

/** Programs that a limit ends, what their `finally` forms try, and the limit that stays. */
const PROGRAMS: readonly (readonly [source: string, reason: string])[] = [
  ['(try (loop [] (recur)) (finally (return 1)))', 'loop_limit_exceeded'],
  ['(try (loop [] (recur)) (finally (fail 1)))', 'loop_limit_exceeded'],
  [
    '(try (try (loop [] (recur)) (finally (throw (ex-info "x" {})))) (catch Throwable e :caught))',
    'loop_limit_exceeded',
  ],
  ['(try (loop [] (recur)) (finally (loop [] (recur))))', 'loop_limit_exceeded'],
  ['(try (loop [] (recur)) (finally (loop [s ""] (recur (str s)))))', 'loop_limit_exceeded'],
  ['(try (loop [] (recur)) (finally (dorun (iterate inc 0))))', 'loop_limit_exceeded'],
  ['(defn f [] (inc (f))) (try (f) (finally (loop [] (recur))))', 'memory_exceeded'],
  ['(defn f [] (try (inc (f)) (finally (f)))) (f)', 'memory_exceeded'],
  ['(defn f [] (try (inc (f)) (finally (return 1)))) (f)', 'memory_exceeded'],
  [
    '(try (loop [] (recur)) (finally (try (throw (ex-info "x" {})) (catch Throwable e (loop [] (recur))))))',
    'loop_limit_exceeded',
  ],
  ['(try (re-find #"(a+)+b" (apply str (repeat 3000 "a"))) (finally (loop [] (recur))))', 'regex_limit_exceeded'],
];

describe('finally after a limit (language.md §10)', () => {
  for (const [source, reason] of PROGRAMS) {
    it(`${source}: ${reason}`, () => {
      expect(guestUnderTest().evaluate(source, { loop_iterations: 1000 })).to.have.nested.property(
        'fault.reason',
        reason,
      );
    });
  }

  it('runs, and has loops of its own', () => {
    const reply = guestUnderTest().evaluate(
      '(try (loop [] (recur)) (finally (loop [i 0] (if (< i 2000) (recur (inc i)) (println "turns" i)))))',
      { loop_iterations: 1000 },
    );
    expect(reply).to.have.nested.property('fault.reason', 'loop_limit_exceeded');
    expect(reply.prints).to.deep.equal(['turns 2000']);
  });

  it('ends when its steps, of all loops together, are spent', () => {
    const loop = (turns: number): string => `(loop [i 0] (if (< i ${turns}) (recur (inc i)) (println "done")))`;
    const reply = guestUnderTest().evaluate(`(try (loop [] (recur)) (finally ${loop(10)} ${loop(100_000)}))`, {
      loop_iterations: 1000,
    });
    expect(reply.prints).to.deep.equal(['done']);
  });

  it('leaves nothing behind for the next evaluation', () => {
    const guest = guestUnderTest();
    guest.evaluate('(try (loop [] (recur)) (finally (loop [] (recur))))', { loop_iterations: 1000 });
    expect(
      guest.evaluate('(try (loop [i 0] (if (< i 1000) (recur (inc i)) i)) (finally (nth [] 1)))', {
        loop_iterations: 1000,
      }),
    ).to.have.nested.property('fault.reason', 'index_error');
    expect(guest.evaluate('(try (nth [] 1) (catch Exception e (count (take 200000 (iterate inc 0)))))')).to.include({
      value: '200000',
    });
  });
});
