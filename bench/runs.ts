/** Whole runs through the embedding: many that wait in a call at once, and many that evaluate and call at once. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import {
  createSupervisor,
  defineCustomInstallation,
  type CustomFunction,
  type CustomInstallation,
  type RunResult,
  type Supervisor,
} from '../supervisor/api/supervisor.ts';
import { bareCrowd, bareInTurn } from './bare-isolates.ts';
import { against, type Figure } from './figure.ts';

const dist = join(import.meta.dirname, '../dist');

function installed(call: CustomFunction): CustomInstallation {
  const schema = { type: 'object', properties: { n: { type: 'integer' } }, additionalProperties: false };
  return defineCustomInstallation({
    alias: 'tools',
    revision: 'r1',
    destinations: ['workflow', 'mission'],
    capabilities: [
      { name: 'work', description: 'Works.', effect: 'read', inputSchema: schema, timeoutMs: 60_000, call },
    ],
  });
}

/** An application in a directory of its own. */
async function laidOut(directory: string, body: string, usesMission: boolean): Promise<void> {
  const write = (name: string, value: unknown): Promise<void> =>
    writeFile(join(directory, name), typeof value === 'string' ? value : JSON.stringify(value));
  await write('svc.json', {
    version: 1,
    workflow: {
      entry: 'main/run',
      components: [
        ...(usesMission ? [{ library: 'kernel' }] : []),
        { id: 'main', path: 'main.clj', ...(usesMission ? { dependencies: ['kernel'] } : {}) },
      ],
    },
    missions: usesMission ? { m: { providers: ['tools'] } } : {},
    providers: { workflow: [{ name: 'tools' }], mission: usesMission ? [{ name: 'tools' }] : [] },
    limits: { run_duration_ms: 120_000, workflow_timeout_ms: 120_000 },
    input: { value: {} },
  });
  await write('main.clj', `(ns main)\n(defn run [input] ${body})\n`);
}

/** Resident bytes of this process and of its hosts. */
function residentBytes(): number {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter((pid) => pid !== '');
  return [String(process.pid), ...children].reduce(
    (sum, pid) =>
      sum + Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024,
    0,
  );
}

/**
 * Kernel ticks of 10 ms that hosts have taken so far: those that live, and those that have ended and been waited for.
 */
function hostTicks(): number {
  const stat = (pid: string): readonly number[] =>
    (/\) (.*)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1] ?? '').split(' ').map(Number);
  const sum = (facts: readonly number[], from: number): number => (facts[from] ?? 0) + (facts[from + 1] ?? 0);
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter((pid) => pid !== '');
  return children.reduce((ticks, pid) => ticks + sum(stat(pid), 11), sum(stat('self'), 13));
}

const TICK_MS = 10;

interface Measured {
  readonly wallMs: number;
  /** Processor time of one run, milliseconds. */
  readonly supervisorMs: number;
  readonly hostsMs: number;
  readonly finished: number;
  /** 99th percentile, milliseconds beyond the timer's own. */
  readonly loopDelayMs: number;
}

function isOk(end: RunResult): boolean {
  return end.kind === 'finished' && end.exitStatus === 0;
}

async function measured(
  supervisor: Supervisor,
  directory: string,
  custom: CustomInstallation,
  count: number,
): Promise<Measured> {
  const application = await supervisor.prepare({
    kind: 'directory',
    manifest: 'svc.json',
    workingDirectory: directory,
    custom: [custom],
  });
  const first = await supervisor.run(application).result;
  if (!isOk(first)) throw new Error(JSON.stringify(first));
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const [ownBefore, hostsBefore] = [process.cpuUsage(), hostTicks()];
  const started = performance.now();
  const reports = await Promise.all(Array.from({ length: count }, () => supervisor.run(application).result));
  const wallMs = performance.now() - started;
  delay.disable();
  const own = process.cpuUsage(ownBefore);
  const supervisorMs = (own.user + own.system) / 1000 / count;
  const hostsMs = ((hostTicks() - hostsBefore) * TICK_MS) / count;
  return {
    wallMs,
    supervisorMs,
    hostsMs,
    finished: reports.filter(isOk).length,
    loopDelayMs: delay.percentile(99) / 1e6,
  };
}

async function inDirectory<T>(use: (directory: string, supervisor: Supervisor) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-bench-runs-'));
  const supervisor = await createSupervisor({
    programDirectory: dist,
    isolatesPerHost: 128,
    limits: { maxRuns: 1000 },
  });
  try {
    return await use(directory, supervisor);
  } finally {
    await supervisor.close();
    await rm(directory, { recursive: true, force: true });
  }
}

/** Ratios to bare isolates. */
const MOST = { wall: 4.5, memory: 5.5, late: 20 } as const;
/** In turn, as many as take some seconds. */
const BARE = 2000;
const WAITING = 1000;
/** Memory is read each time that so many more wait than before. */
const SAMPLE_STEP = 50;

async function waitingFigures(): Promise<Figure[]> {
  return inDirectory(async (directory, supervisor) => {
    await laidOut(directory, '(:status (tool/work))', false);
    let waiting = 0;
    let most = 0;
    let bytes = 0;
    const before = residentBytes();
    const wait = installed(
      () =>
        new Promise((resolve) => {
          waiting += 1;
          if (waiting > most) {
            most = waiting;
            if (waiting % SAMPLE_STEP === 0) bytes = (residentBytes() - before) / waiting;
          }
          setTimeout(() => {
            waiting -= 1;
            resolve(null);
          }, 1000);
        }),
    );
    const bare = await bareCrowd(WAITING);
    const floor = (value: number): { readonly name: string; readonly value: number } => ({
      name: 'as many bare isolates that wait',
      value,
    });
    const { wallMs, finished, loopDelayMs, ...processor } = await measured(supervisor, directory, wait, WAITING);
    return [
      against(floor(bare.wallMs / 1000), {
        name: `${WAITING} runs that wait 1 s in a call, all of them`,
        value: wallMs / 1000,
        unit: 's',
        most: MOST.wall,
        detail: `${finished} finished, ${most} waited at once`,
      }),
      against(floor(bare.bytesEach / 1e6), {
        name: 'memory of a waiting run, hosts and supervisor',
        value: bytes / 1e6,
        unit: 'MB',
        most: MOST.memory,
        detail: '',
      }),
      against(floor(bare.lateMs), {
        name: 'event loop delay meanwhile, p99',
        value: loopDelayMs,
        unit: 'ms',
        most: MOST.late,
        detail: '',
      }),
      ...processorFigures(processor),
    ];
  });
}

/** What does not depend on how busy the machine is with other things, or little. */
function processorFigures({ supervisorMs, hostsMs }: Pick<Measured, 'supervisorMs' | 'hostsMs'>): readonly Figure[] {
  return [
    { name: 'processor time of such a run, supervisor', value: supervisorMs, unit: 'ms', bound: null, detail: '' },
    {
      name: 'processor time of such a run, hosts',
      value: hostsMs,
      unit: 'ms',
      bound: null,
      detail: 'their starts included',
    },
  ];
}

const RUNS = 64;
const EVALUATIONS = 20;
/** Of one run: two in every other evaluation, three in the rest. */
const CALLS = 50;

async function busyFigures(): Promise<Figure[]> {
  return inDirectory(async (directory, supervisor) => {
    // Two calls in the even evaluations, three in the odd ones.
    const program = '(dotimes [n (+ 2 (mod data/params 2))] (tool/work {:n n}))';
    await laidOut(directory, `(dotimes [n ${EVALUATIONS}] (kernel/eval-source-with "m" "${program}" n))`, true);
    const { wallMs, finished, loopDelayMs, ...processor } = await measured(
      supervisor,
      directory,
      installed(() => null),
      RUNS,
    );
    return [
      {
        name: `${RUNS} runs at once, ${EVALUATIONS} evaluations and ${CALLS} calls each`,
        value: wallMs / 1000,
        unit: 's',
        bound: null,
        detail: `${finished} finished, ${Math.round((RUNS * EVALUATIONS * 1000) / wallMs)} evaluations per second`,
      },
      against(
        { name: `that beside ${BARE} bare isolates`, value: (await bareInTurn(BARE)).lateMs },
        { name: 'event loop delay meanwhile, p99', value: loopDelayMs, unit: 'ms', most: MOST.late, detail: '' },
      ),
      ...processorFigures(processor),
    ];
  });
}

export async function runFigures(): Promise<Figure[]> {
  return [...(await waitingFigures()), ...(await busyFigures())];
}
