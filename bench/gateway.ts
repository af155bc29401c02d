/**
 * What the gateway adds: its list beside a bare server of the same bytes, its calls beside bare isolates and a bare SDK
 * server.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { META, modern, startTestGateway, type TestGateway } from '../supervisor/test/gateway/gateway.ts';
import { createSupervisor } from '../supervisor/api/supervisor.ts';
import { bareInTurn } from './bare-isolates.ts';
import { median, type Figure } from './figure.ts';

const CONNECTIONS = 8;
const ROUNDS = 5;
const LISTS = 3000;
const CALLS = 300;
const ALONE = 150;
const BARE = 600;
/**
 * What was aimed at, and what keeps what was reached; a call is a run, which reads its bundle and has its evidence
 * beside the isolate.
 */
const [AIM_LIST, LEAST_LIST, AIM_CALLS, LEAST_CALLS, MOST_ADDED_MS] = [0.7, 0.35, 0.5, 0.12, 2];
const PROGRAM = '(ns main)\n(defn run [input] {:value (get input "value")})\n';

interface Target {
  readonly origin: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

const targetOf = (url: URL, { headers, body }: RequestInit): Target => ({
  origin: url.origin,
  path: url.pathname,
  headers: Object(headers),
  body: typeof body === 'string' ? body : '',
});

/** Answers a second, of so many requests over eight connections. */
async function rate({ origin, ...request }: Target, count: number): Promise<number> {
  const pool = new Pool(origin, { connections: CONNECTIONS });
  let left = count;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const { statusCode, body } = await pool.request({ ...request, method: 'POST' });
      await body.dump();
      if (statusCode !== 200) throw new Error(`answered with ${statusCode}`);
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  const seconds = (performance.now() - began) / 1000;
  await pool.close();
  return count / seconds;
}

/** The median time of one after the other, milliseconds. */
async function alone(work: () => Promise<unknown>): Promise<number> {
  const samples: number[] = [];
  for (let time = 0; time < ALONE; time += 1) {
    const began = performance.now();
    await work();
    samples.push(performance.now() - began);
  }
  return median(samples);
}

async function withServer<T>(argv: readonly string[], work: (url: URL) => Promise<T>): Promise<T> {
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [address]: unknown[] = await once(child.stdout, 'data');
    return await work(new URL(String(address).trim()));
  } finally {
    child.kill();
    await once(child, 'close');
  }
}

/** Rates of several in turn, the median of each. */
async function inTurn(rates: readonly (() => Promise<number>)[]): Promise<readonly number[]> {
  const samples: number[][] = rates.map(() => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [at, one] of rates.entries()) samples[at]?.push(await one());
  }
  return samples.map(median);
}

async function listFigure(gateway: TestGateway): Promise<Figure> {
  const list = targetOf(gateway.url, modern('tools/list'));
  const text = await (await fetch(gateway.url, modern('tools/list'))).text();
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-gateway-'));
  try {
    writeFileSync(join(folder, 'answer'), text);
    const [own = NaN, bare = NaN] = await withServer(
      [join(import.meta.dirname, 'same-bytes-server.ts'), join(folder, 'answer')],
      async (url) => {
        const same = { ...list, origin: url.origin };
        await rate(list, LISTS);
        await rate(same, LISTS);
        return inTurn([async () => rate(list, LISTS), async () => rate(same, LISTS)]);
      },
    );
    return {
      name: 'tools/list / a bare server that writes the same bytes',
      value: own / bare,
      unit: 'x',
      bound: { kind: 'least', value: LEAST_LIST },
      detail: `${own.toFixed(0)} against ${bare.toFixed(0)} a second; aim ${AIM_LIST}`,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function callFigures(gateway: TestGateway): Promise<readonly Figure[]> {
  const call = targetOf(gateway.url, modern('tools/call', { name: 'echo', arguments: { value: 'v' } }));
  await rate(call, CALLS);
  const [own = NaN, bare = NaN, sdk = NaN] = await withServer(
    [join(import.meta.dirname, 'tool-server.ts'), 'http'],
    async (url) => {
      const tick = targetOf(url, modern('tools/call', { name: 'tick', arguments: { n: 1 }, _meta: META }));
      return inTurn([
        async () => rate(call, CALLS),
        async () => (BARE * 1000) / (await bareInTurn(BARE)).wallMs,
        async () => rate(tick, CALLS),
      ]);
    },
  );
  return [
    {
      name: 'tools/call, each in an isolate of its own / bare isolates',
      value: own / bare,
      unit: 'x',
      bound: { kind: 'least', value: LEAST_CALLS },
      detail: `${own.toFixed(0)} calls against ${bare.toFixed(0)} isolates a second; aim ${AIM_CALLS}`,
    },
    {
      name: 'tools/call / a bare SDK server whose tool does nothing',
      value: own / sdk,
      unit: 'x',
      bound: null,
      detail: `${own.toFixed(0)} against ${sdk.toFixed(0)} a second`,
    },
  ];
}

/** One call after the other beside the same runs of a supervisor in this process. */
async function addedFigure(gateway: TestGateway): Promise<Figure> {
  const supervisor = await createSupervisor({
    programDirectory: join(import.meta.dirname, '../dist'),
    host: join(gateway.directory, 'host.json'),
  });
  const pool = new Pool(gateway.url.origin, { connections: 1 });
  try {
    const prepared = await supervisor.prepare({
      kind: 'directory',
      manifest: join(gateway.directory, 'echo/svc.json'),
      declaredInput: 'ignored',
    });
    const input = new TextEncoder().encode('{"value":"v"}');
    const { origin, ...request } = targetOf(
      gateway.url,
      modern('tools/call', { name: 'echo', arguments: { value: 'v' } }),
    );
    const run = async (): Promise<void> => {
      const end = await supervisor.run(prepared, { input }).result;
      if (end.kind !== 'finished' || end.exitStatus !== 0) throw new Error(JSON.stringify(end).slice(0, 400));
    };
    const call = async (): Promise<void> => {
      const { body } = await pool.request({ ...request, method: 'POST' });
      await body.dump();
    };
    const [calls, runs]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      calls.push(await alone(call));
      runs.push(await alone(run));
    }
    const [own, bare] = [median(calls), median(runs)];
    return {
      name: `what the gateway adds to a run, p50 of one after the other over ${origin.slice(0, 4)}`,
      value: own - bare,
      unit: 'ms',
      bound: { kind: 'most', value: MOST_ADDED_MS },
      detail: `${own.toFixed(2)} against ${bare.toFixed(2)} ms of run() in this process`,
    };
  } finally {
    await pool.close();
    await supervisor.close();
  }
}

export async function gatewayFigures(): Promise<Figure[]> {
  const gateway = await startTestGateway({
    tools: { echo: { program: PROGRAM } },
    edit: (document) => ({
      ...document,
      admission: {
        max_inflight_requests: 64,
        max_concurrent_runs: CONNECTIONS,
        max_active_provider_calls: 2,
        max_waiting_provider_calls: 0,
      },
    }),
  });
  try {
    return [await listFigure(gateway), ...(await callFigures(gateway)), await addedFigure(gateway)];
  } finally {
    await gateway.stop();
  }
}
