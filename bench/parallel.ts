/** `pmap` against `mapv` through the product's pool: pure work in branches of their own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startSandbox } from '../sandbox/pool/pool.ts';
import { type Figure, quantile } from './figure.ts';

const dist = join(import.meta.dirname, '../dist');
const ROUNDS = 9;

/** What else goes on in the machine only ever adds: the quickest quarter tells what the program takes. */
function usual(samples: readonly number[]): number {
  return quantile(samples, 0.25);
}

const BRANCHES = 8;
/** What `live_provider_tasks` gives by default. */
const SLOTS = 8;
/**
 * Steps of one branch: some 50, 100 and 200 ms on the machine of the other figures. The bound is for the shortest: its
 * part of what two plain processes gain at the same time.
 */
const SIZES: readonly { readonly steps: number; readonly bound: number | null }[] = [
  { steps: 10_000_000, bound: 0.75 },
  { steps: 20_000_000, bound: null },
  { steps: 40_000_000, bound: null },
];

const WORK =
  '(defn work [steps] (fn [seed] (loop [i 0 x seed] (if (< i steps) (recur (inc i) (mod (+ (* x 31) i) 1000003)) x))))';

/** The same loop in a process of its own, as often as it is told to. */
const PLAIN = `
const work = (steps) => { let x = 1; for (let i = 0; i < steps; i += 1) x = (x * 31 + i) % 1000003; return x; };
process.on('message', ({ steps, times }) => { let x = 0; for (let i = 0; i < times; i += 1) x ^= work(steps);
  process.send(x); });
process.on('disconnect', () => process.exit());`;

interface PlainProcess {
  work(steps: number, times: number): Promise<void>;
  end(): Promise<void>;
}

function plainProcess(): PlainProcess {
  const child: ChildProcess = spawn(process.execPath, ['-e', PLAIN], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  return {
    async work(steps, times) {
      child.send({ steps, times });
      await once(child, 'message');
    },
    async end() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

async function elapsed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** An evaluation in a fresh isolate through the product's pool. */
function evaluator(sandbox: ReturnType<typeof startSandbox>): (body: string) => Promise<number> {
  return async (body) => {
    const isolate = await sandbox.openIsolate({ environment: 'mission', trustDomain: 'bench', heapWords: 8_000_000 });
    let free = SLOTS;
    const started = performance.now();
    const outcome = await isolate.request(
      {
        operation: 'evaluate',
        environment: 'mission',
        source: `${WORK} ${body}`,
        data: {},
        tools: [],
        loop_iterations: null,
        projection: 'printed',
      },
      {
        timeoutMs: 60_000,
        parallel: {
          timeoutMs: 60_000,
          takeBranches: (wanted) => {
            const used = Math.min(free, wanted);
            free -= used;
            return used;
          },
          releaseBranches: (count) => {
            free += count;
          },
        },
      },
    );
    const took = performance.now() - started;
    await isolate.dispose();
    if (outcome.status !== 'replied' || outcome.reply.outcome !== 'continued')
      throw new Error(`the work failed: ${JSON.stringify(outcome)}`);
    return took;
  };
}

/** Each row's measurements are taken in turn, so that what the machine gives at a moment counts for all of them. */
export async function parallelFigures(): Promise<Figure[]> {
  const sandbox = startSandbox({
    hostScript: join(dist, 'sandbox-host.cjs'),
    guestImage: join(dist, 'guest.snapshot'),
    readableFolders: [dist],
    isolatesPerHost: 32,
  });
  const evaluate = evaluator(sandbox);
  const first = plainProcess();
  const second = plainProcess();
  const rows = SIZES.map((size) => ({
    ...size,
    mapped: [] as number[],
    apart: [] as number[],
    alone: [] as number[],
    together: [] as number[],
  }));
  const empty: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { steps, mapped, apart, alone, together } of rows) {
      mapped.push(await evaluate(`(count (mapv (work ${steps}) (range ${BRANCHES})))`));
      apart.push(await evaluate(`(count (pmap (work ${steps}) (range ${BRANCHES})))`));
      alone.push(await elapsed(() => first.work(steps, BRANCHES)));
      together.push(await elapsed(() => Promise.all([first, second].map((plain) => plain.work(steps, BRANCHES / 2)))));
    }
    empty.push(await evaluate(`(count (pmap identity (range ${BRANCHES})))`));
  }
  await Promise.all([first.end(), second.end(), sandbox.close()]);
  const figures = rows.map(({ bound, mapped, apart, alone, together }): Figure => ({
    name: `mapv / pmap of ${BRANCHES} branches of ${Math.round(usual(mapped) / BRANCHES)} ms of pure work / one plain process against two`,
    value: usual(mapped) / usual(apart) / (usual(alone) / usual(together)),
    unit: 'x',
    bound: bound === null ? null : { kind: 'least', value: bound },
    detail: `${(usual(mapped) / usual(apart)).toFixed(2)} times faster: mapv ${usual(mapped).toFixed(0)} ms, pmap ${usual(apart).toFixed(0)} ms; two plain processes are ${(usual(alone) / usual(together)).toFixed(2)} times faster than one at as many pieces (${usual(alone).toFixed(0)} ms, ${usual(together).toFixed(0)} ms)`,
  }));
  return [
    ...figures,
    {
      name: `pmap of ${BRANCHES} branches that do nothing`,
      value: usual(empty),
      unit: 'ms',
      bound: null,
      detail: 'an isolate for each that runs at once',
    },
  ];
}
