import { expect } from 'chai';
import { MOST_ANSWERED, MOST_BRANCHES } from '../../contract/parallel.ts';
import type { BranchReply, BranchRequest, EvaluateRequest, GuestOutcome } from '../../contract/sandbox-protocol.ts';
import { answerParallel, type BranchOptions } from './branches.ts';

const SLOTS = 4;
const CALLER: EvaluateRequest = {
  operation: 'evaluate',
  environment: 'workflow',
  source: '',
  data: {},
  tools: [],
  loop_iterations: null,
  projection: 'printed',
};

/** What one turn of the event loop may do for an operation, however many calls it has: counted, not timed. */
describe('work of one operation of parallel branches', () => {
  interface Work {
    readonly reply: unknown;
    /** Branches that were ever asked for. */
    readonly requested: number;
    /** The most that began within one turn of the event loop, and the most signals that one raised. */
    readonly mostStarted: number;
    readonly mostRaised: number;
  }

  async function workOf(
    count: number,
    answer: (index: number, signal: AbortSignal | undefined) => Promise<BranchReply | 'cancelled'>,
  ): Promise<Work> {
    let [requested, started, mostStarted, raised, mostRaised] = [0, 0, 0, 0, 0];
    let isOver = false;
    const turn = (): void => {
      [started, raised] = [0, 0];
      if (!isOver) setImmediate(turn);
    };
    turn();
    const request = async ({ call }: BranchRequest, { signal }: BranchOptions): Promise<GuestOutcome<BranchReply>> => {
      requested += 1;
      started += 1;
      mostStarted = Math.max(mostStarted, started);
      signal?.addEventListener('abort', () => {
        raised += 1;
        mostRaised = Math.max(mostRaised, raised);
      });
      await new Promise(setImmediate);
      const reply = await answer(Number(call), signal);
      return reply === 'cancelled' ? { status: 'cancelled' } : { status: 'replied', reply };
    };
    const text = await answerParallel(
      JSON.stringify({ shared: '', calls: Array.from({ length: count }, (_, index) => String(index)) }),
      {
        request: CALLER,
        options: { timeoutMs: 60_000 },
        parallel: {
          timeoutMs: 60_000,
          takeBranches: (wanted) => Math.min(wanted, SLOTS),
          releaseBranches: () => undefined,
        },
        bundle: null,
        places: { reserve: (wanted) => Math.min(wanted, SLOTS), release: () => undefined },
        open: () => ({
          request,
          loadAndRequest: () => Promise.reject(new Error('no bundle')),
          isRoomy: async () => true,
          dispose: async () => undefined,
        }),
        ended: new AbortController().signal,
        now: () => performance.now(),
      },
    );
    isOver = true;
    return { reply: JSON.parse(text), requested, mostStarted, mostRaised };
  }

  const value = (text: string): BranchReply => ({ outcome: 'value', value: text, printed: [] });

  it('is that of the branches it has slots for, with as many calls as it may have', async () => {
    const work = await workOf(MOST_BRANCHES, async (index) => value(String(index)));
    expect(work.requested).to.equal(MOST_BRANCHES);
    expect(work.reply).to.have.property('branches').that.has.length(MOST_BRANCHES);
    expect(work.mostStarted).to.be.at.most(2 * SLOTS);
  });

  it('is none with more calls: they run where they were asked for', async () => {
    for (const count of [MOST_BRANCHES + 1, 60_000, 500_000]) {
      expect(await workOf(count, async () => value(''))).to.deep.equal({
        reply: { reply: 'sequential' },
        requested: 0,
        mostStarted: 0,
        mostRaised: 0,
      });
    }
  });

  it('ends those under way when the first fails, and nothing for those that never began', async () => {
    const work = await workOf(MOST_BRANCHES, async (index, signal) => {
      if (index === 0) return { outcome: 'error', value: 'e', printed: [] };
      if (signal?.aborted !== true)
        await new Promise((resolve) => {
          signal?.addEventListener('abort', resolve);
        });
      return 'cancelled';
    });
    expect(work.reply).to.deep.equal({ reply: 'branches', branches: [{ outcome: 'error', value: 'e', printed: [] }] });
    expect(work.requested).to.be.at.most(2 * SLOTS);
    expect(work.mostRaised).to.be.at.most(SLOTS);
  });

  it('is bounded by what all of them answer together', async () => {
    const text = 'x'.repeat(1_000_000);
    const work = await workOf(100, async () => value(text));
    expect(work.requested).to.be.at.most(MOST_ANSWERED / 1_000_000 + 2 * SLOTS);
    const { branches } = Object(work.reply);
    expect(branches.at(-1)).to.deep.include({ outcome: 'limit', kind: 'memory_exceeded' });
    expect(branches.slice(0, -1).every(({ outcome }: BranchReply) => outcome === 'value')).to.equal(true);
  });
});
