import { expect } from 'chai';
import { processesNaming } from '../../testing/processes.ts';
import { evaluation, verdictOf } from '../../testing/requests.ts';
import { BARE_GUEST, useSandboxUnderTest } from '../../testing/sandbox-under-test.ts';
import { everywhere } from '../../../scripts/build-snapshot.ts';

/** Heap of a workflow's isolate (workflow_heap_words, documents.md §5): large enough for a reply beyond every bound. */
const WORKFLOW_HEAP_WORDS = 8_000_000;
/** For what may never end. */
const ENDLESS_MS = 700;
/** For what ends by itself: a guard, far beyond what a busy machine needs. */
const AMPLE_MS = 60_000;
const VIOLATION = ['host_lost/protocol_violation'] as const;

/** What a guest that has been taken over may hand back, or throw, instead of the text of a reply. */
const answers: readonly (readonly [title: string, body: string, expected: readonly string[]])[] = [
  ['a number', 'return 1;', VIOLATION],
  ['nothing', '', VIOLATION],
  ['null', 'return null;', VIOLATION],
  ['an object', 'return { status: "loaded" };', VIOLATION],
  ['a string object', 'return Object("{}");', VIOLATION],
  ['a function', 'return () => 1;', VIOLATION],
  ['a symbol', 'return Symbol.iterator;', VIOLATION],
  ['a BigInt', 'return 1n;', VIOLATION],
  ['a promise', 'return Promise.resolve("{}");', VIOLATION],
  ['a proxy', 'return new Proxy(() => 1, { get() { for (;;); } });', VIOLATION],
  ['a buffer', 'return new ArrayBuffer(8);', VIOLATION],
  ['the bridge', 'return bridge;', VIOLATION],
  ['a text that is no JSON', 'return "hello";', VIOLATION],
  ['an empty text', 'return "";', VIOLATION],
  ['a text of another shape', 'return "{}";', VIOLATION],
  ['a lone surrogate', 'return "\\uD800";', VIOLATION],
  ['a text beyond every bound', 'return "x".repeat(41000000);', VIOLATION],
  ['a thrown text', 'throw "x";', VIOLATION],
  ['a thrown null', 'throw null;', VIOLATION],
  [
    'a thrown error in the words of a timeout',
    'throw new Error("Script execution timed out.");',
    [...VIOLATION, 'timeout'],
  ],
  [
    'a thrown proxy',
    'throw new Proxy({}, { get() { for (;;); }, getPrototypeOf() { for (;;); } });',
    [...VIOLATION, 'timeout'],
  ],
  [
    'a thrown error whose message never ends',
    'throw Object.defineProperty(new Error("x"), "message", { get() { for (;;); } });',
    [...VIOLATION, 'timeout'],
  ],
  ['a thrown error with a giant message', 'throw new Error("x".repeat(2e7));', [...VIOLATION, 'memory_exceeded']],
  ['the end of the stack', '(function f() { f(); })();', VIOLATION],
  ['an unhandled rejection', 'Promise.reject(new Error("x")); return "{}";', VIOLATION],
  ['a loop after a wrong answer', 'Promise.resolve().then(() => { for (;;); }); return 1;', [...VIOLATION, 'timeout']],
];

describe('a guest that does not keep to its part', () => {
  const built = useSandboxUnderTest(() => everywhere({ script: BARE_GUEST }), { startsFor: 'block' });
  after(async () => {
    expect(await processesNaming(built.options.guestImage)).to.deep.equal([]);
  });

  for (const [title, body, expected] of answers) {
    it(`answers ${title}`, async () => {
      const isolate = await built.sandbox.openIsolate({
        environment: 'workflow',
        trustDomain: 'broken',
        heapWords: WORKFLOW_HEAP_WORDS,
      });
      const timeoutMs = expected.includes('timeout') ? ENDLESS_MS : AMPLE_MS;
      expect(verdictOf(await isolate.request(evaluation(body), { timeoutMs }))).to.be.oneOf(expected);
      expect(verdictOf(await isolate.request(evaluation('return 1'), { timeoutMs: AMPLE_MS }))).to.match(/^host_lost/);
    });
  }

  it('says that it failed itself, which ends it alone', async () => {
    const open = () =>
      built.sandbox.openIsolate({ environment: 'workflow', trustDomain: 'failing', heapWords: WORKFLOW_HEAP_WORDS });
    const [failing, neighbour] = [await open(), await open()];
    const beside = neighbour.request(
      evaluation(
        'for (let i = 0; i < 1e7; i++); return JSON.stringify({ outcome: "continued", value: "1", projection_fault: null, prints: [] });',
      ),
      { timeoutMs: AMPLE_MS },
    );
    expect(
      verdictOf(
        await failing.request(evaluation('return JSON.stringify({ status: "internal_fault", message: "x" })'), {
          timeoutMs: AMPLE_MS,
        }),
      ),
    ).to.equal('host_lost/protocol_violation');
    expect(verdictOf(await failing.request(evaluation('return 1'), { timeoutMs: AMPLE_MS }))).to.match(/^host_lost/);
    expect(verdictOf(await beside)).to.equal('continued');
  });
});
