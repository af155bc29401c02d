/**
 * Hostile components: what compiling them comes to, and that their initialisers are bounded like programs (language.md
 * §13).
 */
import { expect } from 'chai';
import type { CompileReply, GuestOutcome } from '../../../contract/sandbox-protocol.ts';
import { productGuest, useSandboxUnderTest } from '../../testing/sandbox-under-test.ts';

/** Heap of a bundle's compilation (language.md §13). */
const HEAP_WORDS = 8_000_000;
const DEADLINE_MS = 1000;
const AMPLE_MS = 60_000;

/** What may come of a component: reasons of faults, or outcomes of the request. */
const HOSTILE: readonly (readonly [title: string, source: string, expected: readonly string[]])[] = [
  ['nesting without end', '('.repeat(100_000), ['parse_error']],
  ['forms nested once too deep', `(def x ${'['.repeat(200)}${']'.repeat(200)})`, ['parse_error']],
  ['steps of a threading form', `(def x (-> 1 ${'inc '.repeat(10_000)}))`, ['invalid_form']],
  [
    'a hundred thousand names',
    `(def x [${Array.from({ length: 100_000 }, (_, index) => `:k${index}`).join(' ')}])`,
    ['symbol_limit_exceeded'],
  ],
  ['an integer of too many digits', `(def x ${'9'.repeat(1_000_000)})`, ['parse_error']],
  ['a string of a million units', `(def x "${'a'.repeat(1_000_000)}")`, ['compiled']],
  ['a pattern that is too long', `(def x #"${'a'.repeat(10_001)}")`, ['parse_error']],
  ['more source than a set may have', `(def x "${'a'.repeat(2_000_000)}")`, ['program_too_large']],
  [
    'an initialiser with a pattern that backtracks',
    '(def x (re-find #"(x+x+)+y" (apply str (repeat 5000 "x"))))',
    ['regex_limit_exceeded'],
  ],
  ['an initialiser that never ends', '(def x (loop [] (recur)))', ['timeout']],
  ['an initialiser that calls itself without end', '(defn f [] (inc (f))) (def x (f))', ['compile_memory_exceeded']],
  [
    'an initialiser that realises an endless seq',
    '(def x (vec (range)))',
    ['compile_memory_exceeded', 'memory_exceeded', 'timeout'],
  ],
  ['an initialiser with a giant format', '(def x (format "%1000001s" "a"))', ['compile_memory_exceeded']],
  [
    'an initialiser that joins a giant text',
    '(def x (clojure.string/join (repeat 1000000000 "x")))',
    ['compile_memory_exceeded'],
  ],
  [
    'an initialiser that catches what ends it',
    '(defn f [] (inc (f))) (def x (try (f) (catch Throwable _ 1)))',
    ['compile_memory_exceeded'],
  ],
  ['an endless seq as a value', '(def x (range))', ['compile_error']],
  ['an atom in itself as a value', '(def x (let [a (atom nil)] (reset! a a) a))', ['compile_error']],
  ['an atom behind a function as a value', '(def x (let [a (atom 1)] (fn [] a)))', ['compile_error']],
  ['a return as an initialiser', '(def x (return 1))', ['compile_error']],
];

function verdictOf(outcome: GuestOutcome<CompileReply>): string {
  if (outcome.status !== 'replied') return outcome.status;
  return outcome.reply.status === 'refused' ? outcome.reply.fault.reason : outcome.reply.status;
}

describe('hostile components', () => {
  const built = useSandboxUnderTest(productGuest, { startsFor: 'block' });

  for (const [title, source, expected] of HOSTILE) {
    it(title, async () => {
      const isolate = await built.sandbox.openIsolate({
        environment: 'workflow',
        trustDomain: 'components',
        heapWords: HEAP_WORDS,
      });
      const components = [{ id: 'hostile', source: `(ns hostile)\n${source}`, dependencies: [] }];
      const outcome = await isolate.request(
        { operation: 'compile', environment: 'workflow', components },
        {
          timeoutMs: expected.includes('timeout') ? DEADLINE_MS : AMPLE_MS,
          onCapabilityCall: () => Promise.resolve('{"reply":"value","value":1}'),
        },
      );
      await isolate.dispose();
      expect(verdictOf(outcome)).to.be.oneOf(expected);
    });
  }
});
