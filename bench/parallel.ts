/** `pmap` against `map` through the product's pool: pure work in branches of their own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startSandbox } from '../sandbox/pool/pool.ts';
import { type Figure, median } from './figure.ts';

const dist = join(import.meta.dirname, '../dist');
const ROUNDS = 7;
const BRANCHES = 8;
/** Steps of one branch: a loop of some 60 ms on the machine of the other figures. */
const STEPS = 10_000_000;
/** What `live_provider_tasks` gives by default. */
const SLOTS = 8;

const WORK = `(defn work [seed] (loop [i 0 x seed] (if (< i ${STEPS}) (recur (inc i) (mod (+ (* x 31) i) 1000003)) x)))`;

/** The same loop in plain JavaScript, long enough that the start of a process does not count. */
const PLAIN = 'let x = 1; for (let i = 0; i < 4e8; i += 1) x = (Math.imul(x, 31) + i) | 0; process.exitCode = x === 0 ? 1 : 0;';

/** How many times faster two processes are than one after the other: what the machine gives to any parallel work. */
async function machineLimit(): Promise<number> {
  const plainProcess = async (): Promise<void> => { await once(spawn(process.execPath, ['-e', PLAIN], { stdio: 'ignore' }), 'exit'); };
  const measured = async (work: () => Promise<unknown>): Promise<number> => {
    const started = performance.now();
    await work();
    return performance.now() - started;
  };
  const alone: number[] = [];
  const together: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    alone.push(await measured(plainProcess));
    together.push(await measured(() => Promise.all([plainProcess(), plainProcess()])));
  }
  return (2 * median(alone)) / median(together);
}

export async function parallelFigures(): Promise<Figure[]> {
  const sandbox = startSandbox({ hostScript: join(dist, 'sandbox-host.cjs'), guestImage: join(dist, 'guest.snapshot'), readableFolders: [dist], isolatesPerHost: 32 });
  const evaluate = async (body: string): Promise<number> => {
    const isolate = await sandbox.openIsolate({ environment: 'workflow', trustDomain: 'bench', heapWords: 8_000_000 });
    let free = SLOTS;
    const started = performance.now();
    const outcome = await isolate.request(
      { operation: 'evaluate', environment: 'workflow', source: `${WORK} ${body}`, data: {}, tools: [], loop_iterations: null, projection: 'printed' },
      {
        timeoutMs: 60_000,
        parallel: {
          timeoutMs: 60_000,
          takeBranches: (wanted) => { const taken = Math.min(free, wanted); free -= taken; return taken; },
          releaseBranches: (count) => { free += count; },
        },
      },
    );
    const elapsed = performance.now() - started;
    await isolate.dispose();
    if (outcome.status !== 'replied' || outcome.reply.outcome !== 'continued') throw new Error(`the work failed: ${JSON.stringify(outcome)}`);
    return elapsed;
  };
  const one: number[] = [];
  const inTurn: number[] = [];
  const apart: number[] = [];
  const empty: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    one.push(await evaluate('(work 1)'));
    inTurn.push(await evaluate(`(count (mapv work (range ${BRANCHES})))`));
    apart.push(await evaluate(`(count (pmap work (range ${BRANCHES})))`));
    empty.push(await evaluate(`(count (pmap identity (range ${BRANCHES})))`));
  }
  await sandbox.close();
  const limit = await machineLimit();
  return [
    {
      name: `map / pmap of ${BRANCHES} branches of pure work`,
      value: median(inTurn) / median(apart),
      unit: 'times faster',
      bound: { kind: 'least', value: 1.6 },
      detail: `one ${median(one).toFixed(0)} ms, map ${median(inTurn).toFixed(0)} ms, pmap ${median(apart).toFixed(0)} ms; two plain processes at once are ${limit.toFixed(2)} times faster than in turn`,
    },
    { name: `pmap of ${BRANCHES} branches that do nothing`, value: median(empty), unit: 'ms', bound: null, detail: 'an isolate each' },
  ];
}
