import { expect } from 'chai';
import { readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { descendantsOf, isAlive } from '../cli/descendants.ts';
import { checkEnvelope } from '../envelopes/checker/check-envelope.ts';
import { until } from '../until.ts';
import { ModelRoom, REQUEST, type ModelReport } from './room.ts';

/** How often; more by SVC_CANCELS. */
const TIMES = Number(process.env['SVC_CANCELS'] ?? 24);
const SEED = Number(process.env['SVC_SEED'] ?? 1);
/** Beyond the life of this run on a machine at rest, and beyond that of its calls, so that every stage is met. */
const RUN_MS = 1000;
const CALLS_MS = 400;
const CALLS = 3;
const OUTPUT_TOKENS = 100;
const LIMIT = 100_000;

/** The same numbers for the same seed, from 0 to 1 (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Row {
  readonly calls: number;
  readonly successful_calls: number;
  readonly usage_calls: number;
  readonly missing_usage_calls: number;
}
interface Execution {
  readonly state: string;
  readonly usage?: {
    readonly llm_usage: readonly Row[];
    readonly llm_budget: { readonly total_tokens: { readonly charged: number; readonly reserved: number } };
  } | null;
}

describe('a run that is interrupted at any stage of its calls (runtime.md §10, §11; providers.md §14)', function () {
  // Each takes about a second.
  this.timeout(60_000 + TIMES * 10_000);
  let room: ModelRoom;
  beforeEach(async () => {
    room = await ModelRoom.open();
  });
  afterEach(async () => room.close());

  it(`leaves no process and no socket, and tells what was sent, ${String(TIMES)} times`, async () => {
    // Headers, and a body in pieces: a call has stages of its own to be interrupted in.
    await room.serve([
      {
        times: 'any',
        action: {
          answer: { text: 'to you too', usage: { input: 9, output: 3 } },
          delivery: { delayMs: 40, split: 60, pauseMs: 10 },
        },
      },
    ]);
    const limits = { llm_total_tokens: LIMIT };
    await room.layOut({
      program: 'count',
      input: { request: REQUEST, times: CALLS },
      hostLimits: limits,
      limits: { ...limits, llm_request_output_tokens: OUTPUT_TOKENS },
      install: { small: room.model({ usage_guarantees: { tokens: true, cost_currency: null } }) },
    });
    const random = randomFrom(SEED);
    const seen = new Set<string>();
    for (let time = 0; time < TIMES; time += 1) {
      const before = room.server.requests.length;
      // Two of three from the first request on, where the stages of calls are.
      const isOfCalls = time % 3 > 0;
      const delay = Math.round(random() * (isOfCalls ? CALLS_MS : RUN_MS));
      const place = `seed ${String(SEED)}, time ${String(time)}, ${String(delay)} ms after the ${isOfCalls ? 'first request' : 'start'}`;
      const started = room.start({});
      if (isOfCalls) await until('the first request', () => (room.server.requests.length > before ? true : undefined));
      await Promise.race([pause(delay), started.ended]);
      const hosts = descendantsOf(started.child.pid ?? 0);
      started.child.kill('SIGINT');
      const report = await room.report(await started.ended);
      await until(`the end of every process, ${place}`, () => (hosts.some(isAlive) ? undefined : true));
      await until(`the end of every socket, ${place}`, () => (room.server.openConnections() === 0 ? true : undefined));
      expect(
        readdirSync(room.directory).filter((name) => name.startsWith('.svc')),
        place,
      ).to.deep.equal([]);
      seen.add(expectReported(report, room.server.requests.length - before, place));
    }
    expect(
      [...seen].filter((stage) => stage.includes('answered, 1 not')),
      'some were interrupted within a call',
    ).not.to.deep.equal([]);
  });
});

/** What the envelope tells of the requests that a server saw. Gives the stage in which the run was. */
function expectReported({ status, signal, envelope, stderr }: ModelReport, requests: number, place: string): string {
  // Before the program listens, the signal itself ends it, and nothing was begun.
  if (status === null) {
    expect({ signal, requests }, place).to.deep.equal({ signal: 'SIGINT', requests: 0 });
    return 'before it listened';
  }
  expect([0, 130], `${place}: ${stderr}`).to.include(status);
  expect(checkEnvelope(envelope), place).to.deep.equal([]);
  const { execution }: { readonly execution?: Execution } = envelope;
  const usage = execution?.usage ?? null;
  if (usage === null) {
    expect(requests, `${place}: nothing tells of a request that was sent`).to.equal(0);
    return String(execution?.state);
  }
  const row = usage.llm_usage[0] ?? { calls: 0, successful_calls: 0, usage_calls: 0, missing_usage_calls: 0 };
  // The last call may have been charged as sent before its first byte came.
  const sent = row.usage_calls + row.missing_usage_calls;
  expect(sent - requests, `${place}: ${JSON.stringify(usage)}`).to.be.oneOf([0, 1]);
  expect(row.successful_calls, place).to.equal(row.usage_calls);
  expect(row.missing_usage_calls, place).to.be.at.most(1);
  const reservation =
    JSON.stringify({ messages: [{ content: 'good morning', role: 'user' }] }).length + 256 + OUTPUT_TOKENS;
  expect(usage.llm_budget.total_tokens, place).to.deep.include({
    reserved: 0,
    charged: 12 * row.usage_calls + reservation * row.missing_usage_calls,
  });
  if (status === 0) expect(row, place).to.deep.include({ calls: CALLS, successful_calls: CALLS });
  return status === 0
    ? 'at its end'
    : `${String(row.successful_calls)} answered, ${String(row.missing_usage_calls)} not`;
}
