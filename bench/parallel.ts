/** `pmap` against `map` through the product's pool: pure work in branches of their own. */
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
  return [
    {
      name: `map / pmap of ${BRANCHES} branches of pure work`,
      value: median(inTurn) / median(apart),
      unit: 'times faster',
      bound: { kind: 'least', value: 1.6 },
      detail: `one ${median(one).toFixed(0)} ms, map ${median(inTurn).toFixed(0)} ms, pmap ${median(apart).toFixed(0)} ms`,
    },
    { name: `pmap of ${BRANCHES} branches that do nothing`, value: median(empty), unit: 'ms', bound: null, detail: 'an isolate each' },
  ];
}
