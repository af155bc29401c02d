import { expect } from 'chai';
import { readFile, readdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { ModelStep } from '../../../conformance/servers/llm/script.ts';
import { startModelServer } from '../../../conformance/servers/llm/server.ts';
import { until } from '../../../conformance/until.ts';
import type { CallAnswer, CallRequest } from '../../../contract/provider-protocol/call.ts';
import { Secret } from '../../../contract/provider-protocol/credentials.ts';
import { SYSTEM_NETWORK } from '../../../contract/provider-protocol/network.ts';
import { modelAdapter } from '../../llm/adapter.ts';
import { modelThreads } from '../../llm/services.ts';

const CALLS = 200;
/** Some are given up before they are written, some while an answer is on its way, some when it is there. */
const LONGEST_MS = 120;
const AT_ONCE = 8;
const SERVER: readonly ModelStep[] = [
  { match: { contains: 'kind-0' }, times: 'any', action: { answer: { text: 'at once' } } },
  { match: { contains: 'kind-1' }, times: 'any', action: { answer: { text: 'later' }, delivery: { delayMs: 15 } } },
  {
    match: { contains: 'kind-2' },
    times: 'any',
    action: { answer: { text: 'in pieces' }, delivery: { split: 16, pauseMs: 1 } },
  },
  { match: { contains: 'kind-3' }, times: 'any', action: { fault: 'silent' } },
  { match: { contains: 'kind-4' }, times: 'any', action: { fault: 'endless' } },
];

/** By the name that node gives them. */
async function workerThreads(): Promise<number> {
  const names = await Promise.all(
    (await readdir('/proc/self/task')).map(async (task) =>
      readFile(`/proc/self/task/${task}/comm`, 'utf8').catch(() => ''),
    ),
  );
  return names.filter((name) => name.startsWith('WorkerThread')).length;
}

describe('model calls that are given up at any moment (providers.md §14)', () => {
  it('leave no socket and no thread, end in their turn, and say whether they were sent', async () => {
    const before = await workerThreads();
    const server = await startModelServer({ script: SERVER });
    const threads = modelThreads();
    const declaration = {
      selector: `openai-compat:${server.url}/v1|m`,
      credential: 'key',
      wire: 'auto',
      identity: 'sha256:1 r1',
      params: {},
      schemaMode: 'unsupported',
      cache: false,
      routing: null,
      prices: null,
      guarantees: { tokens: false, cost: false },
      needsPrice: false,
      maxCalls: 2048,
      requestBytes: 1000,
      responseBytes: 100_000,
      timeoutMs: 5000,
      retry: { attempts: 1, maxWaitMs: 0 },
      region: null,
      server: null,
    } as const;
    const acquired = await modelAdapter(threads).acquire(
      {
        alias: 'small',
        declaration,
        traceId: 'r',
        limits: { argumentBytes: 1_000_000, resultBytes: 1_000_000, heapWords: 5_000_000, evaluationTimeoutMs: 5000 },
      },
      {
        credentials: new Map([['key', new Secret('sk-planted')]]),
        network: SYSTEM_NETWORK,
        dependencies: [],
        signal: new AbortController().signal,
      },
    );
    if (!acquired.ok) throw new Error(acquired.refusal.code);
    const { session } = acquired;
    const request = (nth: number): CallRequest => ({
      capabilityId: String(nth),
      name: 'llm-request',
      arguments: `{"messages":[{"content":"call-${nth}. kind-${nth % SERVER.length}","role":"user"}]}`,
      deadlineMs: 5000,
      resultBytes: 100_000,
      model: { requestHash: `sha256:${'0'.repeat(64)}`, outputLimit: { value: 9, bindings: ['application_limit'] } },
      keepsExchanges: false,
    });
    const abandonedOutcome = async (nth: number): Promise<CallAnswer['outcome']> => {
      const call = session.serve(request(nth), { openGate: async () => true });
      await pause(Math.random() * LONGEST_MS);
      call.cancel();
      await call.kill();
      return (await call.answer).outcome;
    };

    // Workers are there already: else nothing comes further than to its writing.
    await session.serve(request(CALLS * SERVER.length), { openGate: async () => true }).answer;
    const outcomes = new Map<number, CallAnswer['outcome']>();
    for (let nth = 0; nth < CALLS; nth += AT_ONCE) {
      await Promise.all(
        Array.from({ length: AT_ONCE }, async (_, at) => outcomes.set(nth + at, await abandonedOutcome(nth + at))),
      );
    }
    await session.close();
    await until('the sockets of the calls', () => (server.openConnections() === 0 ? true : undefined));
    await threads.close();
    await until('the end of the threads', async () => ((await workerThreads()) === before ? true : undefined));

    const seen = new Set(server.requests.map(({ body }) => Number(/call-(\d+)\./.exec(body)?.[1])));
    expect(server.requests, 'each is asked once').to.have.length(seen.size);
    const untrue = [...outcomes].filter(
      ([nth, outcome]) =>
        (outcome.kind === 'value' && !seen.has(nth)) ||
        (outcome.kind === 'error' && outcome.proof === 'not_dispatched' && seen.has(nth)),
    );
    expect(untrue).to.deep.equal([]);
    expect(new Set([...outcomes.values()].map(({ kind }) => kind)), 'some were answered, and others not').to.deep.equal(
      new Set(['value', 'error']),
    );
    await server.close();
  });
});
