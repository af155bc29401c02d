import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { program, type Prepared, type RecordedStep } from '../recorded-step.ts';

const TREE = 'debug-a-failed-run';
const textOf = (path: string): string =>
  readFileSync(join(import.meta.dirname, '../../../../examples', TREE, path), 'utf8');

/** Text with one part of it exchanged; throws where the part is not there. */
function exchanged(text: string, part: string, other: string): string {
  if (!text.includes(part)) throw new Error(`${TREE}: a text that a recorded answer repairs is not what it was`);
  return text.replace(part, other);
}

const FAULTY = `(when-let [event (at run-id (linked error "child_evaluations"))]
    (first (:items (debug.nav/read run-id {"collection"    "generated_sources"
                                           "evaluation_id" (:evaluation-id (:data event))}))))`;
/** What the models propose: the helper that takes causes for causes, and the rule that does what its docstring says. */
const HELPER = exchanged(textOf('self-debugger/start.clj'), FAULTY, '(at run-id (linked error "generated_source"))');
const RULE = exchanged(textOf('target/rule.clj'), '(+ net 2)', '(+ net 20)');

const returned = (members: Readonly<Record<string, string | readonly string[]>>): string =>
  `(return {${Object.entries(members)
    .map(
      ([name, value]) =>
        `"${name}" ${typeof value === 'string' ? JSON.stringify(value) : `[${value.map((text) => JSON.stringify(text)).join(' ')}]`}`,
    )
    .join('\n ')}})`;

const FAILS: Prepared = { argv: ['run', 'target.svc-project.json'], status: 5 };
const WORK = '.svc-private-improvement';
const REPAIRED: Prepared = {
  argv: [
    'materialize',
    'self-debugger.svc-project.json',
    '--target-mission',
    'debugger',
    '--component',
    'debug.start',
    '--out',
    `${WORK}/helper`,
    '--source',
    `${WORK}/helper.clj`,
  ],
  files: { [`${WORK}/helper.clj`]: HELPER },
};
const OVERRIDDEN = ['--component-override-descriptor', `${WORK}/helper/descriptor.json`];

const FOLLOWED = `(defn linked [item rel]
  (filterv (fn [link] (and (= rel (:rel link)) (= "complete" (:state link)) (:filters link))) (:relationships item)))
(defn followed [run-id links]
  (vec (mapcat (fn [link] (get-in (debug.nav/follow run-id link {}) [:page :items])) links)))`;
const BEGIN = `(def run-id (:run-id (first (:items (debug.nav/runs {"status" "error" "limit" 1})))))
(def error (first (:items (debug.nav/read run-id {"collection" "execution_errors"}))))
(select-keys error ["kind" "reason" "relationships"])`;
const REACHED = `${FOLLOWED}
(def source (first (followed run-id (linked error "generated_source"))))
(def order (followed run-id (linked source "referenced_prelude_source")))
(def below (followed run-id (mapcat (fn [item] (linked item "dependency_prelude_source")) order)))
(mapv (fn [item] (select-keys item ["component_id" "source"])) (concat [source] order below))`;
const AMOUNTS = `(def calls (:items (debug.nav/read run-id {"collection" "capability_calls"})))
(mapv (fn [call] [(get-in call ["arguments" "params"]) (get-in call ["result" "value" "value"])]) calls)`;
const FROM_START = `(def start (debug.start/context))
(dissoc start "run_id")`;
const BELOW_PAGE = `${FOLLOWED}
(mapv (fn [item] (select-keys item ["component_id" "source"]))
      (followed (:run-id start) (linked (:page start) "dependency_prelude_source")))`;

const CAUSE = 'pricing.rule adds 2 for delivery, where its documentation says 20.';
const EVIDENCE = [
  'direct_boundary_producer, complete: the failure is what (return (pricing.order/total data/params)) came to.',
  'referenced_prelude_source, complete: the program calls pricing.order, which adds nothing itself.',
  'dependency_prelude_source, complete: pricing.order depends on pricing.rule, whose body is (+ net 2).',
];
const diagnosis = returned({ decision: 'diagnosed', cause: CAUSE, component_id: 'pricing.rule', evidence: EVIDENCE });
const repair = returned({
  decision: 'propose',
  component_id: 'pricing.rule',
  candidate_source: RULE,
  reason: CAUSE,
  evidence: EVIDENCE,
});

export const DEBUG: readonly RecordedStep[] = [
  {
    tree: TREE,
    step: 'debugger-agent',
    alias: 'analyst',
    prepare: [FAILS],
    script: [
      program(BEGIN, 'I begin with the error.'),
      program(REACHED),
      program(AMOUNTS, 'What was it given, and what did it make of it?'),
      program(diagnosis),
    ],
  },
  {
    tree: TREE,
    step: 'repair-agent',
    alias: 'analyst',
    prepare: [FAILS],
    script: [
      program(BEGIN),
      program(REACHED, 'One program made the failure; I look at all that it could reach.'),
      program(repair),
    ],
  },
  {
    tree: TREE,
    step: 'repair-agent-ambiguous',
    alias: 'analyst',
    offline: 'variants/ambiguous',
    host: 'variants/ambiguous/svc-host.json',
    prepare: [{ argv: ['run', 'variants/ambiguous/svc-project.json'], status: 5 }],
    script: [
      program(BEGIN),
      program(
        '(mapv (fn [item] (select-keys item ["component_id" "source"]))\n      (:items (debug.nav/read run-id {"collection" "prelude_sources" "mission_name" "pricing"})))',
        'Nothing is proved to have made the failure. I look at what there is.',
      ),
      program(
        returned({
          decision: 'abstain',
          reason: 'Two components add 1 each and neither says what it should add, so either could be raised by 18.',
          evidence: [
            'direct_boundary_producer: no program came to the failure.',
            'pricing.delivery and pricing.handling both return 1, and their documentation names no amount.',
          ],
        }),
      ),
    ],
  },
  {
    tree: TREE,
    step: 'self-improver',
    alias: 'editor',
    offline: 'variants/offline/self-improver',
    host: 'self-improver-host.json',
    prepare: [FAILS],
    script: [
      program(
        `(def start (debug.start/context))
(source debug.start/context)
(source debug.start/program-of)
(source debug.start/linked)
(source debug.start/at)
{"program" (:source (:program start))
 "links" (mapv (fn [link] (select-keys link ["rel" "semantics" "state" "filters"])) (:relationships (:error start)))}`,
        'I compare what the helper shows with what the error is related to.',
      ),
      program(
        `${FOLLOWED}
(defn program-of [run-id error]
  (first (followed run-id (linked error "generated_source"))))
(:source (program-of (:run-id start) (:error start)))`,
        'The helper takes the first evaluation within the run, but being within it causes nothing. I try the relationship that is proved.',
      ),
      program(
        returned({
          candidate_source: HELPER,
          reason:
            'The program was taken from child_evaluations, which is nesting; generated_source leads to the one that the failure came from, or nowhere.',
        }),
      ),
    ],
  },
  {
    tree: TREE,
    step: 'self-debugger',
    alias: 'analyst',
    offline: 'variants/offline/self-debugger',
    host: 'self-host.json',
    prepare: [FAILS, REPAIRED],
    options: OVERRIDDEN,
    script: [
      program(FROM_START),
      program(BELOW_PAGE, 'The page adds nothing itself; I look at what it depends on.'),
      program(diagnosis),
    ],
  },
  {
    tree: TREE,
    step: 'self-repair',
    alias: 'analyst',
    offline: 'variants/offline/self-repair',
    host: 'self-host.json',
    prepare: [FAILS, REPAIRED],
    options: OVERRIDDEN,
    script: [program(FROM_START), program(BELOW_PAGE), program(repair)],
  },
];
