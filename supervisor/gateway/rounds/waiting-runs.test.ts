import { expect } from 'chai';
import type { ApprovalRequest } from '../../../contract/approval.ts';
import { effectiveLimits } from '../../../contract/limits/effective.ts';
import { META } from '../../../contract/mcp/era.ts';
import type { JsonValue } from '../../../contract/json/value.ts';
import { RoundSeal } from '../../code/asking/round-state.ts';
import type { QuestionAnswer } from '../../code/asking/run-questions.ts';
import type { RunHandle, RunRequest } from '../../service/embedding/types.ts';
import { question } from '../../service/stores/testing/approval-contract.ts';
import { callTool } from '../tools/call.ts';
import type { CallServices, JoinableRun, Tool } from '../tools/call-services.ts';
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

interface StartedFake {
  readonly ask: () => Promise<QuestionAnswer>;
}

/** A gateway whose runs do what the test says, in which so many wait already. */
function gatewayWith(waiting: WaitingRuns<JoinableRun>) {
  const limits = effectiveLimits({}, {});
  if (!limits.ok) throw new Error('the limits are those of nobody');
  const started: StartedFake[] = [];
  const sent: string[] = [];
  const tool: Tool = {
    entry: { name: 'close', text: '{}', headers: [] },
    application: {
      contentDigest: 'sha256:a',
      effectiveDigest: 'sha256:a',
      installationDigests: {},
      effect: 'read',
      asks: true,
      contracts: { input: null, result: null },
      limits: limits.values,
    },
    tenant: 'close',
    providers: { current: () => null, isFenced: () => false, fence: () => undefined, close: async () => true },
    asks: true,
  };
  const run = (_: unknown, { runRef = '', signal, asker }: RunRequest = {}): RunHandle => {
    const over = new AbortController();
    const asked: ApprovalRequest = question(String(started.length), { runRef });
    started.push({ ask: async () => (await asker?.ask(asked, over.signal)) ?? { expired: true } });
    const ended = Promise.withResolvers<Awaited<RunHandle['result']>>();
    signal?.addEventListener('abort', () => {
      over.abort('over');
      ended.resolve({ kind: 'refused', runRef, code: 'draining', retryAfterMs: null, diagnostic: null });
    });
    return { runRef, events: (async function* () {})(), result: ended.promise, cancel: async () => undefined };
  };
  const services: CallServices = {
    supervisor: { run },
    tools: new Map([['close', tool]]),
    isDraining: () => false,
    onRun: () => undefined,
    audit: null,
    rounds: new RoundSeal(undefined, () => 0),
    waiting,
    questionTimers: {
      after: (_, act) => {
        setImmediate(act);
        return () => undefined;
      },
    },
    principal: 'gateway',
    keyed: {
      ask: () => {
        throw new Error('no call has a key');
      },
    },
    artifacts: null,
    server: '{}',
    now: () => 0,
    reportBug: () => undefined,
  };
  const gone = new AbortController();
  const capabilities = new Map([['elicitation', new Map<string, JsonValue>()]]);
  const call = async (): Promise<string | number> => {
    const answer = await callTool(
      {
        message: {
          id: 1,
          method: 'tools/call',
          params: new Map<string, JsonValue>([
            ['name', 'close'],
            ['_meta', new Map([[META.capabilities, capabilities]])],
          ]),
        },
        era: 'modern',
        headers: [],
        gone: gone.signal,
        open: () => ({ notify: () => undefined, end: async (message) => void sent.push(message) }),
      },
      services,
    );
    if (gone.signal.aborted) return 'left';
    return answer?.status ?? Object(JSON.parse(sent.at(-1) ?? '{}'))['result']?.resultType;
  };
  return { call, started, leave: () => gone.abort() };
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
    void first.ask();
    expect(await second.ask()).to.deep.equal({ unavailable: 'too_many' });
    expect(await calls[0]).to.equal('input_required');
    expect([waiting.count, waiting.isFull]).to.deep.equal([MOST, true]);
    expect(await call()).to.equal(429);
    expect(started).to.have.length(2);
    leave();
    waiting.abandonWaiting();
    expect(await calls[1]).to.equal('left');
  });
});
