import { expect } from 'chai';
import fc from 'fast-check';
import type { EvaluateRequest } from '../../../contract/sandbox-protocol.ts';
import type { Isolate, ParallelOptions, Sandbox } from '../../pool/interface.ts';
import type { PoolEvent } from '../../pool/pool-event.ts';
import { startSandbox } from '../../pool/pool.ts';
import { PLACES, VALUES } from './crossing-values.ts';
import { evaluation, MISSION_HEAP_WORDS, verdictOf } from '../../testing/requests.ts';
import { productGuest, useSandboxUnderTest } from '../../testing/sandbox-under-test.ts';

/** What a program may come to, whatever it makes; one that has an end also comes to it in time. */
const OWN_ENDS = ['continued', 'returned', 'failed', 'evaluation_error', 'memory_exceeded'] as const;
const ENDLESS_ENDS = [...OWN_ENDS, 'timeout'] as const;
/** Far more than the longest of them takes on a slow machine: a stop amid a long text would kill the host, by right. */
const DEADLINE_MS = 60_000;
/** What never ends when it is read computes until then, wherever it stands. */
const ENDLESS_DEADLINE_MS = 100;
const ENDLESS: ReadonlySet<string> = new Set(['endless-cycle', 'endless-iterate', 'recurs-when-read', 'reads-itself']);
const deadlineOf = (id: string): number => (ENDLESS.has(id) ? ENDLESS_DEADLINE_MS : DEADLINE_MS);
/** Heap of a workflow's isolate. */
const WORKFLOW_HEAP_WORDS = 8_000_000;
const RANDOM_RUNS = 80;

const COMMIT = { continuation: null, commit: { memory_bytes: 4_000_000, history_bytes: 1_000_000 } } as const;
/** The forms in which a value is asked for. */
const FORMS: readonly Partial<EvaluateRequest>[] = [
  { projection: 'json' },
  { projection: 'printed' },
  { projection: 'preview' },
  { projection: 'json', observation_characters: 512 },
  { projection: 'json', ...COMMIT },
  { projection: 'printed', ...COMMIT, keeps_isolate: true },
];

const slots = (timeoutMs: number): ParallelOptions => ({
  timeoutMs,
  takeBranches: (wanted) => Math.min(wanted, 2),
  releaseBranches: () => undefined,
});

/** Wrappers in which a value may stand. */
const WRAPS: readonly ((value: string) => string)[] = [
  (value) => `[${value}]`,
  (value) => `{:k ${value}}`,
  (value) => `#{${value}}`,
  (value) => `(list ${value})`,
  (value) => `(lazy-seq [${value}])`,
  (value) => `(map identity [${value}])`,
  (value) => `(atom ${value})`,
  (value) => `(delay ${value})`,
  (value) => `(with-meta [1] {:m ${value}})`,
  (value) => `(let [v ${value}] (fn [] v))`,
  (value) => `(ex-info "w" {:w ${value}})`,
  (value) => `(concat [1] ${value})`,
  (value) => `(cons 1 ${value})`,
];

describe('what a program makes, wherever it leaves its isolate', () => {
  const built = useSandboxUnderTest(productGuest);
  const events: PoolEvent[] = [];
  let sandbox: Sandbox;
  let neighbour: Isolate;

  before(async () => {
    sandbox = startSandbox({ ...built.options, isolatesPerHost: 16, onEvent: (event) => events.push(event) });
    neighbour = await sandbox.openIsolate({
      environment: 'mission',
      trustDomain: 'crossing',
      heapWords: MISSION_HEAP_WORDS,
    });
  });
  after(() => sandbox.close());

  async function run(
    source: string,
    form: Partial<EvaluateRequest>,
    { heapWords = MISSION_HEAP_WORDS, timeoutMs = DEADLINE_MS } = {},
  ): Promise<string> {
    const isolate = await sandbox.openIsolate({ environment: 'mission', trustDomain: 'crossing', heapWords });
    const outcome = await isolate.request(
      { ...evaluation(source, ['echo']), ...form },
      {
        timeoutMs,
        parallel: slots(timeoutMs),
        onCapabilityCall: () => Promise.resolve('{"reply":"value","value":1}'),
        // As of a run that is watched: what is looked at may be over its limit by then.
        onHeap: () => undefined,
      },
    );
    await isolate.dispose();
    return verdictOf(outcome);
  }

  /** Nothing of it was a fault of the wire, and its neighbour in the same host goes on. */
  async function expectHarmless(verdict: string, source: string, id: string | null = null): Promise<void> {
    expect(verdict, source).to.be.oneOf(id !== null && ENDLESS.has(id) ? ENDLESS_ENDS : OWN_ENDS);
    expect(
      events.filter(({ event }) => event === 'host_killed'),
      source,
    ).to.deep.equal([]);
    const beside = await neighbour.request(evaluation('(+ 1 1)'), { timeoutMs: 60_000 });
    expect(verdictOf(beside), source).to.equal('continued');
  }

  for (const [place, around] of PLACES) {
    it(`${place}: every value is a fault of the program at worst`, async () => {
      for (const [id, value] of VALUES) {
        const source = around(value);
        await expectHarmless(await run(source, FORMS[0] ?? {}, { timeoutMs: deadlineOf(id) }), source, id);
      }
    });
  }

  it('values within values, in every form in which they are asked for', async () => {
    const value = fc
      .tuple(fc.constantFrom(...VALUES), fc.array(fc.constantFrom(...WRAPS), { maxLength: 3 }))
      .map(([[id, inner], wraps]) => ({ id, text: wraps.reduce((text, wrap) => wrap(text), inner) }));
    await fc.assert(
      fc.asyncProperty(value, fc.constantFrom(...PLACES), fc.constantFrom(...FORMS), async (made, [, around], form) => {
        const source = around(made.text);
        await expectHarmless(await run(source, form, { timeoutMs: deadlineOf(made.id) }), source, made.id);
      }),
      { numRuns: RANDOM_RUNS },
    );
  });

  const huge: readonly (readonly [title: string, source: string])[] = [
    ['prints', '(dotimes [i 30000] (println (apply str (repeat 1999 "x"))))'],
    ['prints of control characters', '(let [s (apply str (repeat 1999 (char 1)))] (dotimes [i 6000] (println s)))'],
    ['a text of control characters', '(loop [i 0 s "\u0001"] (if (< i 23) (recur (inc i) (str s s)) s))'],
    ['a text of three bytes each', '(loop [i 0 s "\u20ac"] (if (< i 24) (recur (inc i) (str s s)) s))'],
    [
      'results of branches',
      '(let [s (loop [i 0 s "0123456789abcdef"] (if (< i 17) (recur (inc i) (str s s)) s))] (count (pmap (fn [x] (str x s)) (range 24))))',
    ],
    [
      'results of control characters',
      '(count (pmap (fn [x] (loop [i 0 s (str x (char 1))] (if (< i 20) (recur (inc i) (str s s)) s))) (range 24)))',
    ],
    [
      'prints of branches',
      '(count (pmap (fn [x] (dotimes [i 3000] (println (apply str (repeat 1999 "x"))))) (range 8)))',
    ],
  ];
  for (const [title, source] of huge) {
    it(`more of it than a message carries: ${title}`, async () => {
      for (const projection of ['json', 'printed'] as const)
        await expectHarmless(await run(source, { projection }, { heapWords: WORKFLOW_HEAP_WORDS }), source);
    });
  }
});
