import { expect } from 'chai';
import { MISSION_HEAP_WORDS, verdictOf } from '../testing/requests.ts';
import { productGuest, useSandboxUnderTest } from '../testing/sandbox-under-test.ts';
import type { BranchRequest, EvaluateRequest, GuestOutcome, EvaluateReply } from '../../contract/sandbox-protocol.ts';
import type { BranchIsolate } from './branch-isolates.ts';
import { answerParallel, type BranchOptions } from './branches.ts';
import type { ParallelOptions } from './interface.ts';
import { takeTurns } from './turns.ts';

const SLOTS: ParallelOptions = {
  timeoutMs: 60_000,
  takeBranches: (wanted) => wanted,
  releaseBranches: () => undefined,
};
const program = (source: string): EvaluateRequest => ({
  operation: 'evaluate',
  environment: 'workflow',
  source,
  data: {},
  tools: ['ask'],
  loop_iterations: null,
  projection: 'printed',
});

describe('turns of branches', () => {
  /** An operation of so many branches in a pool that gives one turn, which the caller has. */
  async function operation(
    branches: number,
    onBranch: (options: BranchOptions) => Promise<void>,
    onCall: () => Promise<void> = async () => undefined,
  ): Promise<readonly string[]> {
    const turns = takeTurns({ slots: 1, computing: Infinity, processors: 1 });
    const reported: string[] = [];
    const own = await turns.take('next', 60_000);
    const isolate: BranchIsolate = {
      request: async (_: BranchRequest, options: BranchOptions) => {
        reported.push('computes');
        await onBranch(options);
        reported.push('ends');
        return { status: 'replied', reply: { outcome: 'value', value: '1', printed: [] } };
      },
      loadAndRequest: () => Promise.reject(new Error('no bundle')),
      isRoomy: async () => true,
      dispose: async () => undefined,
    };
    const answer = await answerParallel(
      JSON.stringify({ shared: '', calls: Array.from({ length: branches }, () => '') }),
      {
        request: program(''),
        options: {
          timeoutMs: 60_000,
          onCapabilityCall: async () => {
            reported.push('calls');
            await onCall();
            return '0';
          },
          branches: {
            without: (wait) => own.without(wait),
            take: (waitMs, signal) => turns.take('next', 60_000, { tenant: null, waitMs, lastMs: waitMs, signal }),
          },
        },
        parallel: SLOTS,
        bundle: null,
        places: { reserve: (wanted) => Math.min(wanted, 4), release: () => undefined },
        open: () => isolate,
        ended: new AbortController().signal,
        now: () => performance.now(),
      },
    );
    expect(JSON.parse(answer)).to.have.property('reply', 'branches');
    own.end();
    return reported;
  }

  const call = async ({ onCapabilityCall }: BranchOptions): Promise<void> =>
    void (await onCapabilityCall?.({ name: 'ask', arguments: '{}', ended: new AbortController().signal }));

  it('are those of the pool: who waits for its branches has none meanwhile, and they come one after the other', async () => {
    expect(await operation(2, async () => undefined)).to.deep.equal(['computes', 'ends', 'computes', 'ends']);
  });

  it('are given back while a branch waits for an answer', async () => {
    let waiting = 0;
    const both = Promise.withResolvers<void>();
    const reported = await operation(2, call, async () => {
      waiting += 1;
      if (waiting === 2) both.resolve();
      await both.promise;
    });
    expect(reported).to.deep.equal(['computes', 'calls', 'computes', 'calls', 'ends', 'ends']);
  });

  it('hold a call of a branch up for nobody', async () => {
    const reported = await operation(2, call);
    expect(reported.filter((word) => word === 'calls')).to.have.length(2);
  });
});

describe('branches of many programs', () => {
  const built = useSandboxUnderTest(productGuest, { startsFor: 'test' });

  async function run(
    tenant: string,
    source: string,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<GuestOutcome<EvaluateReply>> {
    const isolate = await built.sandbox.openIsolate({
      environment: 'workflow',
      trustDomain: tenant,
      tenant,
      heapWords: MISSION_HEAP_WORDS,
    });
    try {
      return await isolate.request(program(source), {
        timeoutMs,
        parallel: SLOTS,
        ...(signal === undefined ? {} : { signal }),
        onCapabilityCall: async () => '{"reply":"value","value":1}',
      });
    } finally {
      await isolate.dispose();
    }
  }

  it('inside each other, more of them than may compute, all come to their end', async () => {
    const nested = '(reduce + (pmap (fn [x] (reduce + (pmap (fn [y] (+ x y (tool/ask {}))) [1 2 3]))) [1 2 3]))';
    const ends = await Promise.all(Array.from({ length: 12 }, () => run('a', nested, 60_000)));
    expect(
      ends.map((end) =>
        end.status === 'replied' && end.reply.outcome === 'continued' ? end.reply.value : verdictOf(end),
      ),
    ).to.deep.equal(Array.from({ length: 12 }, () => '45'));
  });

  it('that never end keep nothing of another tenant from its end', async () => {
    const leaving = new AbortController();
    const endless = Array.from({ length: 8 }, () =>
      run('a', '(pmap (fn [_] (loop [] (recur))) (range 4))', 600_000, leaving.signal),
    );
    const end = await run('b', '(reduce + (pmap inc [1 2 3]))', 60_000);
    expect(end).to.have.nested.property('reply.value', '9');
    leaving.abort();
    await Promise.all(endless);
  });
});
