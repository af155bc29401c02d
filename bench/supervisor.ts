/**
 * What a supervisor adds: a trivial run beside a bare isolate, many busy runs beside one, cancelling a queue,
 * preparing.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  createSupervisor,
  defineCustomInstallation,
  type ApplicationReference,
  type PreparedApplication,
  type RunHandle,
  type Supervisor,
} from '../supervisor/api/supervisor.ts';
import { bareInTurn } from './bare-isolates.ts';
import { against, median, type Figure } from './figure.ts';

const programDirectory = join(import.meta.dirname, '../dist');
const WARM = 50;
const RUNS = 300;
const BARE = 600;
/** Processes in which bare isolates are made at the same time. */
const BARE_PROCESSES = 2;
const BUSY = { runs: 64, evaluations: 20, calls: 50 } as const;
const QUEUED = 1000;
/**
 * What was aimed at, and what keeps the figure that was reached; nearly all of it is the isolate's making in its host.
 */
const [AIM_TRIVIAL, MOST_TRIVIAL] = [2.5, 6];
const SOAK = { rounds: 8, runs: 250 } as const;
const bytes = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));

const tools = defineCustomInstallation({
  alias: 'tools',
  revision: 'r1',
  destinations: ['workflow', 'mission'],
  capabilities: [
    { name: 'work', description: 'Works.', effect: 'read', inputSchema: true, timeoutMs: 60_000, call: () => null },
  ],
});

function application(body: string, missions = false): ApplicationReference {
  const manifest = {
    version: 1,
    workflow: {
      entry: 'main/run',
      components: [
        ...(missions ? [{ library: 'kernel' }] : []),
        { id: 'main', path: 'main.clj', ...(missions ? { dependencies: ['kernel'] } : {}) },
      ],
    },
    ...(missions
      ? { missions: { m: { providers: ['tools'] } }, providers: { workflow: [], mission: [{ name: 'tools' }] } }
      : { missions: {} }),
    limits: { run_duration_ms: 120_000, workflow_timeout_ms: 120_000 },
    input: { value: {} },
  };
  return {
    kind: 'memory',
    files: new Map([
      ['svc.json', bytes(manifest)],
      ['main.clj', bytes(`(ns main)\n(defn run [input] ${body})\n`)],
    ]),
    custom: missions ? [tools] : [],
  };
}

async function ended(run: RunHandle): Promise<void> {
  const end = await run.result;
  if (end.kind !== 'finished' || end.exitStatus !== 0) throw new Error(JSON.stringify(end).slice(0, 2000));
}

async function wallMs(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function inTurn(
  supervisor: Supervisor,
  prepared: PreparedApplication,
  count: number,
): Promise<readonly number[]> {
  const samples: number[] = [];
  for (let run = 0; run < count; run += 1) samples.push(await wallMs(() => ended(supervisor.run(prepared))));
  return samples;
}

async function trivialFigures(supervisor: Supervisor): Promise<readonly Figure[]> {
  const prepared = await supervisor.prepare(application('(count input)'));
  await inTurn(supervisor, prepared, WARM);
  const own = median(await inTurn(supervisor, prepared, RUNS));
  const bare = ((await bareInTurn(BARE)).wallMs * BARE_PROCESSES) / BARE;
  const cached = median(
    await Promise.all(Array.from({ length: 9 }, () => wallMs(() => supervisor.prepare(application('(count input)'))))),
  );
  const cold = await wallMs(() => supervisor.prepare(application('(str "never seen before")')));
  return [
    against(
      { name: 'a bare isolate, made and entered', value: bare },
      {
        name: 'a trivial run through run(), warm, p50',
        value: own,
        unit: 'ms',
        most: MOST_TRIVIAL,
        detail: `aim ${AIM_TRIVIAL}`,
      },
    ),
    {
      name: 'prepare, of what is kept, p50 of nine at once',
      value: cached,
      unit: 'ms',
      bound: null,
      detail: `cold ${cold.toFixed(0)} ms`,
    },
  ];
}

async function busyFigures(supervisor: Supervisor): Promise<readonly Figure[]> {
  const program = '(dotimes [n (+ 2 (mod data/params 2))] (tool/work {:n n}))';
  const prepared = await supervisor.prepare(
    application(`(dotimes [n ${BUSY.evaluations}] (kernel/eval-source-with "m" "${program}" n))`, true),
  );
  await inTurn(supervisor, prepared, 3);
  const alone = median(await inTurn(supervisor, prepared, 5));
  const together = await wallMs(() =>
    Promise.all(Array.from({ length: BUSY.runs }, () => ended(supervisor.run(prepared)))),
  );
  return [
    against(
      { name: 'of one such run alone', value: alone / BUSY.evaluations },
      {
        name: `an evaluation of ${BUSY.runs} runs at once, ${BUSY.evaluations} evaluations and ${BUSY.calls} calls each`,
        value: together / BUSY.runs / BUSY.evaluations,
        unit: 'ms',
        most: 2,
        detail: `${(together / 1000).toFixed(1)} s`,
      },
    ),
  ];
}

async function cancelFigures(): Promise<readonly Figure[]> {
  const supervisor = await createSupervisor({ programDirectory, limits: { maxRuns: 4, maxQueued: QUEUED } });
  try {
    const endless = await supervisor.prepare(application('(loop [] (recur))'));
    const runs = Array.from({ length: QUEUED + 4 }, () => supervisor.run(endless));
    while (supervisor.snapshot().runs.queued < QUEUED)
      await new Promise((resolve) => {
        setTimeout(resolve, 10);
      });
    const cancelled = await wallMs(() => Promise.all(runs.map((run) => run.cancel())));
    return [
      {
        name: `cancel ${QUEUED} that wait and 4 that go on`,
        value: cancelled / 1000,
        unit: 's',
        bound: { kind: 'most', value: 2 },
        detail: '',
      },
    ];
  } finally {
    await supervisor.close();
  }
}

/** What must be as before once everything has ended. */
function holdings(): { readonly residentBytes: number; readonly descriptors: number; readonly children: number } {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'latin1')
    .trim()
    .split(' ')
    .filter((pid) => pid !== '').length;
  return { residentBytes: process.memoryUsage.rss(), descriptors: readdirSync('/proc/self/fd').length, children };
}

/** Rounds of mixed load, a third of it cancelled: what grows with their number. */
async function soakFigures(): Promise<readonly Figure[]> {
  const before = holdings();
  const supervisor = await createSupervisor({ programDirectory, limits: { maxQueued: 4 * SOAK.runs } });
  const stored: number[] = [];
  let descriptors = 0;
  try {
    const small = await supervisor.prepare(application('(count input)'));
    const busy = await supervisor.prepare(application('(kernel/eval-source-with "m" "(tool/work {})" 1)', true));
    for (let round = 0; round < SOAK.rounds; round += 1) {
      await Promise.all(
        Array.from({ length: SOAK.runs }, async (_, index) => {
          const run = supervisor.run(index % 10 === 0 ? busy : small, { tenant: `t${index % 7}` });
          if (index % 3 === 0) await run.cancel();
          await run.result;
        }),
      );
      globalThis.gc?.();
      stored.push(process.memoryUsage().heapUsed + process.memoryUsage().external);
      descriptors = holdings().descriptors;
    }
  } finally {
    await supervisor.close();
  }
  const after = holdings();
  // The first rounds fill what is kept on purpose.
  const half = Math.floor(SOAK.rounds / 2);
  const slope = ((stored.at(-1) ?? 0) - (stored[half] ?? 0)) / ((SOAK.rounds - 1 - half) * SOAK.runs);
  return [
    {
      name: 'memory that each run leaves in the supervisor',
      value: slope,
      unit: 'bytes',
      bound: null,
      detail: `${SOAK.rounds * SOAK.runs} runs, a third cancelled; ${descriptors} descriptors at the end of the last round`,
    },
    {
      name: 'descriptors and children once it is closed, beyond those before',
      value: after.descriptors - before.descriptors + (after.children - before.children),
      unit: '',
      bound: { kind: 'most', value: 0 },
      detail: `${after.descriptors} descriptors, ${after.children} children`,
    },
  ];
}

export async function supervisorFigures(): Promise<Figure[]> {
  const supervisor = await createSupervisor({ programDirectory, limits: { maxRuns: BUSY.runs } });
  try {
    return [
      ...(await trivialFigures(supervisor)),
      ...(await busyFigures(supervisor)),
      ...(await cancelFigures()),
      ...(await soakFigures()),
    ];
  } finally {
    await supervisor.close();
  }
}
