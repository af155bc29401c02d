/** The sandbox through its product interface: start of an isolate, rate, memory at rest, capability round trip. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ivm from 'isolated-vm';
import type { EnvironmentKind, EvaluateRequest } from '../contract/sandbox-protocol.ts';
import type { Isolate, Sandbox } from '../sandbox/pool/interface.ts';
import { startSandbox } from '../sandbox/pool/pool.ts';
import { bareCrowd, bareInTurn } from './bare-isolates.ts';
import { bareRoundTripMs } from './bare-round-trip.ts';
import { against, type Figure, median, quantile } from './figure.ts';

const dist = join(import.meta.dirname, '../dist');
const heapWords = 1_250_000;
const timeoutMs = 10_000;
/** Ratios; of the rate, the least part of the bare one. */
const BOUNDS = {
  start: 3,
  rate: { workflow: 0.25, mission: 0.12 },
  idle: { workflow: 1.6, mission: 3.4 },
  roundTrip: 8,
} as const;

function sandbox(): Sandbox {
  return startSandbox({
    hostScript: join(dist, 'sandbox-host.cjs'),
    guestImage: join(dist, 'guest.snapshot'),
    readableFolders: [dist],
    isolatesPerHost: 128,
  });
}

function program(source: string, tools: readonly string[] = []): EvaluateRequest {
  return {
    operation: 'evaluate',
    environment: 'mission',
    source,
    data: {},
    tools,
    loop_iterations: null,
    projection: 'json',
  };
}

/** As a mission's first evaluation: what it defines is kept. */
async function evaluate(isolate: Isolate, source: string): Promise<void> {
  const stored = {
    continuation: null,
    commit: { memory_bytes: 2_000_000, history_bytes: 1_000_000 },
    omits_unchanged: true,
  };
  const outcome = await isolate.request({ ...program(source), ...stored }, { timeoutMs });
  if (outcome.status !== 'replied' || outcome.reply.outcome !== 'continued')
    throw new Error(`${source}: ${JSON.stringify(outcome)}`);
}

/**
 * What an isolate of each kind does first: a run loads its bundle and calls its entry, a mission evaluates a source.
 */
interface Kind {
  readonly environment: EnvironmentKind;
  readonly value: string;
  readonly first: (isolate: Isolate) => Promise<void>;
}

async function kinds(box: Sandbox): Promise<readonly Kind[]> {
  const compiling = await box.openIsolate({ environment: 'workflow', trustDomain: 'compile', heapWords });
  const components = [{ id: 'main', source: '(ns main) (defn run [input] (+ 1 (get input "n")))', dependencies: [] }];
  const compiled = await compiling.request(
    { operation: 'compile', environment: 'workflow', components },
    { timeoutMs },
  );
  await compiling.dispose();
  if (compiled.status !== 'replied' || compiled.reply.status !== 'compiled') throw new Error(JSON.stringify(compiled));
  const { code } = compiled.reply;
  const call: EvaluateRequest = {
    ...program('(main/run data/input)'),
    environment: 'workflow',
    data: { input: '{"n":2}' },
  };
  return [
    {
      environment: 'workflow',
      value: 'the value of its entry, its bundle loaded',
      async first(isolate) {
        const { outcome } = await isolate.loadAndRequest(code, call, { timeoutMs });
        if (outcome.status !== 'replied' || !('outcome' in outcome.reply) || outcome.reply.outcome !== 'continued')
          throw new Error(JSON.stringify(outcome));
      },
    },
    {
      environment: 'mission',
      value: 'the value of (+ 1 2), committed',
      first: (isolate) => evaluate(isolate, '(+ 1 2)'),
    },
  ];
}

async function oneIsolate(box: Sandbox, { environment, first }: Kind, trustDomain: string): Promise<number> {
  const started = performance.now();
  const isolate = await box.openIsolate({ environment, trustDomain, heapWords });
  await first(isolate);
  const ms = performance.now() - started;
  await isolate.dispose();
  return ms;
}

/** `pauseMs`: time between two isolates, in which a host makes the next one in advance. */
async function inTurn(box: Sandbox, kind: Kind, domain: string, count: number, pauseMs = 0): Promise<number[]> {
  const samples: number[] = [];
  for (let index = 0; index < count; index += 1) {
    samples.push(await oneIsolate(box, kind, domain));
    if (pauseMs > 0)
      await new Promise((resolve) => {
        setTimeout(resolve, pauseMs);
      });
  }
  return samples;
}

/** Resident bytes of every host process of this program. */
function hostBytes(): number {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter((pid) => pid !== '');
  return children.reduce(
    (sum, pid) =>
      sum + Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024,
    0,
  );
}

/**
 * What isolated-vm takes for an isolate that holds nothing: made, given a context, asked for a value and ended, in this
 * process.
 */
async function bareIsolate(): Promise<number> {
  const started = performance.now();
  const isolate = new ivm.Isolate({ memoryLimit: 16 });
  const context = await isolate.createContext();
  await context.eval('1 + 2');
  isolate.dispose();
  return performance.now() - started;
}

async function bareIsolates(count: number): Promise<number[]> {
  const samples: number[] = [];
  for (let index = 0; index < count; index += 1) samples.push(await bareIsolate());
  return samples;
}

/** Rounds of the rate, of which the median counts: the machine gives now more, now less. */
const RATE_ROUNDS = 5;

async function startFigures(): Promise<Figure[]> {
  const box = sandbox();
  const figures: Figure[] = [];
  for (const kind of await kinds(box)) {
    const { environment, value } = kind;
    await inTurn(box, kind, 'a', 40);
    const samples = await inTurn(box, kind, 'a', 200, 15);
    const busy = await inTurn(box, kind, 'a', 200);
    await inTurn(box, kind, 'b', 40);
    const bare = { name: 'a bare isolate to the value of 1 + 2', value: median(await bareIsolates(200)) };
    const count = 200;
    const rates: number[] = [];
    const floors: number[] = [];
    for (let round = 0; round < RATE_ROUNDS; round += 1) {
      floors.push((2 * count * 1000) / (await bareInTurn(2 * count)).wallMs);
      const started = performance.now();
      await Promise.all(['a', 'a', 'b', 'b'].map((domain) => inTurn(box, kind, domain, count / 2)));
      rates.push((2 * count * 1000) / (performance.now() - started));
    }
    figures.push(
      against(bare, {
        name: `fresh ${environment} isolate to ${value}, warm host, p50`,
        value: median(samples),
        unit: 'ms',
        most: BOUNDS.start,
        detail: `p95 ${quantile(samples, 0.95).toFixed(2)} ms; one asked for every 15 ms, so that a spare is ready`,
      }),
      against(bare, {
        name: 'the same, one after the other without a pause, p50',
        value: median(busy),
        unit: 'ms',
        most: null,
        detail: `p95 ${quantile(busy, 0.95).toFixed(2)} ms`,
      }),
      {
        name: 'the same from two hosts at once / bare isolates in two processes',
        value: median(rates) / median(floors),
        unit: 'x',
        bound: { kind: 'least', value: BOUNDS.rate[environment] },
        detail: `${median(rates).toFixed(0)} against ${median(floors).toFixed(0)} in a second, ${RATE_ROUNDS} rounds of ${2 * count} isolates, two under way in each, ${Math.min(...rates).toFixed(0)} to ${Math.max(...rates).toFixed(0)}`,
      },
    );
  }
  await box.close();
  return figures;
}

async function idleFigures(environment: EnvironmentKind): Promise<Figure[]> {
  const box = sandbox();
  const open = async (): Promise<Isolate> => box.openIsolate({ environment, trustDomain: 'idle', heapWords });
  await evaluate(await open(), '(+ 1 2)');
  const before = hostBytes();
  const idle: Isolate[] = [];
  for (let index = 0; index < 100; index += 1) idle.push(await open());
  const waiting = (hostBytes() - before) / idle.length;
  for (const isolate of idle) await evaluate(isolate, '(+ 1 2)');
  const used = (hostBytes() - before) / idle.length;
  await box.close();
  const bare = { name: 'a bare one that waits', value: (await bareCrowd(100)).bytesEach / 1e6 };
  return [
    against(bare, {
      name: `memory of an idle ${environment} isolate, of 100 in one host`,
      value: waiting / 1e6,
      unit: 'MB',
      most: BOUNDS.idle[environment],
      detail: 'resident set of the host; each waits for its first program',
    }),
    against(bare, {
      name: 'the same after each has evaluated (+ 1 2)',
      value: used / 1e6,
      unit: 'MB',
      most: null,
      detail: '',
    }),
  ];
}

/** Calls of one loop; a program of a model makes a few, whose code V8 has not optimised, and a busy one thousands. */
const CALLS = 20_000;
const FIRST = 100;
const WARM_FROM = CALLS / 4;

async function roundTripFigures(): Promise<Figure[]> {
  const box = sandbox();
  const isolate = await box.openIsolate({ environment: 'workflow', trustDomain: 'calls', heapWords });
  const arrivals: number[] = [];
  const outcome = await isolate.request(program(`(dotimes [i ${CALLS}] (tool/echo {:n i}))`, ['echo']), {
    timeoutMs,
    onCapabilityCall: async () => {
      arrivals.push(performance.now());
      return JSON.stringify({ reply: 'value', value: null });
    },
  });
  if (outcome.status !== 'replied' || outcome.reply.outcome !== 'continued') throw new Error(JSON.stringify(outcome));
  await box.close();
  const trips = arrivals.slice(1).map((at, index) => (at - (arrivals[index] ?? at)) * 1000);
  const bare = { name: 'a bare round trip', value: 1000 * (await bareRoundTripMs()) };
  const figure = (name: string, samples: readonly number[], most: number | null): Figure =>
    against(bare, {
      name,
      value: median(samples),
      unit: 'µs',
      most,
      detail: `p95 ${quantile(samples, 0.95).toFixed(0)} µs, from call to next call, ${samples.length} calls`,
    });
  return [
    figure('capability call guest -> supervisor -> guest, p50', trips.slice(WARM_FROM), BOUNDS.roundTrip),
    figure(`the same, the first ${FIRST} of an isolate, p50`, trips.slice(0, FIRST), null),
  ];
}

export async function isolateFigures(): Promise<Figure[]> {
  return [
    ...(await startFigures()),
    ...(await idleFigures('workflow')),
    ...(await idleFigures('mission')),
    ...(await roundTripFigures()),
  ];
}
