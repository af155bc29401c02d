/**
 * Quick look at the language while working on it: `node sandbox/test/language/run.ts [AREA...]` runs the programs of
 * every table whose name contains one of the words (all without a word) on the guest's source, in this Node, without
 * build and isolates, and prints what differs from the reference.
 */
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import type { EvaluateReply } from '../../../contract/sandbox-protocol.ts';
import { difference, pairRows } from '../../../conformance/language/compare.ts';
import { type Recorded, type Row, readRecording, readTable, tableNames } from '../../../conformance/language/table.ts';

/** A program that has not answered by then is reported as endless. */
const PATIENCE_MS = 60_000;

interface Task {
  readonly pairs: readonly (readonly [Row, Recorded])[];
  readonly from: number;
}

function isTask(value: unknown): value is Task {
  return typeof value === 'object' && value !== null && 'pairs' in value && 'from' in value;
}

async function runRows({ pairs, from }: Task, report: (verdict: string | null) => void): Promise<void> {
  const { createGuest } = await import('../../guest/main.ts');
  for (const [row, recorded] of pairs.slice(from)) {
    const guest = createGuest(() => {
      throw new Error('no tools are granted');
    });
    const request = {
      operation: 'evaluate',
      environment: 'mission',
      source: row.source,
      data: {},
      tools: [],
      loop_iterations: null,
      projection: 'printed',
    };
    const text = guest.handle(JSON.stringify(request));
    const reply: EvaluateReply & { readonly message?: string } = JSON.parse(text);
    report('outcome' in reply ? difference(row, recorded, reply) : `${row.source}\n   given    ${text}`);
  }
}

/** Verdicts of all rows; a worker that falls silent is ended and the next row gets a new one. */
async function verdicts(pairs: Task['pairs']): Promise<(string | null)[]> {
  const found: (string | null)[] = [];
  while (found.length < pairs.length) {
    await new Promise<void>((resolve) => {
      const worker = new Worker(import.meta.filename, {
        workerData: { pairs, from: found.length } satisfies Task,
        resourceLimits: { stackSizeMb: 16 },
      });
      const giveUp = (why: string): void => {
        found.push(`${pairs[found.length]?.[0].source ?? ''}\n   given    ${why}`);
        void worker.terminate().then(() => resolve());
      };
      let alarm = setTimeout(() => giveUp('no answer'), PATIENCE_MS);
      worker.on('message', (verdict: string | null) => {
        found.push(verdict);
        clearTimeout(alarm);
        if (found.length === pairs.length) resolve();
        else alarm = setTimeout(() => giveUp('no answer'), PATIENCE_MS);
      });
      worker.on('error', (fault) => {
        clearTimeout(alarm);
        giveUp(`the guest threw ${fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)}`);
      });
    });
  }
  return found;
}

async function main(words: readonly string[]): Promise<void> {
  let [all, wrong] = [0, 0];
  for (const name of tableNames().filter((table) => words.length === 0 || words.some((word) => table.includes(word)))) {
    const pairs = pairRows(name, readTable(name), readRecording(name));
    const differences = (await verdicts(pairs)).filter((verdict) => verdict !== null);
    all += pairs.length;
    wrong += differences.length;
    process.stdout.write(
      `${differences.map((text) => `${text}\n`).join('')}== ${name}: ${differences.length} of ${pairs.length} differ\n`,
    );
  }
  process.stdout.write(`== ${wrong} of ${all} differ\n`);
  process.exitCode = wrong === 0 ? 0 : 1;
}

if (isMainThread) await main(process.argv.slice(2));
else if (isTask(workerData)) await runRows(workerData, (verdict) => parentPort?.postMessage(verdict, []));
