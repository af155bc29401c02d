import { expect } from 'chai';
import { MISSION_HEAP_WORDS } from '../testing/requests.ts';
import { productGuest, useSandboxUnderTest } from '../testing/sandbox-under-test.ts';
import type { CapabilityCall, EvaluateReply, EvaluationFault } from '../../contract/sandbox-protocol.ts';
import type { Isolate, ParallelOptions } from './interface.ts';
import { BRANCH_RULES, LIBRARY } from './testing/branch-rules.ts';

/** Slots that count what is taken, and never more than there are. */
function slotsOf(count: number): ParallelOptions & { readonly most: () => number; readonly used: () => number } {
  let used = 0;
  let most = 0;
  return {
    timeoutMs: 60_000,
    takeBranches(wanted) {
      const input = Math.min(wanted, count - used);
      used += input;
      most = Math.max(most, used);
      return input;
    },
    releaseBranches(input) {
      used -= input;
    },
    most: () => most,
    used: () => used,
  };
}

function echoed(call: CapabilityCall): string {
  return JSON.stringify({ reply: 'value', value: call.arguments });
}

describe('parallel branches', () => {
  const built = useSandboxUnderTest(productGuest, { startsFor: 'test' });
  let isolate: Isolate;
  let calls: CapabilityCall[];
  /** How calls are answered. */
  let answer: (call: CapabilityCall) => Promise<string>;

  beforeEach(async () => {
    isolate = await built.sandbox.openIsolate({
      environment: 'workflow',
      trustDomain: 'run',
      heapWords: MISSION_HEAP_WORDS,
    });
    calls = [];
    answer = (call) => Promise.resolve(echoed(call));
    const compiled = await isolate.request(
      { operation: 'compile', environment: 'workflow', components: [{ id: 'lib', source: LIBRARY, dependencies: [] }] },
      { timeoutMs: 60_000 },
    );
    if (compiled.status === 'replied' && compiled.reply.status === 'compiled')
      await isolate.request({ operation: 'load', code: compiled.reply.code }, { timeoutMs: 60_000 });
  });

  async function outcomeOf(source: string, parallel: ParallelOptions | null): Promise<EvaluateReply | string> {
    const outcome = await isolate.request(
      {
        operation: 'evaluate',
        environment: 'workflow',
        source,
        data: { given: '[7]' },
        tools: ['ask'],
        loop_iterations: null,
        projection: 'printed',
      },
      {
        timeoutMs: 90_000,
        ...(parallel === null ? {} : { parallel }),
        onCapabilityCall(call) {
          calls.push(call);
          return answer(call);
        },
      },
    );
    return outcome.status === 'replied' ? outcome.reply : outcome.status;
  }

  function replyOutcome(reply: EvaluateReply | string): unknown {
    if (typeof reply === 'string') return reply;
    if (reply.outcome === 'evaluation_error')
      return {
        reason: reply.fault.reason,
        message: reply.fault.message,
        class: reply.fault.exception_class,
        prints: reply.prints,
      };
    return { value: reply.value, prints: reply.prints };
  }

  /** The fault of an evaluation that ended in one. */
  function faultOf(reply: EvaluateReply | string): EvaluationFault | null {
    return typeof reply === 'object' && reply.outcome === 'evaluation_error' ? reply.fault : null;
  }

  for (const [rule, source, expected] of BRANCH_RULES) {
    it(rule, async () => {
      const slots = slotsOf(4);
      expect(replyOutcome(await outcomeOf(source, slots)), 'isolates').to.deep.equal(expected);
      expect(slots.used()).to.equal(0);
      expect(replyOutcome(await outcomeOf(source, slotsOf(0))), 'no slot').to.deep.equal(expected);
      expect(replyOutcome(await outcomeOf(source, null)), 'no branches').to.deep.equal(expected);
    });
  }

  it('make their capability calls as themselves', async () => {
    const reply = await outcomeOf('(pmap (fn [x] (my.lib/asks x)) ["a" "b"])', slotsOf(2));
    expect(replyOutcome(reply)).to.deep.include({ prints: [] });
    expect(calls.map(({ name, arguments: text, branch }) => [name, text, branch])).to.have.deep.members([
      ['ask', '{"x":"a"}', '0'],
      ['ask', '{"x":"b"}', '1'],
    ]);
  });

  it('of branches name their place in each', async () => {
    await outcomeOf('(pmap (fn [x] (vec (pmap my.lib/asks [x x]))) [1 2])', slotsOf(8));
    expect(calls.map(({ branch }) => branch)).to.have.members(['0/0', '0/1', '1/0', '1/1']);
  });

  it('that are ended end their calls, and the operation has not ended before', async () => {
    const bothCall = Promise.withResolvers<void>();
    const order: string[] = [];
    answer = async (call) => {
      if (calls.length === 2) bothCall.resolve();
      if (call.branch === '0') {
        await bothCall.promise;
        return echoed(call);
      }
      await new Promise((resolve) => {
        call.ended?.addEventListener('abort', resolve);
      });
      order.push('told');
      // As long as anything that wrongly did not wait would need to be told first.
      await new Promise((resolve) => {
        setTimeout(resolve, 50);
      });
      order.push('over');
      return echoed(call);
    };
    const reply = await outcomeOf(
      '(pmap (fn [x] (my.lib/asks x) (if (= x 0) (throw (ex-info "no" {})) x)) [0 1])',
      slotsOf(2),
    );
    order.push('ended');
    expect(faultOf(reply)?.reason).to.equal('pmap_error');
    expect(order).to.deep.equal(['told', 'over', 'ended']);
    expect(calls.map(({ branch, ended }) => [branch, ended?.aborted])).to.have.deep.members([
      ['0', true],
      ['1', true],
    ]);
  });

  it('take no more slots than there are, and wait for their own', async () => {
    const slots = slotsOf(2);
    expect(replyOutcome(await outcomeOf('(pmap inc (range 7))', slots))).to.deep.equal({
      value: '(1 2 3 4 5 6 7)',
      prints: [],
    });
    expect([slots.most(), slots.used()]).to.deep.equal([2, 0]);
  });

  it('end at one deadline, which is a limit', async () => {
    const reply = await outcomeOf('(pmap (fn [_] (loop [] (recur))) [1 2])', { ...slotsOf(2), timeoutMs: 300 });
    expect(faultOf(reply)?.reason).to.equal('runtime_limit_exceeded');
    expect(faultOf(reply)?.details).to.deep.include({ limit: 'parallel_timeout_ms', milliseconds: 300 });
  });

  it('pass a lack of memory on', async () => {
    const reply = await outcomeOf(
      '(pmap (fn [x] (if (= x 2) (loop [v []] (recur (conj v (vec (range 100))))) x)) [1 2 3])',
      slotsOf(3),
    );
    expect(faultOf(reply)?.reason ?? reply).to.equal('memory_exceeded');
  });

  it('end with their caller', async () => {
    const slots = slotsOf(2);
    const outcome = await isolate.request(
      {
        operation: 'evaluate',
        environment: 'workflow',
        source: '(pmap (fn [_] (loop [] (recur))) [1 2])',
        data: {},
        tools: [],
        loop_iterations: null,
        projection: 'printed',
      },
      { timeoutMs: 500, parallel: slots },
    );
    expect(outcome.status).to.equal('timeout');
  });
});
