import { expect } from 'chai';
import { MISSION_HEAP_WORDS } from '../../conformance/attacks/requests.ts';
import { buildSandboxUnderTest, productGuest, type SandboxUnderTest } from '../../conformance/attacks/sandbox-under-test.ts';
import type { CapabilityCall, EvaluateReply, EvaluationFault } from '../../contract/sandbox-protocol.ts';
import type { Isolate, ParallelOptions, Sandbox } from './interface.ts';
import { startSandbox } from './pool.ts';

/** Slots that count what is taken, and never more than there are. */
function slotsOf(count: number): ParallelOptions & { readonly most: () => number; readonly taken: () => number } {
  let taken = 0;
  let most = 0;
  return {
    timeoutMs: 10_000,
    takeBranches(wanted) {
      const given = Math.min(wanted, count - taken);
      taken += given;
      most = Math.max(most, taken);
      return given;
    },
    releaseBranches(given) {
      taken -= given;
    },
    most: () => most,
    taken: () => taken,
  };
}

const LIBRARY = '(ns my.lib) (defn twice [x] (* 2 x)) (defn asks [x] (tool/ask {"x" x}))';

describe('parallel branches', () => {
  let built: SandboxUnderTest;
  let sandbox: Sandbox;
  let isolate: Isolate;
  let calls: CapabilityCall[];

  before(async () => {
    built = await buildSandboxUnderTest(await productGuest());
  });
  after(() => built.remove());
  beforeEach(async () => {
    sandbox = startSandbox(built.options);
    isolate = await sandbox.openIsolate({ environment: 'workflow', trustDomain: 'run', heapWords: MISSION_HEAP_WORDS });
    calls = [];
    const compiled = await isolate.request({ operation: 'compile', environment: 'workflow', components: [{ id: 'lib', source: LIBRARY, dependencies: [] }] }, { timeoutMs: 5000 });
    if (compiled.status === 'replied' && compiled.reply.status === 'compiled') await isolate.request({ operation: 'load', code: compiled.reply.code }, { timeoutMs: 5000 });
  });
  afterEach(() => sandbox.close());

  async function outcomeOf(source: string, parallel: ParallelOptions | null): Promise<EvaluateReply | string> {
    const outcome = await isolate.request(
      { operation: 'evaluate', environment: 'workflow', source, data: { given: '[7]' }, tools: ['ask'], loop_iterations: null, projection: 'printed' },
      {
        timeoutMs: 8000,
        ...(parallel === null ? {} : { parallel }),
        onCapabilityCall(call) {
          calls.push(call);
          return Promise.resolve(JSON.stringify({ reply: 'value', value: call.arguments }));
        },
      },
    );
    return outcome.status === 'replied' ? outcome.reply : outcome.status;
  }

  function told(reply: EvaluateReply | string): unknown {
    if (typeof reply === 'string') return reply;
    if (reply.outcome === 'evaluation_error') return { reason: reply.fault.reason, message: reply.fault.message, class: reply.fault.exception_class, prints: reply.prints };
    return { value: reply.value, prints: reply.prints };
  }

  /** The fault of an evaluation that ended in one. */
  function faultOf(reply: EvaluateReply | string): EvaluationFault | null {
    return typeof reply === 'object' && reply.outcome === 'evaluation_error' ? reply.fault : null;
  }

  /** Each holds with isolates of their own, and where there is no slot. */
  const RULES: readonly (readonly [rule: string, source: string, expected: unknown])[] = [
    ['give results in input order', '(pmap (fn [x y] (+ x y)) [3 1 2] [10 20 30 40])', { value: '(13 21 32)', prints: [] }],
    ['call what they are given', '(pcalls (fn [] 1) (partial + 1 2) #(my.lib/twice 4))', { value: '(1 3 8)', prints: [] }],
    ['see definitions and data as they stand', '(def n 5) (def a (atom {:k n})) (pmap (fn [x] [x n @a (first data/given)]) [1 2])', { value: '([1 5 {:k 5} 7] [2 5 {:k 5} 7])', prints: [] }],
    ['keep what they return', '(def a (atom 1)) (let [rs (pmap (fn [x] {:a a :x (atom x) :f (fn [y] (+ x y))}) [1 2])] [(identical? a (:a (second rs))) @(:x (second rs)) ((:f (first rs)) 10)])', { value: '[true 2 11]', prints: [] }],
    ['merge prints in input order', '(pmap (fn [x] (println "branch" x) (print x)) [1 2]) nil', { value: 'nil', prints: ['branch 1', '1branch 2', '2'] }],
    ['change no atom of the caller', '(def a (atom 1)) (pmap (fn [_] (swap! a inc)) [1 2])', { reason: 'pmap_error', message: 'pmap: branch 0 failed: An atom from outside a parallel branch cannot be changed in it', class: 'java.util.concurrent.ExecutionException', prints: [] }],
    ['change no volatile of the caller', '(def v (volatile! 1)) (pcalls #(vreset! v 2) #(deref v))', { reason: 'pcalls_error', message: 'pcalls: branch 0 failed: A volatile from outside a parallel branch cannot be changed in it', class: 'java.util.concurrent.ExecutionException', prints: [] }],
    ['change no hierarchy', '(try (doall (pmap (fn [_] (derive ::a ::b)) [1 2])) (catch Exception e (class (ex-cause e))))', { value: 'java.lang.IllegalStateException', prints: [] }],
    ['change no multimethod', '(defmulti m identity) (try (pmap (fn [_] (remove-all-methods m)) [1 2]) (catch Exception e (class (ex-cause e))))', { value: 'java.lang.IllegalStateException', prints: [] }],
    ['force no delay of the caller', '(def d (delay 1)) (try (pmap (fn [_] @d) [1 2]) (catch Exception e (ex-message (ex-cause e))))', { value: '"A delay from outside a parallel branch cannot be changed in it"', prints: [] }],
    ['change state of their own', '(pmap (fn [x] (let [a (atom x)] (swap! a inc) @a)) [1 2])', { value: '(2 3)', prints: [] }],
    ['discard their definitions', '(def n 1) (pmap (fn [x] (def n x) n) [7 8]) n', { value: '1', prints: [] }],
    ['let the first failure in input order decide', '(pmap (fn [x] (println x) (/ 10 x)) [5 0 "x" 0])', { reason: 'pmap_error', message: 'pmap: branch 1 failed: Divide by zero', class: 'java.util.concurrent.ExecutionException', prints: ['5', '0'] }],
    ['keep the exception as the cause', '(try (pmap (fn [x] (throw (ex-info "m" {:x x}))) [1 2]) (catch Exception e (ex-data (ex-cause e))))', { value: '{:x 1}', prints: [] }],
    ['cannot end the evaluation', '(pmap (fn [x] (return x)) [1 2])', { reason: 'pmap_error', message: 'pmap: branch 0 failed: the branch ended the evaluation', class: 'java.util.concurrent.ExecutionException', prints: [] }],
    ['nest', '(pmap (fn [x] (vec (pmap (fn [y] (* x y)) [1 2 3]))) [1 2])', { value: '([1 2 3] [2 4 6])', prints: [] }],
    ['realise endless seqs for themselves', '(def s (iterate inc 1)) (pmap (fn [n] (nth s n)) [3 4])', { value: '(4 5)', prints: [] }],
    ['print into with-out-str', '(with-out-str (pmap println [1 2]))', { value: '"1\\n2\\n"', prints: [] }],
    ['take what cannot be written down', '(def t (transient [])) (pmap (fn [x] (count t)) [1 2])', { value: '(0 0)', prints: [] }],
  ];
  for (const [rule, source, expected] of RULES) {
    it(rule, async () => {
      const slots = slotsOf(4);
      expect(told(await outcomeOf(source, slots)), 'isolates').to.deep.equal(expected);
      expect(slots.taken()).to.equal(0);
      expect(told(await outcomeOf(source, slotsOf(0))), 'no slot').to.deep.equal(expected);
      expect(told(await outcomeOf(source, null)), 'no branches').to.deep.equal(expected);
    });
  }

  it('make their capability calls as themselves', async () => {
    const reply = await outcomeOf('(pmap (fn [x] (my.lib/asks x)) ["a" "b"])', slotsOf(2));
    expect(told(reply)).to.deep.include({ prints: [] });
    expect(calls.map(({ name, arguments: text, branch }) => [name, text, branch])).to.have.deep.members([['ask', '{"x":"a"}', '0'], ['ask', '{"x":"b"}', '1']]);
  });

  it('of branches name their place in each', async () => {
    await outcomeOf('(pmap (fn [x] (vec (pmap my.lib/asks [x x]))) [1 2])', slotsOf(8));
    expect(calls.map(({ branch }) => branch)).to.have.members(['0/0', '0/1', '1/0', '1/1']);
  });

  it('take no more slots than there are, and wait for their own', async () => {
    const slots = slotsOf(2);
    expect(told(await outcomeOf('(pmap inc (range 7))', slots))).to.deep.equal({ value: '(1 2 3 4 5 6 7)', prints: [] });
    expect([slots.most(), slots.taken()]).to.deep.equal([2, 0]);
  });

  it('end at one deadline, which is a limit', async () => {
    const reply = await outcomeOf('(pmap (fn [_] (loop [] (recur))) [1 2])', { ...slotsOf(2), timeoutMs: 300 });
    expect(faultOf(reply)?.reason).to.equal('runtime_limit_exceeded');
    expect(faultOf(reply)?.details).to.deep.include({ limit: 'parallel_timeout_ms', milliseconds: 300 });
  });

  it('pass a lack of memory on', async () => {
    const reply = await outcomeOf('(pmap (fn [x] (if (= x 2) (loop [v []] (recur (conj v (vec (range 100))))) x)) [1 2 3])', slotsOf(3));
    expect(faultOf(reply)?.reason ?? reply).to.equal('memory_exceeded');
  });

  it('end with their caller', async () => {
    const slots = slotsOf(2);
    const outcome = await isolate.request(
      { operation: 'evaluate', environment: 'workflow', source: '(pmap (fn [_] (loop [] (recur))) [1 2])', data: {}, tools: [], loop_iterations: null, projection: 'printed' },
      { timeoutMs: 500, parallel: slots },
    );
    expect(outcome.status).to.equal('timeout');
  });
});
