/**
 * Programs as models write them (bench/programs, the half that warms nothing), ten different ones in each mission, in a
 * host and through the product's pool; each figure as a ratio to a bare isolate of isolated-vm, in a process of its
 * own, one after each of the others.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EvaluateRequest } from '../contract/sandbox-protocol.ts';
import { startSandbox } from '../sandbox/pool/pool.ts';
import { type Figure, median } from './figure.ts';
import { evaluationOf, programs } from './programs/table.ts';

export interface Wanted {
  /** Isolates at once. */
  readonly count: number;
  readonly requests: readonly string[];
}

export interface Life {
  readonly openMs: number;
  readonly evaluateMs: readonly number[];
}

export interface Lives {
  readonly lives: readonly Life[];
  readonly wallMs: number;
  readonly cpuMs: number;
  /** Growth of the resident set while all of them lived. */
  readonly bytesEach: number;
}

const dist = join(import.meta.dirname, '../dist');
const SAMPLES = 48;
const CROWD = 64;
const DIFFERENT = 10;
const TIMEOUT_MS = 30_000;
/** Milliseconds in which a host makes its spare isolate. */
const PAUSE = 25;

/** A process of bench/model-host.ts. */
interface Host {
  readonly lives: (wanted: Wanted) => Promise<Lives>;
  readonly end: () => void;
}

async function startHost(role: 'guest' | 'bare'): Promise<Host> {
  const child: ChildProcess = fork(join(import.meta.dirname, 'model-host.ts'), [role]);
  await once(child, 'message');
  return {
    async lives(wanted) {
      child.send(wanted);
      const [answer]: Lives[] = await once(child, 'message');
      if (answer === undefined) throw new Error('a host without an answer');
      return answer;
    },
    end: () => child.disconnect(),
  };
}

/**
 * What one mission is asked, in order: a first program, another one, that again, and eight more. Neighbours in it are
 * from different themes.
 */
function sampleRequests(sample: number): readonly EvaluateRequest[] {
  const all = programs('measure');
  const chosen = Array.from({ length: DIFFERENT }, (_, step) => all[(sample * 53 + step * 37) % all.length]).filter(
    (program) => program !== undefined,
  );
  const [first, next, ...others] = chosen.map(evaluationOf);
  if (first === undefined || next === undefined) throw new Error('no programs');
  return [first, next, next, ...others].map((request, at) => ({
    ...request,
    projection: 'json',
    observation_characters: 2048,
    continuation: at === 0 ? null : 'living',
    commit: { memory_bytes: 2_000_000, history_bytes: 1_000_000 },
    branches: true,
    omits_unchanged: true,
  }));
}

function textsOf(sample: number): readonly string[] {
  return sampleRequests(sample).map((request) => JSON.stringify(request));
}

const AT = { first: 0, next: 1, again: 2, tenth: DIFFERENT } as const;

/** Medians over many lives; the ratio to bare isolates and between two programs are those of medians of one run. */
function lifeFigures(where: string, lives: readonly Life[], bareMs: number, opened: boolean): readonly Figure[] {
  const at = (index: number): number => median(lives.map(({ evaluateMs }) => evaluateMs[index] ?? NaN));
  const open = median(lives.map(({ openMs }) => openMs));
  const [first, next, again, tenth] = [at(AT.first), at(AT.next), at(AT.again), at(AT.tenth)];
  const both = median(lives.map(({ openMs, evaluateMs }) => openMs + (evaluateMs[AT.first] ?? NaN)));
  const row = (name: string, ms: number, most: number | null = null): Figure => ({
    name: `${where}: ${name} / a bare isolate`,
    value: ms / bareMs,
    unit: 'x',
    bound: most === null ? null : { kind: 'most', value: most },
    detail: `${ms.toFixed(2)} ms against ${bareMs.toFixed(2)} ms`,
  });
  return [
    ...(opened ? [row("a mission's isolate opened", open), row('opened, and its first program', both, 6)] : []),
    row('first program of an isolate that is open', first, opened ? 3 : null),
    row('next, different program', next),
    row('that program again', again),
    {
      name: `${where}: next, different program / that program again`,
      value: next / again,
      unit: 'x',
      bound: opened ? { kind: 'most', value: 1.4 } : null,
      detail: '',
    },
    row('tenth different program', tenth),
  ];
}

function crowdFigures(where: string, crowd: Pick<Lives, 'wallMs' | 'cpuMs'>, bare: Lives): readonly Figure[] {
  const evaluations = CROWD * (DIFFERENT + 1);
  const [rate, bareRate] = [(evaluations * 1000) / crowd.wallMs, (CROWD * 1000) / bare.wallMs];
  const [each, bareEach] = [crowd.cpuMs / evaluations, bare.cpuMs / CROWD];
  return [
    {
      name: `${where}: evaluations of ${CROWD} missions at once / bare isolates of one process, in a second`,
      value: rate / bareRate,
      unit: 'x',
      bound: null,
      detail: `${rate.toFixed(0)} against ${bareRate.toFixed(0)}`,
    },
    {
      name: `${where}: processor time of each / of a bare isolate`,
      value: each / bareEach,
      unit: 'x',
      bound: null,
      detail: `${each.toFixed(2)} ms against ${bareEach.toFixed(2)} ms, starts included`,
    },
  ];
}

/** In a host: nothing between a program and its isolate. */
async function inHost(): Promise<readonly Figure[]> {
  const [guest, bare] = await Promise.all([startHost('guest'), startHost('bare')]);
  const lives: Life[] = [];
  const bareMs: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    lives.push(...(await guest.lives({ count: 1, requests: textsOf(sample) })).lives);
    for (const { openMs, evaluateMs } of (await bare.lives({ count: 1, requests: [''] })).lives)
      bareMs.push(openMs + (evaluateMs[0] ?? NaN));
  }
  const crowd = await guest.lives({ count: CROWD, requests: textsOf(1) });
  const crowdOfBare = await bare.lives({ count: CROWD, requests: [''] });
  guest.end();
  bare.end();
  return [
    ...lifeFigures('in a host', lives, median(bareMs), true),
    {
      name: 'in a host: memory after ten programs / of a bare isolate',
      value: crowd.bytesEach / crowdOfBare.bytesEach,
      unit: 'x',
      bound: null,
      detail: `${(crowd.bytesEach / 1e6).toFixed(2)} MB against ${(crowdOfBare.bytesEach / 1e6).toFixed(2)} MB, resident, of ${CROWD} at once`,
    },
    ...crowdFigures('in a host', crowd, crowdOfBare),
  ];
}

const TICK_MS = 10;

/** Processor time of this process and its children so far. */
function processorMs(): number {
  const stat = (pid: string): readonly number[] =>
    (/\) (.*)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1] ?? '').split(' ').map(Number);
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter((pid) => pid !== '');
  return (
    [String(process.pid), ...children].reduce((sum, pid) => sum + (stat(pid)[11] ?? 0) + (stat(pid)[12] ?? 0), 0) *
    TICK_MS
  );
}

/** Through the product's pool, a host warm and a spare isolate ready, as at a mission's first evaluation. */
async function throughPool(): Promise<readonly Figure[]> {
  const bare = await startHost('bare');
  const sandbox = startSandbox({
    hostScript: join(dist, 'sandbox-host.cjs'),
    guestImage: join(dist, 'guest.snapshot'),
    readableFolders: [dist],
    isolatesPerHost: 128,
  });
  const life = async (sample: number): Promise<Life> => {
    const opened = performance.now();
    const isolate = await sandbox.openIsolate({ environment: 'mission', trustDomain: 'models', heapWords: 1_250_000 });
    const openMs = performance.now() - opened;
    const evaluateMs: number[] = [];
    for (const request of sampleRequests(sample)) {
      const started = performance.now();
      const outcome = await isolate.request(request, { timeoutMs: TIMEOUT_MS });
      evaluateMs.push(performance.now() - started);
      if (outcome.status !== 'replied' || outcome.reply.outcome !== 'continued')
        throw new Error(JSON.stringify(outcome).slice(0, 500));
    }
    await isolate.dispose();
    return { openMs, evaluateMs };
  };
  await life(0);
  const lives: Life[] = [];
  const bareMs: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    await new Promise((resolve) => {
      setTimeout(resolve, PAUSE);
    });
    lives.push(await life(sample));
    for (const { openMs, evaluateMs } of (await bare.lives({ count: 1, requests: [''] })).lives)
      bareMs.push(openMs + (evaluateMs[0] ?? NaN));
  }
  const [cpuBefore, started] = [processorMs(), performance.now()];
  await Promise.all(Array.from({ length: CROWD }, () => life(1)));
  const crowd = { wallMs: performance.now() - started, cpuMs: processorMs() - cpuBefore };
  const crowdOfBare = await bare.lives({ count: CROWD, requests: [''] });
  await sandbox.close();
  bare.end();
  return [
    ...lifeFigures('through the pool', lives, median(bareMs), false),
    ...crowdFigures('through the pool', crowd, crowdOfBare),
  ];
}

/** The figures that tell what a model waits for. */
export async function modelFigures(): Promise<Figure[]> {
  return [...(await inHost()), ...(await throughPool())];
}
