/** What approvals cost (approvals.md §12): where nobody is asked, from decision to call, and while a run waits. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  createMemoryApprovals,
  createSupervisor,
  defineCustomInstallation,
  openDirectoryApprovals,
  type ApprovalStore,
  type PreparedApplication,
  type Supervisor,
} from '../supervisor/api/supervisor.ts';
import { openPostgresApprovals, openPostgresDatabase } from '../supervisor/api/engine.ts';
import { storeAsker } from '../supervisor/service/stores/store-asker.ts';
import { question } from '../supervisor/service/stores/testing/approval-contract.ts';
import { findPostgres, startPostgres } from '../supervisor/test/engine/postgres-server.ts';
import { median, quantile, type Figure } from './figure.ts';

const programDirectory = join(import.meta.dirname, '../dist');
const CALLS = 3000;
const PAIRS = 24;
const DECISIONS = 30;
const AT_ONCE = 100;
const WAITING = 10_000;
const HOLD_MS = 8000;

let arrived = 0;

/** As documents are that say nothing of approvals, or that ask about what writes. */
type Asking = 'unsaid' | 'writes';

function tools(asking: Asking) {
  const said = asking === 'unsaid' ? {} : { approval: asking };
  const common = { description: 'Works.', ...said, inputSchema: true, modelVisible: true } as const;
  return defineCustomInstallation({
    alias: 'tools',
    revision: asking,
    destinations: ['mission'],
    capabilities: [
      { ...common, name: 'look', effect: 'read', call: () => null },
      {
        ...common,
        name: 'change',
        effect: 'write',
        call: () => {
          arrived = performance.now();
          return null;
        },
      },
    ],
  });
}

function prepare(supervisor: Supervisor, program: string, asking: Asking): Promise<PreparedApplication> {
  const main = `(ns main)\n(defn run [_] (:value (kernel/eval "m" ${JSON.stringify(`(return ${program})`)})))\n`;
  const manifest = {
    version: 1,
    workflow: {
      entry: 'main/run',
      components: [{ library: 'kernel' }, { id: 'main', path: 'main.clj', dependencies: ['kernel'] }],
    },
    missions: { m: { providers: ['tools'] } },
    providers: { mission: [{ name: 'tools' }] },
    limits: { run_duration_ms: 600_000, workflow_timeout_ms: 600_000, evaluation_timeout_ms: 300_000 },
    input: { value: {} },
  };
  return supervisor.prepare({
    kind: 'memory',
    files: new Map([
      ['svc.json', Buffer.from(JSON.stringify(manifest))],
      ['main.clj', Buffer.from(main)],
    ]),
    custom: [tools(asking)],
  });
}

async function end(supervisor: Supervisor, application: PreparedApplication): Promise<void> {
  const result = await supervisor.run(application).result;
  if (result.kind !== 'finished' || result.exitStatus !== 0) throw new Error(JSON.stringify(result).slice(0, 2000));
}

/** Calls that nobody is asked about: of an installation without the field, and of one that asks where it writes. */
async function unaskedFigure(supervisor: Supervisor): Promise<Figure> {
  const program = `(dotimes [i ${CALLS}] (tool/look {}))`;
  const unsaid = await prepare(supervisor, program, 'unsaid');
  const writes = await prepare(supervisor, program, 'writes');
  const timed = async (application: PreparedApplication): Promise<number> => {
    const began = performance.now();
    await end(supervisor, application);
    return performance.now() - began;
  };
  await timed(unsaid);
  await timed(writes);
  const ratios: number[] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    // Each comes first as often as the other: a machine gets slower, and quicker, by itself.
    const [first, second] = pair % 2 === 0 ? [unsaid, writes] : [writes, unsaid];
    const [one, other] = [await timed(first), await timed(second)];
    ratios.push(pair % 2 === 0 ? other / one : one / other);
  }
  return {
    name: `${CALLS} calls that need no yes, under \`writes\` / the same calls without the field`,
    value: median(ratios),
    unit: 'x',
    bound: { kind: 'most', value: 1.01 },
    detail: `of ${PAIRS} pairs, from ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`,
  };
}

async function openIds(supervisor: Supervisor, count: number): Promise<readonly string[]> {
  for (;;) {
    const open = await supervisor.approvals.list({ state: 'open' });
    if (open.length >= count) return open.map(({ request }) => request.approvalId);
    await wait(2);
  }
}

async function dispatchFigure(store: ApprovalStore, name: string, most: number): Promise<readonly Figure[]> {
  const supervisor = await createSupervisor({
    programDirectory,
    stores: { approvals: store },
    approvals: { maxAsks: 1000, holdMs: 0 },
  });
  try {
    const calls = await prepare(supervisor, `(dotimes [i ${DECISIONS}] (tool/change {:i i}))`, 'writes');
    const running = end(supervisor, calls);
    const samples: number[] = [];
    for (let index = 0; index < DECISIONS; index += 1) {
      const [id = ''] = await openIds(supervisor, 1);
      await wait(150);
      const decidedAt = performance.now();
      arrived = 0;
      await supervisor.approvals.decide(id, { decision: 'allow' });
      for (;;) {
        if (arrived > 0) break;
        await wait(1);
      }
      samples.push(arrived - decidedAt);
    }
    await running;
    const together = await togetherFigures(supervisor, name);
    const acquired = await waitingShare(supervisor, calls);
    return [
      ...together,
      {
        name: `decision to dispatch, ${name}, p50`,
        value: median(samples),
        unit: 'ms',
        bound: { kind: 'most', value: most },
        detail: `p99 ${quantile(samples, 0.99).toFixed(0)} ms; its place given up each time`,
      },
      {
        name: `processor time of a run that waits, ${name}`,
        value: acquired * 100,
        unit: '% of one',
        bound: { kind: 'most', value: 0.1 },
        detail: `beyond that of the idle supervisor, in ${HOLD_MS / 1000} s`,
      },
    ];
  } finally {
    await supervisor.close();
  }
}

/** Processor time of this process while a run waits, less that without one, for each second. */
async function waitingShare(supervisor: Supervisor, application: PreparedApplication): Promise<number> {
  const busy = async (): Promise<number> => {
    const before = process.cpuUsage();
    await wait(HOLD_MS);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 / HOLD_MS;
  };
  await wait(3000);
  const idle = await busy();
  const handle = supervisor.run(application);
  await openIds(supervisor, 1);
  // What is still done for the start of the run.
  await wait(3000);
  const acquired = await busy();
  await handle.cancel();
  return Math.max(0, acquired - idle);
}

/** Branches of one mission may ask after one another: each round answers what is open. */
async function togetherFigures(supervisor: Supervisor, store: string): Promise<readonly Figure[]> {
  const program = `(count (pmap (fn [i] (tool/change {:i i})) (range ${AT_ONCE})))`;
  const over = new AbortController();
  const running = end(supervisor, await prepare(supervisor, program, 'writes')).finally(() => {
    over.abort();
  });
  await Promise.race([openIds(supervisor, 1), running]);
  const began = performance.now();
  const rounds: number[] = [];
  let decisions = 0;
  while (!over.signal.aborted) {
    const open = await supervisor.approvals.list({ state: 'open' });
    for (const { request } of open) {
      decisions += 1;
      await supervisor.approvals.decide(request.approvalId, { decision: 'allow' });
    }
    if (open.length > 0) rounds.push(open.length);
    await wait(2);
  }
  await running;
  return [
    {
      name: `${AT_ONCE} questions of one pmap, ${store}, from the first decision to the end of the run`,
      value: performance.now() - began,
      unit: 'ms',
      bound: null,
      detail: `${rounds.length} rounds, at most ${Math.max(0, ...rounds)} in one`,
    },
    {
      name: `decisions for each of ${AT_ONCE} questions of one pmap, ${store}`,
      value: decisions / AT_ONCE,
      unit: '',
      bound: { kind: 'most', value: 1 },
      detail: 'as many are open at once as `live_provider_tasks` lets call',
    },
  ];
}

/** Questions that wait in one process. */
async function waitingFigure(): Promise<Figure> {
  const store = createMemoryApprovals();
  const asker = storeAsker(store, () => undefined);
  const over = new AbortController();
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const requested = Array.from({ length: WAITING }, (_, index) =>
    asker.ask({ ...question(String(index)), expiresAt: '2100-01-01T00:00:00.000000Z' }, over.signal),
  );
  await wait(100);
  globalThis.gc?.();
  const bytes = (process.memoryUsage().heapUsed - before) / WAITING;
  over.abort('over');
  await Promise.all(requested);
  return {
    name: `memory of each of ${WAITING} questions that wait in one process`,
    value: bytes,
    unit: 'bytes',
    bound: { kind: 'most', value: 2048 },
    detail: 'question, store and wait; isolates of the runs not counted',
  };
}

export async function approvalFigures(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
  const supervisor = await createSupervisor({
    programDirectory,
    stores: { approvals: createMemoryApprovals() },
    approvals: { maxAsks: 1000 },
  });
  const figures: Figure[] = [];
  try {
    figures.push(await waitingFigure(), await unaskedFigure(supervisor));
  } finally {
    await supervisor.close();
  }
  figures.push(...(await dispatchFigure(createMemoryApprovals(), 'API', 50)));
  figures.push(...(await dispatchFigure(openDirectoryApprovals(folder), 'directory', 1000)));
  rmSync(folder, { recursive: true, force: true });
  const programs = findPostgres();
  if (programs === null) return figures;
  const server = await startPostgres(programs);
  const database = openPostgresDatabase(server.newDatabase());
  try {
    figures.push(...(await dispatchFigure(openPostgresApprovals(database), 'PostgreSQL', 500)));
  } finally {
    await database.close();
    await server.close();
  }
  return figures;
}
