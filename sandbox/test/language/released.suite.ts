/**
 * Long seqs in the memory of a mission: what is walked is let go, and what is made at once takes little for each
 * element.
 */
import { expect } from 'chai';
import { join } from 'node:path';
import type { Sandbox } from '../../pool/interface.ts';
import { startSandbox } from '../../pool/pool.ts';

const dist = join(import.meta.dirname, '../../../dist');
/** Heap of an evaluation (language.md §20). */
const HEAP_WORDS = 1_250_000;
const WORKFLOW_HEAP_WORDS = 8_000_000;

/** Each would hold a multiple of the heap, if the head of a seq, or a cell behind it, were held. */
const WALKED: readonly (readonly [source: string, value: string])[] = [
  ['(reduce + (take 50000 (iterate inc 0)))', '1249975000'],
  ['(reduce + (take 500000 (iterate inc 0)))', '124999750000'],
  ['(count (map inc (range 200000)))', '200000'],
  ['(->> (range) (map inc) (filter even?) (take 200000) (reduce +))', '40000200000'],
  ['(last (take 500000 (iterate inc 0)))', '499999'],
  ['(nth (iterate inc 0) 500000)', '500000'],
  ['(first (drop 500000 (iterate inc 0)))', '500000'],
  ['(first (filter #(> % 500000) (iterate inc 0)))', '500001'],
  ['(some #(when (> % 500000) %) (iterate inc 0))', '500001'],
  ['(count (drop-while #(< % 400000) (range 500000)))', '100000'],
  ['(reduce + (distinct (map #(mod % 10) (range 500000))))', '45'],
  ['(count (concat [1] (map inc (range 500000)) [2]))', '500002'],
  ['(reduce + (for [x (range 500000) :when (odd? x)] x))', '62500000000'],
  ['(reduce + (mapcat #(list % %) (range 300000)))', '89999700000'],
  ['(doseq [x (map inc (range 500000))] x)', 'nil'],
  ['(let [xs (map inc (range 500000))] (reduce + xs))', '125000250000'],
  ['(let [xs (iterate inc 0)] (reduce + (take 500000 xs)))', '124999750000'],
  ['(defn f [xs] (count xs)) (f (map inc (range 500000)))', '500000'],
  ['(defn f [xs] (reduce + xs)) (let [xs (map inc (range 500000))] (f xs))', '125000250000'],
  ['(defn nums [n] (map inc (range n))) (count (nums 500000))', '500000'],
  ['(defn nums [n] (map inc (range n))) (let [xs (nums 500000)] (if (seq xs) (reduce + xs) 0))', '125000250000'],
  ['(defn evens [xs] (filter even? xs)) (count (evens (map inc (range 500000))))', '250000'],
  [
    '(defn total [xs] (let [evens (filter even? xs)] (reduce + 0 evens))) (total (for [x (range 500000)] x))',
    '62499750000',
  ],
  ['(let [xs (map inc (range 500000))] (println (first xs)) (reduce + xs))', '125000250000'],
  ['(let [xs (map inc (range 500000))] (loop [s xs n 0] (if (seq s) (recur (rest s) (inc n)) n)))', '500000'],
  ['(defn f [xs] (loop [s xs n 0] (if (seq s) (recur (rest s) (inc n)) n))) (f (map inc (range 500000)))', '500000'],
  ['(let [[a & r] (map inc (range 500000))] (reduce + a r))', '125000250000'],
  ['(let [xs (map inc (range 500000)) ys (filter odd? xs)] (doseq [y ys] y))', 'nil'],
  ['(->> (range 500000) (map inc) ((fn [xs] (count xs))))', '500000'],
  ['(loop [s (iterate inc 0)] (if (> (first s) 500000) (first s) (recur (rest s))))', '500001'],
];

/** At once: 16 bytes for each element of a result, and the texts. */
const MADE: readonly (readonly [source: string, value: string])[] = [
  ['(count (str/join "," (range 200000)))', '1288889'],
  ['(count (apply str (range 200000)))', '1088890'],
  ['(count (map inc (vec (range 300000))))', '300000'],
  ['(count (mapv inc (range 300000)))', '300000'],
  ['(count (map inc (map inc (map inc (vec (range 100000))))))', '100000'],
  ['(loop [v (vec (range 100000)) n 0] (if (seq v) (recur (subvec v 1) (inc n)) n))', '100000'],
];

describe('long seqs in the memory of a mission', () => {
  let sandbox: Sandbox;
  before(() => {
    sandbox = startSandbox({
      hostScript: join(dist, 'sandbox-host.cjs'),
      guestImage: join(dist, 'guest.snapshot'),
      readableFolders: [dist],
      isolatesPerHost: 1,
    });
  });
  after(async () => {
    await sandbox.close();
  });

  it('a result far too large for the world is made, so that what refuses it can name its limit', async () => {
    const isolate = await sandbox.openIsolate({
      environment: 'workflow',
      trustDomain: 'long-seqs',
      heapWords: WORKFLOW_HEAP_WORDS,
    });
    try {
      const outcome = await isolate.request(
        {
          operation: 'evaluate',
          environment: 'workflow',
          source: '(vec (range 2000000))',
          data: {},
          tools: [],
          loop_iterations: null,
          projection: 'json',
        },
        { timeoutMs: 60_000 },
      );
      expect(outcome).to.have.property('status', 'replied');
      expect(outcome).to.have.nested.property('reply.value').that.has.length(14_888_891);
    } finally {
      await isolate.dispose();
    }
  });

  for (const [source, value] of [...WALKED, ...MADE]) {
    it(source, async () => {
      const isolate = await sandbox.openIsolate({
        environment: 'mission',
        trustDomain: 'long-seqs',
        heapWords: HEAP_WORDS,
      });
      try {
        const outcome = await isolate.request(
          {
            operation: 'evaluate',
            environment: 'mission',
            source,
            data: {},
            tools: [],
            loop_iterations: null,
            projection: 'printed',
          },
          { timeoutMs: 60_000 },
        );
        expect(outcome).to.have.property('status', 'replied');
        expect(outcome).to.have.nested.property('reply.value', value);
      } finally {
        await isolate.dispose();
      }
    });
  }
});
