import { STEPS } from './killing-file-system.ts';

/**
 * Tests of a row, by file: words of their full titles, in order and with `…` for what stands between them. Every test
 * that has them counts.
 */
export type Tests = Readonly<Record<string, readonly string[]>>;

export interface Row {
  /** The row of the table in its own words, shortened. */
  readonly row: string;
  readonly tests: Tests;
  /** What of the row no test can reach, and why. */
  readonly open?: string;
}

const CALLS = 'supervisor/test/capabilities/calls.suite.ts';
const CONTINUATIONS = 'sandbox/test/missions/continuations.suite.ts';
const EXECUTION = 'conformance/cli/fixtures.suite.ts';
const FAULTS = 'supervisor/run/faults.test.ts';
const KILLS = 'supervisor/test/crashes/kills.suite.ts';
const LIMITS = 'supervisor/test/crashes/limits.suite.ts';
const MISSIONS = 'supervisor/test/capabilities/missions.suite.ts';
const MODEL_CALLS = 'supervisor/test/crashes/model-calls.suite.ts';
const PARALLEL = 'supervisor/test/capabilities/parallel.suite.ts';
const PERFORM = 'supervisor/run/perform-run.test.ts';
const PROCESSES = 'conformance/cli/processes.suite.ts';
const PUBLISH = 'supervisor/evidence/publication/publish-artifacts.test.ts';
const BROKER = 'supervisor/calls/broker/broker.test.ts';
const KERNEL = 'supervisor/calls/kernel/kernel.test.ts';
const PROVIDER_THREAD = 'supervisor/providers/session-capability.test.ts';
const LEDGER = 'supervisor/calls/ledger/ledger.test.ts';

/** runtime.md §14: what is injected, and the tests that do, wherever they stand. */
export const FAULT_ROWS: readonly Row[] = [
  {
    row: 'kill -9 around each effect of publication',
    tests: {
      [KILLS]: STEPS.flatMap((step) => [`before each ${step}:`, `after each ${step}:`]),
      'supervisor/test/crashes/journal.suite.ts': [
        'normal run: the journal says how far it was',
        'private run: the journal says how far it was',
        'nothing is left of a run that ends',
      ],
      'supervisor/test/crashes/partial.suite.ts': ['is invisible until the next run, which keeps what it proves'],
      [PUBLISH]: ['killed … any one call, the next run can publish'],
    },
  },
  {
    row: 'disk full, I/O error, read-only',
    tests: {
      [PUBLISH]: ['at any one call leaves no partial file and tells the state of each'],
      [PERFORM]: ['whatever call of the file system fails, the envelope is valid and tells what lies there'],
      'supervisor/run/run-inspection.test.ts': [
        'whatever call of the file system fails, no unsealed inspection has its name',
      ],
      'supervisor/evidence/publication/journal/journal.test.ts': [
        'a fault of the file system at any call changes nothing for the run',
      ],
      [PROCESSES]: ['one that may not be written refuses every destination and leaves nothing'],
      'supervisor/run/named-run.test.ts': ["ends with 74 when the project's copy cannot be written"],
    },
  },
  {
    row: 'parent, staging or lock swapped',
    tests: {
      'supervisor/evidence/publication/swapped.test.ts': [
        'fails, writes nothing there, leaves theirs',
        'the recovery file by another: the stranger keeps theirs',
        'since its admission: not written, here or there',
      ],
      'conformance/crashes/exchanged.suite.ts': [
        'the parent of --envelope: exit 74, nothing written',
        'the folder of a project that keeps its envelopes: exit 74, nothing written',
      ],
      'supervisor/evidence/publication/safe-directory.test.ts': [
        'refuses a directory that is swapped between looking and opening',
      ],
    },
  },
  {
    row: 'a target that appears late',
    tests: {
      [PUBLISH]: ['a target that appears late is not replaced; a kept value stays findable'],
      'supervisor/run/private-run.test.ts': ['keep the value in recovery when the target is taken meanwhile'],
      'supervisor/test/capabilities/variants.suite.ts': [
        'recovery written: a private value whose target appeared while a function ran',
      ],
    },
  },
  {
    row: 'two runs, one destination',
    tests: {
      'supervisor/run/destinations.test.ts': ['of two runs with one destination exactly one gets it'],
      [PROCESSES]: ['exactly one of four runs gets …, and the file is whole'],
    },
  },
  {
    row: 'isolate out of memory, abort, native crash',
    tests: {
      [PROCESSES]: ['kill -9 of the host in mid run is a failure of the run, told whole'],
      [MISSIONS]: ['a host that dies of its program takes the call with it, and nothing else'],
      [CONTINUATIONS]: [
        'survives the death of the host between two evaluations, a megabyte of it included',
        'survives a kill in the middle of an evaluation, which is told as a full memory',
        'survives programs that take all memory or all time',
      ],
      [LIMITS]: ['evaluation_heap_words: what needs more ends the program alone, and the next one runs'],
      'sandbox/pool/pool.test.ts': [
        'takes the crash of a process in which one isolate runs for that isolate',
        'begins those again that called nothing, each alone in a process, when any may have been the cause',
      ],
      'sandbox/pool/branches.test.ts': ['pass a lack of memory on'],
      'adapters/test/llm/adapter.suite.ts': ['ends the call whose answer is more than a worker can hold, and no other'],
    },
    open: 'functions of a calling program run in its process',
  },
  {
    row: 'provider lost before or after the gate',
    tests: {
      [LEDGER]: ['charges nothing before the gate and everything at the close after it'],
      [MISSIONS]: ['says whether it may have happened'],
      [PROVIDER_THREAD]: ['end before the gate: nothing was sent', 'end behind the gate: it may have been done'],
    },
  },
  {
    row: 'provider ignores cancel, floods, answers late',
    tests: {
      [CALLS]: [
        'a function that ignores its cancellation is given up after its time, and its answer dropped',
        'a megabyte too much',
      ],
      [BROKER]: ['ends at the nearest bound, cancels, kills after the grace, and discards what comes late'],
      [MISSIONS]: ['a program that floods a function meets its quota, and the run its end'],
      [PROVIDER_THREAD]: [
        'is cancelled at its deadline, and ended where it does not heed',
        'is read no further than its bound',
      ],
    },
  },
  {
    row: 'stale lease calls on',
    tests: { [BROKER]: ['answers a caller that has ended with stale_evaluation, uncounted and without effect'] },
  },
  {
    row: '100 model calls on a budget',
    tests: {
      [MODEL_CALLS]: ['charged and reserved stay within it at every instant'],
      [LEDGER]: ['keeps its budgets, its slots and its counts'],
    },
  },
  {
    row: 'loss of the sink, overflow of events and inspection',
    tests: {
      [CALLS]: [
        'a normal run drops events, counts them, and says nothing of models',
        'a private run ends with the first event that does not fit, and sends nothing more',
      ],
      [MISSIONS]: ['a private run of missions fails with the event that is lost'],
      [FAULTS]: [
        'a normal run keeps its four at five, for its end keeps two free',
        'a private run has its four at four, and fails with three',
      ],
      [LIMITS]: ['run that writes more than 128 MB, which calls nothing more; the trace is published'],
      [KERNEL]: ['what cannot be put on record does not run'],
    },
  },
  {
    row: 'closer hangs or throws',
    tests: {
      'supervisor/run/release.test.ts': [
        'every closer called, the last one first',
        'takes no more than its budget for all of them together',
      ],
      'supervisor/test/capabilities/installations.suite.ts': [
        'a close that throws, or hangs, fails the run after its value, and no other is left open',
      ],
      'supervisor/test/capabilities/variants.suite.ts': [
        'a clean-up that fails beside a failed workflow comes first, and both are told',
      ],
    },
  },
  { row: 'wall clock jumps', tests: { [FAULTS]: ['no deadline moves and timestamps stay in order'] } },
  {
    row: 'SIGINT, SIGTERM at each step, twice',
    tests: {
      'conformance/crashes/signals.suite.ts': ['no process, lock or staging directory is left'],
      [PROCESSES]: ['two signals leave no process behind'],
      [CALLS]: ['a signal ends a run that waits in a call, and its artifacts are published'],
    },
  },
  {
    row: 'stdout closed',
    tests: {
      [PROCESSES]: [
        'a reader that went away is told by the status, after everything was published',
        'a closed stdout does not disturb the run',
      ],
    },
  },
  {
    row: 'no entropy',
    tests: { [FAULTS]: ['runs under the reference of zeros, and a second such run replaces nothing'] },
  },
  {
    row: 'throw in any step',
    tests: {
      [FAULTS]: [
        'internal_error, everything let go and nothing left',
        'a throw while providers are released is told, and every other part is closed',
      ],
      [PERFORM]: ['a throw in any step is an internal error with a valid envelope, and leaves nothing behind'],
      'supervisor/run/named-run.test.ts': ['a bug while loading is a valid unclassified envelope'],
      'cli/program.test.ts': ['turns a throw into internal_error, with its envelope'],
    },
  },
  {
    row: 'compile bomb, deep JSON, regex bomb',
    tests: {
      'sandbox/test/attacks/hostile-components.suite.ts': [
        'more source than a set may have',
        'an initialiser with a pattern that backtracks',
      ],
      'sandbox/test/attacks/hostile-programs.suite.ts': ['forms nested once too deep', 'a repetition of repetitions'],
      'supervisor/documents/hostile.test.ts': ['hostile files end in a diagnostic, never in an exception'],
      [CALLS]: ['a pattern that never ends is given up, and the run goes on'],
    },
  },
];

/**
 * runtime.md §9: each limit, and the tests at it, below it and above it. Times are at their number under a clock of the
 * test.
 */
export const LIMIT_ROWS: readonly Row[] = [
  {
    row: 'run_duration_ms',
    tests: {
      'supervisor/run/stopping.test.ts': ['of 1000 ms into the run is'],
      [CALLS]: ['run_duration_ms ends a run that waits in a call'],
      [EXECUTION]: ['endless loop, run limit'],
    },
  },
  {
    row: 'workflow_timeout_ms',
    tests: {
      [PERFORM]: ['workflow time: its printed form', 'the run deadline when it is nearer'],
      [CALLS]: ['workflow_timeout_ms does, in its printed form'],
    },
  },
  {
    row: 'parallel_timeout_ms',
    tests: {
      [PARALLEL]: [
        'end the workflow when they take longer than they may together',
        'answer the workflow when those of a mission do',
      ],
    },
  },
  {
    row: 'evaluation_timeout_ms',
    tests: {
      [KERNEL]: ['tells of the bound that ended a program'],
      [MISSIONS]: ['evaluation_timeout_ms ends a program that waits in a call'],
    },
  },
  {
    row: 'evaluation_admission_timeout_ms',
    tests: {
      'supervisor/calls/kernel/lease/lease.test.ts': ['waits until just before its deadline', 'and no longer'],
      [KERNEL]: ['a second evaluation waits for the first, and no longer than it may'],
    },
  },
  { row: 'evaluation_heap_words', tests: { [LIMITS]: ['evaluation_heap_words: what needs more'] } },
  {
    row: 'workflow_heap_words',
    tests: {
      [LIMITS]: ['workflow_heap_words: what needs more'],
      'sandbox/pool/pool.test.ts': ['leaves room for the words it promised'],
    },
  },
  {
    row: 'provider_heap_words',
    tests: {
      'adapters/test/llm/adapter.suite.ts': ['ends the call whose answer is more than a worker can hold, and no other'],
    },
    open: 'functions of a calling program share its heap',
  },
  {
    row: 'live_provider_tasks',
    tests: {
      [LEDGER]: [
        'lets one caller hold one reservation and all callers the live ones',
        'gives parallel branches their own slots',
      ],
      [PARALLEL]: ['run one after another where the run has one slot'],
    },
  },
  {
    row: 'workflow_capability_calls, workflow_capability_calls_per_name, mission_capability_calls, mission_capability_calls_per_name',
    tests: {
      [LEDGER]: ['grants exactly the quota of a name, then of the environment, and counts grants alone'],
      [CALLS]: [
        'at the limit passes, one more is an envelope, and counts',
        'failing with the very envelope of a quota is that limit',
      ],
      [MISSIONS]: ['… holds over all evaluations of a run'],
    },
  },
  {
    row: 'subordinate_evaluations',
    tests: {
      [LIMITS]: ['subordinate_evaluations: as many pass'],
      [KERNEL]: ['the evaluation beyond subordinate_evaluations is refused with a proof, once for one caller'],
      'supervisor/run/failure/run-ending.test.ts': ['"limit":"subordinate_evaluations"'],
    },
  },
  { row: 'subordinate_source_checks', tests: { [LIMITS]: ['subordinate_source_checks: as many pass'] } },
  { row: 'subordinate_source_bytes', tests: { [LIMITS]: ['subordinate_source_bytes: a program as long'] } },
  { row: 'entry_source_bytes', tests: { [LIMITS]: ['entry_source_bytes: an entry form as long'] } },
  {
    row: 'protocol_errors',
    tests: {
      [LIMITS]: ['protocol_errors: as many pass'],
      [CALLS]: ['protocol_errors: the one beyond the limit ends the run, past every catch'],
    },
  },
  {
    row: 'capability_argument_bytes, capability_result_bytes',
    tests: { [CALLS]: ['results and arguments pass at exactly their limit'] },
  },
  {
    row: 'evaluation_memory_bytes, evaluation_history_bytes',
    tests: {
      [LIMITS]: [
        'evaluation_history_bytes: a continuation as large',
        'evaluation_memory_bytes: a continuation as large',
      ],
      [CONTINUATIONS]: ['a commit that is too large is refused whole'],
    },
  },
  {
    row: 'terminal_result_bytes',
    tests: {
      [LIMITS]: ['terminal_result_bytes: a value as large'],
      [EXECUTION]: ['result beyond terminal_result_bytes'],
    },
  },
  {
    row: 'event_payload_bytes',
    tests: {
      'supervisor/evidence/recorder.test.ts': ['measures one payload exactly'],
      [PERFORM]: ['a payload limit too small for the end of this application stops it before it starts'],
    },
  },
  {
    row: 'normal_event_count',
    tests: {
      [FAULTS]: ['events at their number'],
      'supervisor/run/private-run.test.ts': ['fail when an event is lost'],
    },
  },
  {
    row: 'normal_event_bytes',
    tests: {
      'supervisor/evidence/recorder.test.ts': [
        'whatever is recorded, a normal run within its reserve ends complete and within its bounds',
      ],
      'supervisor/documents/manifest/load.test.ts': [
        'refuses events that do not fit',
        'keeps nothing free for private events',
      ],
    },
  },
  {
    row: 'llm_request_output_tokens',
    tests: {
      [LEDGER]: ['asks for authorised output tokens up to the limit'],
      'supervisor/calls/broker/model-calls.test.ts': ['output that is not authorised'],
    },
  },
  { row: 'llm_request_timeout_ms', tests: { [MODEL_CALLS]: ['an answer after … of 200 ms'] } },
  {
    row: 'llm_total_tokens, llm_cost_microusd',
    tests: {
      [LEDGER]: ['reserves both or neither, tokens first, and the one that refuses counts'],
      [MODEL_CALLS]: ['charged and reserved stay within it at every instant'],
    },
  },
  {
    row: 'workflow_loop_iterations, evaluation_loop_iterations',
    tests: { [LIMITS]: ['workflow_loop_iterations: as many jumps pass', 'evaluation_loop_iterations: the same'] },
  },
  {
    row: 'local_preflight_timeout_ms',
    tests: { 'conformance/documents/cases.suite.ts': ['fixtures that take longer than the local checks may'] },
  },
  {
    row: 'selection_validation_timeout_ms, doctor_connectivity_timeout_ms',
    tests: {},
    open: 'no installation has an active check or a probe',
  },
  {
    row: 'provider_cleanup_timeout_ms',
    tests: { 'supervisor/run/release.test.ts': ['takes no more than its budget for all of them together'] },
  },
  {
    row: 'agent turns',
    tests: {
      'supervisor/calls/kernel/routes/routes.test.ts': ['private reports need the evidence of the kernel'],
      'supervisor/run/failure/run-ending.test.ts': ['only a turn limit after a failed program tells of that failure'],
    },
  },
  {
    row: 'inspection',
    tests: {
      [LIMITS]: ['run that writes more than 128 MB'],
      'supervisor/evidence/inspection/writer.test.ts': ['is not sealed beyond its bound of …'],
    },
  },
  {
    row: 'prints',
    tests: {
      [LIMITS]: ['prints: one keeps 2,000 characters and a mark of what was cut, 128 of them are kept'],
      'supervisor/evidence/inspection/writer.test.ts': ['keeps 128 prints and 65536 bytes of them'],
    },
  },
];
