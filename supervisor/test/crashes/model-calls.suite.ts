import { expect } from 'chai';
import * as sinon from 'sinon';
import type { RoutedModel } from '../../calls/broker/capability.ts';
import { SerializedJson } from '../../../contract/json/serialized.ts';
import { capability, failed, harness, value, type TestOutcome } from '../../calls/broker/testing/broker-harness.ts';

const CALLS = 100;
const TOKENS = 40;
const LIMIT = 1000;

/** What a provider says after the gate, in turn: as promised, less, nothing of its use, and a failure with none. */
const ENDS: readonly (() => TestOutcome)[] = [
  () => used(30, 10),
  () => used(1, 2),
  () => value('no usage'),
  () => failed({ reason: 'unavailable' }),
];

function used(input: number, output: number): TestOutcome {
  return { kind: 'value', value: SerializedJson.of('hi'), usage: { input, output }, finish: null };
}

const MODEL: RoutedModel = {
  alias: 'small',
  installationRevision: 'r1',
  resolvedModel: 'v:m',
  maxCalls: 2048,
  isLive: true,
  terms: { kind: 'fixed', outputTokens: 10, tokens: TOKENS, costMicrousd: 0 },
};

describe('a hundred model calls at once on one budget (runtime.md §11, §14)', () => {
  for (const order of ['first', 'last'] as const) {
    it(`charged and reserved stay within it at every instant, whichever is answered ${order}`, async () => {
      const waiting: (() => void)[] = [];
      let sent = 0;
      const target = capability({
        answer: () => {
          const end = ENDS[sent % ENDS.length] ?? ENDS[0];
          sent += 1;
          return new Promise((resolve) => {
            waiting.push(() => {
              resolve(end === undefined ? value(null) : end());
            });
          });
        },
      });
      let most = 0;
      const look = (): void => {
        const { tokens } = run.broker.counts();
        if (tokens === null) throw new Error('the budget is on');
        expect(tokens.charged + tokens.reserved).to.be.at.most(LIMIT);
        most = Math.max(most, tokens.charged + tokens.reserved);
      };
      const run = harness({
        limits: { live_provider_tasks: CALLS },
        host: { llm_total_tokens: LIMIT, live_provider_tasks: CALLS },
        capabilities: [
          capability({ name: 'llm-request', route: (input) => ({ ok: true, target, request: input, model: MODEL }) }),
        ],
        record: () => {
          look();
          return 'recorded';
        },
        keep: () => {
          look();
          return true;
        },
      });
      let refused = 0;
      const pending = new Set<number>();
      // Who is refused asks twice more: calls that used less than they reserved leave room.
      const asking = async (nth: number): Promise<void> => {
        pending.add(nth);
        const scope = run.open();
        for (let attempt = 0; attempt < 3; attempt += 1) {
          const { reason } = await run.call(scope, 'llm-request', { messages: [] });
          look();
          if (reason !== 'llm_total_tokens') break;
          refused += 1;
          for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
        }
        pending.delete(nth);
      };
      const all = Promise.all(Array.from({ length: CALLS }, (_, nth) => asking(nth)));
      while (pending.size > 0) {
        await new Promise(setImmediate);
        (order === 'first' ? waiting.shift() : waiting.pop())?.();
        look();
      }
      await all;
      expect(sent, 'room that was left is used').to.be.greaterThan(LIMIT / TOKENS);
      expect(most, 'the budget was full').to.equal(LIMIT);
      expect(refused).to.be.greaterThan(0);
      expect(run.broker.counts()).to.deep.include({ capabilityCalls: { 'workflow/llm-request': sent } });
      expect(run.broker.counts().tokens).to.deep.include({ limit: LIMIT, reserved: 0, refused, state: 'incomplete' });
    });
  }
});

describe('the time of a model call (runtime.md §9, llm_request_timeout_ms)', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    clock.restore();
  });

  for (const [answeredMs, envelope] of [
    [199, { status: 'ok' }],
    [200, { status: 'error', kind: 'timeout', reason: 'llm_request_timeout' }],
  ] as const) {
    it(`an answer after ${answeredMs} of 200 ms: ${envelope.status}`, async () => {
      const target = capability({
        timeoutMs: 1000,
        answer: () =>
          new Promise((resolve) => {
            setTimeout(resolve, answeredMs, value('hi'));
          }),
      });
      const run = harness({
        limits: { llm_request_timeout_ms: 200 },
        capabilities: [
          capability({ name: 'llm-request', route: (input) => ({ ok: true, target, request: input, model: MODEL }) }),
        ],
      });
      const answer = run.call(run.open(), 'llm-request', { messages: [] });
      await clock.tickAsync(answeredMs);
      await clock.tickAsync(1000);
      expect(await answer).to.include(envelope);
    });
  }
});
