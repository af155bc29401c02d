/**
 * Loads mutated documents until `--count N` (default 100000) are through, from `--seed S` (default 1): nothing may be
 * thrown, become an internal error or an invalid envelope, or take longer than the patience below. A finding is told
 * with its seed, which `--seed` repeats.
 */
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { fuzzOnce } from './fuzzing.ts';

/** The checks of one document have a second (documents.md §1); a machine that is busy elsewhere gets more. */
const PATIENCE_MS = 60_000;

interface Task {
  readonly first: number;
  readonly count: number;
  /** The seed at work, readable while the worker is stuck. */
  readonly current: Int32Array;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

if (isMainThread) process.exitCode = await watch();
else await work(workerData);

async function work({ first, count, current }: Task): Promise<void> {
  const verdicts = new Map<string, number>();
  let findings = 0;
  for (let seed = first; seed < first + count; seed += 1) {
    Atomics.store(current, 0, seed);
    const { finding, verdict } = await fuzzOnce(seed);
    verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
    if (finding === null) continue;
    findings += 1;
    print(`seed ${String(finding.seed)}: ${finding.what}`);
  }
  for (const [verdict, times] of [...verdicts].toSorted((left, right) => right[1] - left[1])) {
    print(`${String(times).padStart(8)} ${verdict}`);
  }
  print(`${String(count)} documents, ${String(findings)} findings`);
  process.exitCode = findings === 0 ? 0 : 1;
}

/** A loader that hangs blocks its thread, so that another one must notice. */
async function watch(): Promise<number> {
  const { values } = parseArgs({
    options: { count: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
  });
  const current = new Int32Array(new SharedArrayBuffer(4));
  const task: Task = { first: Number(values.seed), count: Number(values.count), current };
  const worker = new Worker(new URL(import.meta.url), { workerData: task });
  let last = -1;
  const timer = setInterval(() => {
    const seed = Atomics.load(current, 0);
    if (seed === last) {
      print(`seed ${String(seed)}: no end after ${String(PATIENCE_MS)} ms`);
      void worker.terminate();
    }
    last = seed;
  }, PATIENCE_MS);
  const [status] = await once(worker, 'exit');
  clearInterval(timer);
  return Number(status);
}
