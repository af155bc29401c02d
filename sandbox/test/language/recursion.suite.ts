/** How deep programs may call (language.md §20): what must return does, and what never ends is told from it. */
import { expect } from 'chai';
import { join } from 'node:path';
import type { Sandbox } from '../../pool/interface.ts';
import { startSandbox } from '../../pool/pool.ts';

const dist = join(import.meta.dirname, '../../../dist');
/** Heap of an evaluation (language.md §20). */
const HEAP_WORDS = 1_250_000;

const DEEP: readonly (readonly [title: string, source: string])[] = [
  ['a function that calls itself', '(defn deep [n] (if (zero? n) 0 (inc (deep (dec n))))) (deep 10000)'],
  [
    'two functions that call each other',
    '(declare b) (defn a [n] (if (zero? n) 0 (inc (b (dec n))))) (defn b [n] (inc (a (dec n)))) (a 10000)',
  ],
  [
    'calls through apply within try',
    '(defn deep [n] (try (if (zero? n) 0 (inc (apply deep [(dec n)]))) (catch Exception _ -1))) (deep 10000)',
  ],
  [
    'calls through reduce',
    '(defn deep [n] (if (zero? n) 0 (inc (reduce (fn [a _] (+ a (deep (dec n)))) 0 [1])))) (deep 10000)',
  ],
  [
    'calls through map',
    '(defn deep [n] (if (zero? n) 0 (inc (first (map (fn [_] (deep (dec n))) [1]))))) (deep 10000)',
  ],
  [
    'a list built from its end',
    '(defn copy [xs] (if (empty? xs) () (cons (first xs) (copy (rest xs))))) (count (copy (range 10000)))',
  ],
  ['data nested as deep', '(+ 9999 (count (flatten (reduce (fn [inner _] [inner]) [1] (range 10000)))))'],
];

const ENDLESS: readonly (readonly [title: string, source: string])[] = [
  ['a function that calls itself', '(defn f [n] (inc (f (inc n)))) (f 0)'],
  ['calls through map', '(defn f [n] (first (map (fn [x] (inc (f x))) [n]))) (f 0)'],
  ['calls within a try that catches everything', '(defn f [n] (try (inc (f n)) (catch Throwable _ 7))) (f 0)'],
];

/** Built-ins of many parts of the guest, most of which are made when they are first called. */
const SELDOM: readonly string[] = [
  '(format "%08.3f" 1.5)',
  '(re-seq #"a(b)c" "abcabc")',
  '(clojure.set/union #{1} #{2})',
  '(clojure.walk/postwalk identity [1 [2]])',
  '(partition-all 2 [1 2 3])',
  '(clojure.string/replace "abc" #"b" "c")',
  '(read-string "{:a [1 2 #{3}]}")',
  '(json/parse-string "[1,2]")',
  '(re-find #"(?i)x+" "aXX")',
  '(re-find #"\\p{Lu}" "aXX")',
  '(group-by odd? [1 2 3])',
  '(java.time.LocalDate/parse "2020-01-01")',
  '(sorted-map :a 1 :b 2)',
  '(pr-str {:a 1.5})',
];
/** Levels before the deepest at which one of them is called: below, the engine itself needs room to make it. */
const LEVELS_BEFORE: readonly number[] = [0, 5, 10, 20, 40, 80, 120, 200];
const AT_MOST = 2 ** 20;

const calling = (called: string, levels: number): string =>
  `(defn f [n] (if (zero? n) (do ${called} 0) (inc (f (dec n))))) (f ${levels})`;

describe('recursion', () => {
  let sandbox: Sandbox;
  before(() => {
    sandbox = startSandbox({
      hostScript: join(dist, 'sandbox-host.cjs'),
      guestImage: join(dist, 'guest.snapshot'),
      readableFolders: [dist],
      isolatesPerHost: 2,
    });
  });
  after(async () => {
    await sandbox.close();
  });

  async function outcome(source: string, environment: 'mission' | 'workflow' = 'mission'): Promise<string> {
    const isolate = await sandbox.openIsolate({ environment, trustDomain: 'recursion', heapWords: HEAP_WORDS });
    try {
      const answer = await isolate.request(
        {
          operation: 'evaluate',
          environment,
          source,
          data: {},
          tools: [],
          loop_iterations: null,
          projection: 'printed',
        },
        { timeoutMs: 60_000 },
      );
      if (answer.status !== 'replied') return answer.status;
      return answer.reply.outcome === 'evaluation_error'
        ? answer.reply.fault.reason
        : (answer.reply.value ?? answer.reply.outcome);
    } finally {
      await isolate.dispose();
    }
  }

  for (const [title, source] of DEEP) {
    it(`goes 10,000 levels deep: ${title}`, async () => {
      expect(await outcome(source)).to.equal('10000');
    });
  }

  describe('near the end of the stack', () => {
    let deepest: number;
    before(async () => {
      deepest = 0;
      for (let step = AT_MOST; step >= 1; step /= 2) {
        const levels = deepest + step;
        if ((await outcome(calling('nil', levels), 'workflow')) === String(levels)) deepest = levels;
      }
    });

    for (const seldom of SELDOM) {
      it(`calls ${seldom} or ends as memory_exceeded`, async () => {
        for (const before of LEVELS_BEFORE) {
          const levels = deepest - before;
          expect(await outcome(calling(seldom, levels), 'workflow'), String(before)).to.be.oneOf([
            String(levels),
            'memory_exceeded',
          ]);
        }
      });
    }
  });

  for (const [title, source] of ENDLESS) {
    it(`ends as memory_exceeded where it never returns: ${title}`, async () => {
      expect(await outcome(source)).to.equal('memory_exceeded');
    });
  }
});
