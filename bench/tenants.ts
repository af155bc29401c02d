/**
 * Many tenants in one process: what one that is full of work costs another, and how late the supervisor's thread is
 * meanwhile.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import {
  createSupervisor,
  defineCustomInstallation,
  type ApplicationReference,
  type PreparedApplication,
  type Supervisor,
} from '../supervisor/api/supervisor.ts';
import { nodeFileSystem } from '../supervisor/evidence/publication/node-file-system.ts';
import { processOwnerProbe } from '../supervisor/evidence/publication/owner.ts';
import { releaseReservation, reserve } from '../supervisor/evidence/publication/reservation.ts';
import { openRunTrace } from '../supervisor/run/run-trace.ts';
import { bareInTurn } from './bare-isolates.ts';
import { against, median, type Figure } from './figure.ts';

const programDirectory = join(import.meta.dirname, '../dist');
/** What one tenant asks for while another wants to begin. */
const ENDLESS = 1000;
const STARTS = 9;
const BUSY = { runs: 64, evaluations: 20 } as const;
const QUEUED = 1000;
/** Bare isolates, as many as take some seconds, and how much later the event loop may be than beside them. */
const [BARE, MOST_LATE] = [2000, 20];
/** What was aimed at, and what keeps the figure that was reached. */
const [AIM_BESIDE, MOST_BESIDE] = [2, 10];
const TRACE = { events: 250, eventBytes: 256_000 } as const;

const tools = defineCustomInstallation({
  alias: 'tools',
  revision: 'r1',
  destinations: ['mission'],
  capabilities: [
    {
      name: 'work',
      description: 'Works.',
      effect: 'read',
      inputSchema: { type: 'object' },
      timeoutMs: 60_000,
      call: () => null,
    },
  ],
});

/** Applications of one folder by name, each of one component. */
async function layOut(directory: string, name: string, body: string, missions = false): Promise<ApplicationReference> {
  await writeFile(
    join(directory, `${name}.json`),
    JSON.stringify({
      version: 1,
      workflow: {
        entry: 'main/run',
        components: [
          ...(missions ? [{ library: 'kernel' }] : []),
          { id: 'main', path: `${name}.clj`, ...(missions ? { dependencies: ['kernel'] } : {}) },
        ],
      },
      ...(missions
        ? { missions: { m: { providers: ['tools'] } }, providers: { workflow: [], mission: [{ name: 'tools' }] } }
        : {}),
      limits: { run_duration_ms: 120_000, workflow_timeout_ms: 120_000 },
      input: { value: {} },
    }),
  );
  await writeFile(join(directory, `${name}.clj`), `(ns main)\n(defn run [input] ${body})\n`);
  return {
    kind: 'directory',
    manifest: `${name}.json`,
    workingDirectory: directory,
    ...(missions ? { custom: [tools] } : {}),
  };
}

async function startMs(supervisor: Supervisor, application: PreparedApplication, tenant: string): Promise<number> {
  const samples: number[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    const began = performance.now();
    const end = await supervisor.run(application, { tenant }).result;
    samples.push(performance.now() - began);
    if (end.kind !== 'finished' || end.exitStatus !== 0) throw new Error(JSON.stringify(end));
  }
  return median(samples);
}

async function neighbourFigures(directory: string): Promise<readonly Figure[]> {
  const policy = (): { weight: number; maxRuns: number; maxQueued: number } => ({
    weight: 1,
    maxRuns: ENDLESS,
    maxQueued: ENDLESS,
  });
  const supervisor = await createSupervisor({
    programDirectory,
    limits: { maxRuns: ENDLESS + 8, maxQueued: ENDLESS },
    tenant: policy,
  });
  try {
    const small = await supervisor.prepare(await layOut(directory, 'small', '(count input)'));
    const endless = await supervisor.prepare(await layOut(directory, 'endless', '(loop [] (recur))'));
    await startMs(supervisor, small, 'quiet');
    const aloneMs = await startMs(supervisor, small, 'quiet');
    const stop = new AbortController();
    const greedy = Array.from(
      { length: ENDLESS },
      () => supervisor.run(endless, { tenant: 'greedy', signal: stop.signal }).result,
    );
    // Its processes are full before the other comes.
    await new Promise((resolve) => {
      setTimeout(resolve, 3000);
    });
    const besideMs = await startMs(supervisor, small, 'quiet');
    stop.abort();
    const refused = (await Promise.all(greedy)).filter((end) => end.kind === 'refused');
    const unreported = refused.filter(({ retryAfterMs }) => !(Number(retryAfterMs) > 0)).length;
    return [
      {
        name: `a run beside ${ENDLESS} endless ones of another tenant, against its time alone`,
        value: besideMs / aloneMs,
        unit: 'x',
        bound: { kind: 'most', value: MOST_BESIDE },
        detail: `aim ${AIM_BESIDE}; ${besideMs.toFixed(1)} ms, ${aloneMs.toFixed(1)} ms alone`,
      },
      {
        name: 'refusals that name no time',
        value: unreported,
        unit: '',
        bound: { kind: 'most', value: 0 },
        detail: `of ${refused.length}`,
      },
    ];
  } finally {
    await supervisor.close();
  }
}

/** Lines of the most bytes that a trace may have, recorded in one process with everything else. */
async function longTrace(directory: string): Promise<void> {
  const reserved = await reserve(
    { fileSystem: nodeFileSystem(), owners: processOwnerProbe(), wallClock: Date.now },
    { directory, name: 'long.jsonl', mode: 0o600, recovery: null, nameIsUnique: true },
  );
  if (!reserved.ok) throw new Error('the destination is free');
  const bounds = { payloadBytes: 300_000, eventCount: 4096, eventBytes: 70_000_000 };
  const trace = await openRunTrace(reserved.reservation, {
    runId: 'r',
    traceId: 'r',
    eventClass: 'normal',
    bounds,
    clock: { monotonic: () => 0, wall: () => 0 },
  });
  const text = 'x'.repeat(TRACE.eventBytes);
  for (let event = 0; event < TRACE.events; event += 1) {
    trace.recorder.record({ type: 'workflow-annotation', data: new Map([['text', text]]) });
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  for (let from = 1; ;) {
    const lines = await trace.recorder.since(from);
    if (lines.length === 0) break;
    from += lines.length;
  }
  await trace.content(true);
  await trace.close();
  await releaseReservation(reserved.reservation);
}

async function togetherFigures(directory: string): Promise<readonly Figure[]> {
  const supervisor = await createSupervisor({
    programDirectory,
    isolatesPerHost: 128,
    limits: { maxRuns: BUSY.runs, maxQueued: QUEUED - 100 },
  });
  try {
    const program = '(dotimes [n (+ 2 (mod data/params 2))] (tool/work {:n n}))';
    const busy = await supervisor.prepare(
      await layOut(
        directory,
        'busy',
        `(dotimes [n ${BUSY.evaluations}] (kernel/eval-source-with "m" "${program}" n))`,
        true,
      ),
    );
    const small = await supervisor.prepare(await layOut(directory, 'small', '(count input)'));
    await startMs(supervisor, busy, 'local');
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const began = performance.now();
    const ends = await Promise.all([
      ...Array.from({ length: BUSY.runs }, () => supervisor.run(busy).result),
      ...Array.from({ length: QUEUED }, () => supervisor.run(small).result),
      longTrace(directory).then(() => null),
    ]);
    const wallMs = performance.now() - began;
    delay.disable();
    const refused = ends.filter((end) => end?.kind === 'refused');
    const finished = ends.filter((end) => end?.kind === 'finished' && end.exitStatus === 0).length;
    const unreported = refused.filter((end) => !(end?.kind === 'refused' && Number(end.retryAfterMs) > 0)).length;
    const p99 = delay.percentile(99) / 1e6;
    return [
      against(
        { name: 'that beside bare isolates in two processes', value: (await bareInTurn(BARE)).lateMs },
        {
          name: `event loop delay of ${BUSY.runs} busy runs, ${QUEUED} that wait and a trace of 64 MB together, p99`,
          value: p99,
          unit: 'ms',
          most: MOST_LATE,
          detail: `${(wallMs / 1000).toFixed(1)} s; longest ${(delay.max / 1e6).toFixed(0)} ms; ${finished} finished, ${refused.length} refused`,
        },
      ),
      {
        name: 'refusals that name no time',
        value: unreported,
        unit: '',
        bound: { kind: 'most', value: 0 },
        detail: `of ${refused.length}`,
      },
    ];
  } finally {
    await supervisor.close();
  }
}

export async function tenantFigures(): Promise<Figure[]> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-bench-tenants-'));
  try {
    return [...(await neighbourFigures(directory)), ...(await togetherFigures(directory))];
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
