import { expect } from 'chai';
import type { QuestionAnswer } from '../../code/asking/run-questions.ts';
import { question } from '../../service/stores/testing/approval-contract.ts';
import { fakeGateway } from '../testing/fake-gateway.ts';
import type { JoinableRun } from '../tools/call-services.ts';
import { WaitingRuns } from './waiting-runs.ts';

/** `--max-waiting-runs` where nobody says it. */
const MOST = 256;

function waitingRun(runRef: string): JoinableRun {
  return {
    runRef,
    isAsking: () => true,
    isWaiting: () => true,
    abandon: () => undefined,
    answer: async () => null,
    takeAnswers: () => undefined,
  };
}

function waitingRuns(count: number, ofPrograms = 0): WaitingRuns<JoinableRun> {
  const runs = new WaitingRuns<JoinableRun>(MOST, () => ofPrograms);
  for (let index = 0; index < count; index += 1) runs.add(waitingRun(`cmd-${index}`));
  return runs;
}

/** A gateway whose runs ask when the test says so, in which so many wait already. */
function gatewayWith(waiting: WaitingRuns<JoinableRun>) {
  const closed = new AbortController();
  const started: (() => Promise<QuestionAnswer>)[] = [];
  const gateway = fakeGateway(waiting, async ({ runRef = '', asker, signal = closed.signal }) => {
    const over = new AbortController();
    const request = question(String(started.length), { runRef });
    started.push(async () => (await asker?.ask(request, over.signal)) ?? { expired: true });
    await new Promise((resolve) => {
      signal.addEventListener('abort', resolve);
    });
    over.abort('over');
  });
  const call = async (): Promise<string | number> => {
    const { status, resultType } = await gateway.call({ disconnected: closed.signal });
    return status ?? resultType ?? 'left';
  };
  return { call, started, leave: () => closed.abort() };
}

describe('runs of a gateway that wait for a person (approvals.md §6, "slots")', () => {
  for (const [ofTools, ofPrograms] of [
    [255, 0],
    [256, 0],
    [257, 0],
    [200, 55],
    [200, 56],
  ] as const)
    it(`are ${ofTools} and ${ofPrograms} of programs: ${ofTools + ofPrograms < MOST ? 'there is room' : 'full'} (46)`, () => {
      const runs = waitingRuns(ofTools, ofPrograms);
      expect([runs.count, runs.isFull]).to.deep.equal([ofTools + ofPrograms, ofTools + ofPrograms >= MOST]);
    });

  it('leave room again when one has ended', () => {
    const runs = waitingRuns(MOST);
    const first = runs.find('cmd-0');
    if (first === null) throw new Error('it waits');
    runs.end(first, true);
    expect([runs.count, runs.isFull]).to.deep.equal([MOST - 1, false]);
  });

  it('are never more than there may be: the 256th waits, what would be the 257th is refused (46)', async () => {
    const waiting = waitingRuns(MOST - 1);
    const { call, started, leave } = gatewayWith(waiting);
    // Both may run, since neither asks yet.
    const calls = [call(), call()];
    const [first, second] = started;
    if (first === undefined || second === undefined) throw new Error('both began');
    void first();
    expect(await second()).to.deep.equal({ unavailable: 'too_many' });
    expect(await calls[0]).to.equal('input_required');
    expect([waiting.count, waiting.isFull]).to.deep.equal([MOST, true]);
    expect(await call()).to.equal(429);
    expect(started).to.have.length(2);
    leave();
    waiting.abandonWaiting();
    expect(await calls[1]).to.equal('left');
  });
});
