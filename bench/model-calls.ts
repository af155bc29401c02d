/**
 * What a model's call costs beside the bytes that it sends: `llm-request` of one run against the same bytes by bare
 * undici, and the same question by the AI SDK, from the same process and server; what retries cost where none is
 * needed; and many calls at once, over one pool of workers and under a limit of the vendor.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Agent, request } from 'undici';
import { PacedCalls, SYSTEM_CLOCK } from '../adapters/llm/retry/paced-calls.ts';
import { tryAgain, type Tried } from '../adapters/llm/retry/try-again.ts';
import { modelAdapter, modelThreads } from '../adapters/pool/models.ts';
import { startModelServer } from '../conformance/servers/llm/server.ts';
import { Secret } from '../contract/provider-protocol/credentials.ts';
import { SYSTEM_NETWORK } from '../contract/provider-protocol/network.ts';
import { createSupervisor, defineCustomInstallation, type CustomInstallation } from '../supervisor/api/supervisor.ts';
import { median, type Figure } from './figure.ts';

const dist = join(import.meta.dirname, '../dist');
const CALLS = 400;
const WARM = 50;
const CROWD = 300;
const CROWDS = 5;
const REQUEST = '{"messages":[{"content":"good morning","role":"user"}]}';
/** What a fast model takes, so that many are under way at once. */
const ANSWER_MS = 250;

interface ReceivedCall {
  readonly body: string;
  readonly at: number;
}

/** A server that answers each request after so long, and remembers when it came. */
async function startServer(
  answerMs: number,
): Promise<{ readonly url: string; readonly received: ReceivedCall[]; readonly close: () => void }> {
  const receivedCalls: ReceivedCall[] = [];
  const answer = JSON.stringify({
    id: 'a',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: 'to you too' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
  });
  const server = createServer((incoming, response) => {
    let body = '';
    incoming
      .setEncoding('utf8')
      .on('data', (piece: string) => {
        body += piece;
      })
      .on('end', () => {
        receivedCalls.push({ body, at: performance.now() });
        const respond = (): void => void response.setHeader('content-type', 'application/json').end(answer);
        if (answerMs === 0) respond();
        else setTimeout(respond, answerMs);
      });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port }: AddressInfo = Object(server.address());
  return {
    url: `http://127.0.0.1:${String(port)}/v1`,
    received: receivedCalls,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Attempts of a call; absent: as an installation has them that says nothing. */
type RunOnce = (url: string, body: string, attempts?: number) => Promise<void>;

async function inDirectory<T>(
  use: (run: RunOnce) => Promise<T>,
  custom: readonly CustomInstallation[] = [],
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-bench-calls-'));
  const supervisor = await createSupervisor({ programDirectory: dist, limits: { maxProviderCalls: CROWD } });
  const write = (name: string, value: unknown): Promise<void> =>
    writeFile(join(directory, name), typeof value === 'string' ? value : JSON.stringify(value));
  const limits = {
    live_provider_tasks: CROWD,
    workflow_capability_calls: 4096,
    workflow_capability_calls_per_name: 2048,
    run_duration_ms: 120_000,
    workflow_timeout_ms: 120_000,
    parallel_timeout_ms: 120_000,
  };
  try {
    return await use(async (url, body, attempts) => {
      await write('svc.json', {
        version: 1,
        workflow: { entry: 'main/run', components: [{ id: 'main', path: 'main.clj' }] },
        providers: { workflow: ['small', ...custom.map(({ alias }) => alias)].map((name) => ({ name })) },
        limits,
        input: { value: {} },
      });
      await write('svc-host.json', {
        credentials: { key: { literal: 'k' } },
        limits,
        install: {
          small: {
            source: 'llm',
            installation_revision: 'r1',
            model: `openai-compat:${url}|m`,
            credential: 'key',
            structured_output_mode: 'unsupported',
            usage_guarantees: { tokens: false, cost_currency: null },
            ...(attempts !== undefined && { retry: { attempts } }),
          },
        },
      });
      await write(
        'main.clj',
        `(ns main)\n(defn ask [_] (let [answer (tool/llm-request {:messages [{:role "user" :content "good morning"}]})] (if (= :ok (:status answer)) 1 (throw (ex-info (str answer) {})))))\n(defn run [input] ${body})\n`,
      );
      const application = await supervisor.prepare({
        kind: 'directory',
        manifest: 'svc.json',
        host: 'svc-host.json',
        workingDirectory: directory,
        custom,
      });
      const end = await supervisor.run(application).result;
      if (end.kind !== 'finished' || end.exitStatus !== 0) throw new Error(JSON.stringify(end).slice(0, 2000));
    });
  } finally {
    await supervisor.close();
    await rm(directory, { recursive: true, force: true });
  }
}

/** Times from one request's arrival to the next, without those that warm. */
function periods(receivedCalls: readonly ReceivedCall[]): readonly number[] {
  return receivedCalls
    .slice(1)
    .map(({ at }, index) => at - (receivedCalls[index]?.at ?? NaN))
    .slice(WARM);
}

/** Runs in turn that try again where that helps, and that ask once: the same calls, of which none fails. */
const ROUNDS = 3;

async function oneByOne(): Promise<Figure[]> {
  const server = await startServer(0);
  const all = `(reduce + (map ask (range ${String(CALLS)})))`;
  const [own, once]: [number[], number[]] = [[], []];
  let body = '';
  await inDirectory(async (run) => {
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [times, attempts] of [[own], [once, 1]] as const) {
        server.received.length = 0;
        await run(server.url, all, attempts);
        times.push(median(periods(server.received)));
        body = server.received[0]?.body ?? '';
      }
  });
  const agent = new Agent();
  const bare = await measureGaps(server.received, async () => {
    const answered = await request(`${server.url}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer k' },
      body,
      dispatcher: agent,
    });
    await answered.body.json();
  });
  await agent.destroy();
  const model = createOpenAICompatible({ name: 'm', baseURL: server.url, apiKey: 'k' }).chatModel('m');
  const library = await measureGaps(server.received, async () => {
    await model.doGenerate({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'good morning' }] }] });
  });
  server.close();
  return [
    {
      name: 'added by a run to one call of a model, p50',
      value: median(own) - bare,
      unit: 'ms',
      bound: { kind: 'most', value: 3 },
      detail: `aim 2; ${median(own).toFixed(2)} ms against ${bare.toFixed(2)} ms from one request to the next`,
    },
    {
      name: 'llm-request / the same bytes by bare undici, p50',
      value: median(own) / bare,
      unit: 'x',
      bound: { kind: 'most', value: 25 },
      detail: 'aim 3',
    },
    {
      name: 'llm-request / the same question by the AI SDK alone, p50',
      value: median(own) / library,
      unit: 'x',
      bound: { kind: 'most', value: 12 },
      detail: `${median(own).toFixed(2)} ms against ${library.toFixed(2)} ms`,
    },
    {
      name: 'llm-request that may be tried again / one that is asked once, p50',
      value: median(own) / median(once),
      unit: 'x',
      bound: null,
      detail: `${median(own).toFixed(2)} ms against ${median(once).toFixed(2)} ms; no call fails`,
    },
  ];
}

/** From one request to the next, in milliseconds, of calls one after the other. */
async function measureGaps(receivedCalls: ReceivedCall[], ask: () => Promise<void>): Promise<number> {
  receivedCalls.length = 0;
  for (let call = 0; call < CALLS; call += 1) await ask();
  return median(periods(receivedCalls));
}

const MACHINE_CALLS = 2000;
const ANSWERED: Tried = {
  conversed: { ok: true, body: new Uint8Array() },
  end: { kind: 'settled' },
  attempt: { outcome: 'ok', status: 200, said: null, charge: 'reported' },
};

/** What the machinery of retries takes where nothing has to be tried again, beside a call that has none of it. */
async function unusedRetries(): Promise<Figure[]> {
  const calls = new PacedCalls(SYSTEM_CLOCK);
  const { signal } = new AbortController();
  const timed = async (attempts: number): Promise<number> => {
    const policy = { attempts, maxWaitMs: 30_000 };
    const started = performance.now();
    for (let call = 0; call < MACHINE_CALLS; call += 1)
      await tryAgain(() => Promise.resolve(ANSWERED), {
        policy,
        calls,
        clock: SYSTEM_CLOCK,
        signal,
        remainingMs: 60_000,
      });
    return (performance.now() - started) / MACHINE_CALLS;
  };
  const [used, unused]: [number[], number[]] = [[], []];
  for (let round = 0; round < CROWDS; round += 1) {
    unused.push(await timed(1));
    used.push(await timed(3));
  }
  return [
    {
      name: 'retries that are not needed, added to one call',
      value: median(used) - median(unused),
      unit: 'ms',
      bound: { kind: 'most', value: 0.1 },
      detail: `${(1000 * median(used)).toFixed(1)} µs against ${(1000 * median(unused)).toFixed(1)} µs`,
    },
  ];
}

const LIMITED = 32;
const PER_SECOND = 10;
const SECOND_MS = 1000;

/** As many callers at once as a limit of requests takes in three seconds. */
async function underALimit(): Promise<Figure[]> {
  const at: number[] = [];
  const server = await startModelServer({
    script: [{ times: 'any', action: { answer: { text: 'to you too' } } }],
    requestsPerSecond: PER_SECOND,
    onRequest: () => at.push(performance.now()),
  });
  await inDirectory(async (run) => run(`${server.url}/v1`, `(reduce + (pmap ask (range ${String(LIMITED)})))`));
  await server.close();
  const most = Math.max(...at.map((from) => at.filter((each) => each >= from && each < from + SECOND_MS).length));
  return [
    {
      name: `most requests in a second of ${String(LIMITED)} calls at once under a limit of ${String(PER_SECOND)}`,
      value: most,
      unit: '',
      bound: { kind: 'most', value: 12 },
      detail: `${String(at.length)} requests in ${((crowdMs(at) - ANSWER_MS) / SECOND_MS).toFixed(1)} s; all calls end well`,
    },
  ];
}

/** Milliseconds from the first request to the last answer. */
function crowdMs(times: readonly number[]): number {
  return (times.at(-1) ?? NaN) - (times[0] ?? NaN) + ANSWER_MS;
}

/**
 * By the branches of a program, each an isolate of its own; and as many that wait as long in a function of the
 * embedding program.
 */
async function byBranches(): Promise<Figure[]> {
  const server = await startServer(ANSWER_MS);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const called: number[] = [];
  const waiting = defineCustomInstallation({
    alias: 'waiting',
    revision: 'r1',
    destinations: ['workflow'],
    capabilities: [
      {
        name: 'wait',
        description: 'Waits.',
        inputSchema: true,
        effect: 'read',
        call: async () => {
          called.push(performance.now());
          await pause(ANSWER_MS);
          return {};
        },
      },
    ],
  });
  await inDirectory(
    async (run) => {
      // The second run finds threads and connections as the first leaves them.
      await run(server.url, '(ask nil)');
      delay.enable();
      await run(server.url, `(reduce + (pmap ask (range ${String(CROWD)})))`);
      delay.disable();
      await run(server.url, `(count (pmap (fn [_] (tool/wait {})) (range ${String(CROWD)})))`);
    },
    [waiting],
  );
  server.close();
  const [requested, waited] = [
    crowdMs(server.received.slice(-CROWD).map(({ at }) => at)),
    crowdMs(called.slice(-CROWD)),
  ];
  return [
    {
      name: `${String(CROWD)} calls at once by pmap, from the first request to the last answer / as many of a function that waits as long`,
      value: requested / waited,
      unit: 'x',
      bound: null,
      detail: `${requested.toFixed(0)} ms against ${waited.toFixed(0)} ms; one alone ${String(ANSWER_MS)} ms`,
    },
    {
      name: 'event loop delay meanwhile, p99',
      value: delay.percentile(99) / 1e6,
      unit: 'ms',
      bound: { kind: 'most', value: 20 },
      detail: '',
    },
  ];
}

/** Over one pool of workers, without programs around them. */
async function overOnePool(): Promise<Figure[]> {
  const server = await startServer(ANSWER_MS);
  const threads = modelThreads();
  const declaration = {
    selector: `openai-compat:${server.url}|m`,
    credential: 'key',
    // A crowd that is let in step by step would measure the gate and not the pool.
    retry: { attempts: 1, maxWaitMs: 0 },
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
    requestBytes: 1_000_000,
    responseBytes: 1_000_000,
    timeoutMs: 60_000,
    region: null,
    server: null,
  } as const;
  const limits = {
    argumentBytes: 1_000_000,
    resultBytes: 1_000_000,
    heapWords: 5_000_000,
    evaluationTimeoutMs: 60_000,
  };
  const acquired = await modelAdapter(threads).acquire(
    { alias: 'small', declaration, traceId: 'r', limits },
    {
      credentials: new Map([['key', new Secret('k')]]),
      network: SYSTEM_NETWORK,
      dependencies: [],
      signal: new AbortController().signal,
    },
  );
  if (!acquired.ok) throw new Error(acquired.refusal.code);
  const { session } = acquired;
  const model = {
    requestHash: `sha256:${'0'.repeat(64)}`,
    outputLimit: { value: 64, bindings: ['application_limit'] },
  } as const;
  const ask = async (): Promise<number> => {
    const started = performance.now();
    const { outcome } = await session.serve(
      {
        capabilityId: 'c',
        name: 'llm-request',
        arguments: REQUEST,
        deadlineMs: 60_000,
        resultBytes: 1_000_000,
        model,
        keepsExchanges: false,
      },
      { openGate: async () => true },
    ).answer;
    if (outcome.kind !== 'value') throw new Error(JSON.stringify(outcome));
    return performance.now() - started;
  };
  const [alone, together]: [number[], number[]] = [[], []];
  for (let round = 0; round < CROWDS; round += 1) {
    alone.push(await ask());
    const started = performance.now();
    await Promise.all(Array.from({ length: CROWD }, ask));
    together.push(performance.now() - started);
  }
  await session.close();
  await threads.close();
  server.close();
  return [
    {
      name: `${String(CROWD)} calls at once over one pool of workers, to the last answer / one alone`,
      value: median(together) / median(alone),
      unit: 'x',
      bound: { kind: 'most', value: 2 },
      detail: `${median(together).toFixed(0)} ms against ${median(alone).toFixed(0)} ms`,
    },
  ];
}

/** The figures of calls of models. */
export async function modelCallFigures(): Promise<Figure[]> {
  return [
    ...(await oneByOne()),
    ...(await unusedRetries()),
    ...(await underALimit()),
    ...(await overOnePool()),
    ...(await byBranches()),
  ];
}
