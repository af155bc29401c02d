/** The system prompt says nothing of svc-lisp that is not so (agent-library.md §7). */
import { expect } from 'chai';
import { useAgents } from './agent-run.ts';
import { librarySource } from '../../../sandbox/test/libraries/library-program.ts';

/** Words of the prompt, and programs of a mission that show them: each with how it ends and its value. */
const CLAIMS: readonly (readonly [string, readonly (readonly [string, string, unknown?])[]])[] = [
  [
    'it is *1 in the next program (*2 and *3 are those before)',
    [
      ['1', 'continued'],
      ['2', 'continued'],
      ['3', 'continued'],
      ['(return [*1 *2 *3])', 'returned', [3, 2, 1]],
    ],
  ],
  [
    'End with nil when a program only defines',
    [
      ['(def kept 7) nil', 'continued'],
      ['(return kept)', 'returned', 7],
    ],
  ],
  [
    'A program that failed keeps none of its own',
    [
      ['(def kept 7)', 'continued'],
      ['(def kept 8) (/ 1 0)', 'evaluation_error'],
      ['(return kept)', 'returned', 7],
    ],
  ],
  ['(fail reason) gives the task up', [['(fail "no")', 'failed', 'no']]],
  ['(return value) completes the task', [['(do (return 1) 2)', 'returned', 1]]],
  [
    'def defn fn let loop/recur if when cond case for doseq -> ->> try/catch, destructuring',
    [
      [
        '(def a 1) (defn f [{:keys [x] :or {x 2}} & [y]] (+ x (or y 0))) (return [(f {} 3) ((fn [n] (inc n)) a)])',
        'returned',
        [5, 2],
      ],
      [
        '(return [(let [[a & more] [1 2 3]] more) (loop [n 0] (if (< n 3) (recur (inc n)) n)) (when true 1) (cond false 1 :else 2) (case 3 3 "c" "d") (for [x [1 2] :when (odd? x)] x) (-> 1 inc) (->> [1 2] (map inc))])',
        'returned',
        [[2, 3], 3, 1, 2, 'c', [1], 2, [2, 3]],
      ],
      [
        '(def seen (atom [])) (doseq [x [1 2]] (swap! seen conj x)) (return [@seen (try (/ 1 0) (catch Throwable e "caught"))])',
        'returned',
        [[1, 2], 'caught'],
      ],
    ],
  ],
  [
    'vectors maps sets, lazy sequences, atoms, multimethods, pmap',
    [
      [
        '(defmulti kind :k) (defmethod kind "a" [_] "A") (defmethod kind :default [_] "other") (return [(kind {:k "a"}) (kind {}) (take 3 (iterate inc 0)) (contains? #{1} 1) (pmap inc [1 2])])',
        'returned',
        ['A', 'other', [0, 1, 2], true, [2, 3]],
      ],
    ],
  ],
  [
    'Prefixes without require: str/ set/ walk/ edn/ math/ json/',
    [
      [
        '(return [(str/upper-case "a") (set/union #{1} #{1}) (walk/postwalk identity [1]) (edn/read-string "[1]") (math/sqrt 4.0) (json/parse-string "{\\"a\\":1}")])',
        'returned',
      ],
    ],
  ],
  [
    "Regexes are Java's",
    [
      [
        '(return [(re-find #"(?i)B+" "abbc") (re-matches #"\\p{Upper}[a-z&&[^b]]*" "Ac") (re-seq #"\\d" "a1b2")])',
        'returned',
        ['bb', 'Ac', ['1', '2']],
      ],
    ],
  ],
  [
    'Added: describe sum-by avg-by max-by min-by',
    [
      [
        '(def rows [{"n" 1} {"n" 3}]) (return [(map? (describe rows)) (sum-by :n rows) (avg-by :n rows) (max-by :n rows) (min-by :n rows)])',
        'returned',
        [true, 4, 2, { n: 3 }, { n: 1 }],
      ],
    ],
  ],
  [
    'JSON maps have string keys; (get m \\"k\\") and (:k m) both find them',
    [['(let [m (first data/rows)] (return [(get m "a") (:a m) (keys m)]))', 'returned', [1, 1, ['a']]]],
  ],
  ['data/NAME is a value, not a function', [['(data/rows)', 'evaluation_error']]],
  [
    'Nothing catches return, fail or a limit',
    [
      ['(try (return 1) (catch Throwable _ 2))', 'returned', 1],
      ['(try (fail 1) (catch Throwable _ 2))', 'failed', 1],
    ],
  ],
  [
    'There are no macros of your own, no eval, no threads, no files, no network',
    [
      ['(defmacro m [x] x)', 'evaluation_error'],
      ['(eval 1)', 'evaluation_error'],
      ['(future 1)', 'evaluation_error'],
      ['(slurp "x")', 'evaluation_error'],
      ['(Thread/sleep 1)', 'evaluation_error'],
    ],
  ],
  [
    '(apropos \\"text\\") (doc name) (dir namespace) (export-meta name) (source name) tell of functions',
    [
      [
        '(return [(seq (apropos "split")) (doc str/split) (seq (dir cap)) (map? (export-meta cap/unwrap!)) (do (source cap/unwrap!) nil)])',
        'returned',
      ],
    ],
  ],
  [
    '(def totals (update-vals (group-by :kind',
    [
      [
        '(def totals (update-vals (group-by :kind [{"kind" "a" "n" 2} {"kind" "a" "n" 3}]) (fn [rows] (sum-by :n rows))))',
        'continued',
      ],
      ['(return totals)', 'returned', { a: 5 }],
    ],
  ],
];

describe('what the system prompt says of svc-lisp', () => {
  const agents = useAgents();

  for (const [words, programs] of CLAIMS) {
    it(words, async () => {
      expect(librarySource('agent.prompt')).to.include(words);
      const body =
        '(mapv (fn [program] (let [record (kernel/eval-source "default" program)] [(name (:outcome record)) (:value record) (:message (:details record))])) (:programs (:agent input)))';
      const { value, code } = await agents.play(
        {
          body,
          agent: { programs: programs.map(([program]) => program) },
          missions: { default: { data: { rows: [{ a: 1 }] }, components: [{ library: 'cap' }] } },
        },
        [],
      );
      expect(code).to.equal(null);
      programs.forEach(([program, outcome, expected], index) => {
        const [ended, input, message] = Object(value)[index];
        expect(ended, `${program}: ${String(message)}`).to.equal(outcome);
        if (expected !== undefined) expect(input, program).to.deep.equal(expected);
      });
    });
  }
});
