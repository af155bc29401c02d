import { expect } from 'chai';
import { evaluation, MISSION_HEAP_WORDS, textOf, verdictOf } from '../testing/requests.ts';
import { BARE_GUEST, productGuest, useSandboxUnderTest } from '../testing/sandbox-under-test.ts';
import { everywhere, type GuestTexts } from '../../scripts/build-snapshot.ts';
import type { EvaluateReply } from '../../contract/sandbox-protocol.ts';
import type { Isolate, LoadedOutcome, RequestOptions } from './interface.ts';

/** For what ends by itself: a guard, far beyond what a busy machine needs. */
const AMPLE_MS = 60_000;
/** For what never ends, behind what takes a millisecond. */
const ENDLESS_MS = 3000;
/**
 * Which half the time was over in is not known of a process that had to be killed, as on a busy machine
 * (host-isolate.test.ts).
 */
const LOAD_TIMEOUT = ['load: timeout', 'timeout'];

/** One word for each half: what the load came to, else what the request came to. */
function wordOf({ attached, outcome }: LoadedOutcome<EvaluateReply>): string {
  if (attached) return verdictOf(outcome);
  if (outcome.status === 'host_lost') return `load: host_lost/${outcome.cause}`;
  return `load: ${outcome.status === 'replied' ? outcome.reply.fault.reason : outcome.status}`;
}

/** A sandbox of this guest for every test of a block. */
function sandboxOf(guest: () => Promise<GuestTexts>): () => Promise<Isolate> {
  const built = useSandboxUnderTest(guest, { startsFor: 'block' });
  return () =>
    built.sandbox.openIsolate({ environment: 'workflow', trustDomain: 'run', heapWords: MISSION_HEAP_WORDS });
}

describe('a bundle and a request in one message', () => {
  const LOADED = `return '{"status":"loaded"}'`;
  const VALUE = `return '{"outcome":"continued","value":"1","projection_fault":null,"prints":[]}'`;
  const REFUSAL = {
    status: 'refused',
    fault: { reason: 'no_good', message: '', component: null, span: null, details: {} },
  };
  const SPIN = 'for (;;);';
  const ALLOCATE = 'const kept = []; for (;;) kept.push([kept.length]);';
  const ROWS: readonly (readonly [title: string, load: string, source: string, word: string])[] = [
    ['both answered', LOADED, VALUE, 'continued'],
    ['a refused bundle', `return '${JSON.stringify(REFUSAL)}'`, VALUE, 'load: no_good'],
    ['a load without an end', SPIN, VALUE, 'load: timeout'],
    ['a request without an end', LOADED, SPIN, 'timeout'],
    ['a load that takes all memory', ALLOCATE, VALUE, 'load: memory_exceeded'],
    ['a request that takes all memory', LOADED, ALLOCATE, 'memory_exceeded'],
    ['a load that throws', 'throw 1', VALUE, 'load: host_lost/protocol_violation'],
    [
      'a load that answers something else',
      `return '{"status":"loaded" }'`,
      VALUE,
      'load: host_lost/protocol_violation',
    ],
    ['a load that answers a value', VALUE, VALUE, 'load: host_lost/protocol_violation'],
    ['a request that throws', LOADED, 'throw 1', 'host_lost/protocol_violation'],
  ];

  const open = sandboxOf(() => Promise.resolve(everywhere({ script: BARE_GUEST })));
  for (const [title, load, source, word] of ROWS) {
    it(title, async () => {
      const isolate = await open();
      const timeoutMs = word.endsWith('timeout') ? ENDLESS_MS : AMPLE_MS;
      expect(wordOf(await isolate.loadAndRequest(load, evaluation(source), { timeoutMs }))).to.be.oneOf(
        word === 'load: timeout' ? LOAD_TIMEOUT : [word],
      );
      expect(isolate.isUsable()).to.equal(word === 'continued' || word === 'load: no_good');
      await isolate.dispose();
    });
  }

  it('is cancelled before it was sent, and meets an isolate that has ended', async () => {
    const isolate = await open();
    const cancelled = { timeoutMs: AMPLE_MS, signal: AbortSignal.abort() };
    expect(wordOf(await isolate.loadAndRequest(LOADED, evaluation(VALUE), cancelled))).to.equal('cancelled');
    expect(wordOf(await isolate.loadAndRequest(LOADED, evaluation(VALUE), { timeoutMs: AMPLE_MS }))).to.equal(
      'cancelled',
    );
  });
});

describe('a compiled bundle and a call of its entry in one message', () => {
  const open = sandboxOf(productGuest);

  async function codeOf(source: string): Promise<string> {
    const isolate = await open();
    const compiled = await isolate.request(
      { operation: 'compile', environment: 'workflow', components: [{ id: 'main', source, dependencies: [] }] },
      { timeoutMs: AMPLE_MS },
    );
    await isolate.dispose();
    if (compiled.status !== 'replied' || compiled.reply.status !== 'compiled')
      throw new Error(JSON.stringify(compiled));
    return compiled.reply.code;
  }

  async function requestOf(code: string, options: RequestOptions): Promise<LoadedOutcome<EvaluateReply>> {
    const isolate = await open();
    const outcome = await isolate.loadAndRequest(
      code,
      { ...evaluation('(main/run data/input)', ['ask']), environment: 'workflow', data: { input: '2' } },
      options,
    );
    await isolate.dispose();
    return outcome;
  }

  it('answers the entry, which may call tools', async () => {
    const code = await codeOf('(ns main) (def base 40) (defn run [input] (+ base input (:value (tool/ask {}))))');
    const answered = await requestOf(code, {
      timeoutMs: AMPLE_MS,
      onCapabilityCall: () => Promise.resolve('{"reply":"envelope","envelope":{"status":"ok","value":1}}'),
    });
    expect(answered.attached ? textOf(answered.outcome) : 'not attached').to.equal('43');
  });

  it('calls no tool when the bundle cannot be read', async () => {
    const calls: string[] = [];
    const answered = await requestOf('{"version":0}', {
      timeoutMs: AMPLE_MS,
      onCapabilityCall({ name }) {
        calls.push(name);
        return Promise.resolve('{"reply":"value","value":1}');
      },
    });
    expect(wordOf(answered)).to.equal('load: host_lost/protocol_violation');
    expect(calls).to.deep.equal([]);
  });

  it('tells an initialiser that is too slow from an entry that is', async () => {
    const slow = '(reduce (fn [sum n] (+ sum (rem n 7))) 0 (range 40000000))';
    expect(
      wordOf(await requestOf(await codeOf(`(ns main) (def base ${slow}) (defn run [input] base)`), { timeoutMs: 50 })),
    ).to.be.oneOf(LOAD_TIMEOUT);
    expect(
      wordOf(
        await requestOf(await codeOf('(ns main) (defn run [input] (loop [] (recur)))'), { timeoutMs: ENDLESS_MS }),
      ),
    ).to.equal('timeout');
  });
});
