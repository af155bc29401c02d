/**
 * A thousand runs that wait at the same time: each a fresh isolate whose program makes one capability call that is
 * answered a second later. Through the product's pool, with as many isolates to a host as it may be told to hold.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { EvaluateRequest } from '../contract/sandbox-protocol.ts';
import { startSandbox } from '../sandbox/pool/pool.ts';
import { bareCrowd } from './bare-isolates.ts';
import { against, type Figure, median } from './figure.ts';

const dist = join(import.meta.dirname, '../dist');
const runs = 1000;
const waitMs = 1000;
const heapWords = 1_250_000;
const rounds = 3;
/** Ratios to as many bare isolates that wait. */
const MOST = { wall: 4, memory: 10, late: 20 } as const;
/** The memory of the hosts is read each time that so many more wait than before. */
const sampleStep = 50;

const program: EvaluateRequest = {
  operation: 'evaluate',
  environment: 'mission',
  source: '(tool/wait {})',
  data: {},
  tools: ['wait'],
  loop_iterations: null,
  projection: 'json',
  continuation: null,
  commit: { memory_bytes: 2_000_000, history_bytes: 1_000_000 },
};

/** Resident bytes of every host process of this program. */
function hostBytes(): number {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter((pid) => pid !== '');
  return children.reduce(
    (sum, pid) =>
      sum + Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024,
    0,
  );
}

interface Crowd {
  readonly wallMs: number;
  readonly bytesEach: number;
  /** Runs that waited when that was measured. */
  readonly most: number;
  /** 99th percentile of how late the supervisor's event loop was. */
  readonly lateMs: number;
}

async function crowd(isolatesPerHost: number): Promise<Crowd> {
  const box = startSandbox({
    hostScript: join(dist, 'sandbox-host.cjs'),
    guestImage: join(dist, 'guest.snapshot'),
    readableFolders: [dist],
    isolatesPerHost,
  });
  let waiting = 0;
  let most = 0;
  let bytesEach = 0;
  const oneRun = async (): Promise<void> => {
    const isolate = await box.openIsolate({ environment: 'mission', trustDomain: 'crowd', heapWords });
    const outcome = await isolate.request(program, {
      timeoutMs: 60_000,
      onCapabilityCall: async () => {
        waiting += 1;
        if (waiting >= most + sampleStep) {
          most = waiting;
          bytesEach = hostBytes() / waiting;
        }
        await new Promise((resolve) => {
          setTimeout(resolve, waitMs);
        });
        waiting -= 1;
        return JSON.stringify({ reply: 'value', value: 1 });
      },
    });
    if (outcome.status !== 'replied' || outcome.reply.outcome !== 'continued') throw new Error(JSON.stringify(outcome));
    await isolate.dispose();
  };
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const started = performance.now();
  await Promise.all(Array.from({ length: runs }, oneRun));
  const wallMs = performance.now() - started;
  delay.disable();
  await box.close();
  return { wallMs, bytesEach, most, lateMs: delay.percentile(99) / 1e6 };
}

export async function crowdFigures(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const isolatesPerHost of [64, 256]) {
    const samples: Crowd[] = [];
    for (let round = 0; round < rounds; round += 1) samples.push(await crowd(isolatesPerHost));
    const of = (take: (sample: Crowd) => number): number => median(samples.map(take));
    const name = `${runs} runs that wait ${waitMs / 1000} s at once, ${isolatesPerHost} to a host`;
    const bare = await bareCrowd(runs);
    const floor = (value: number): { readonly name: string; readonly value: number } => ({
      name: 'as many bare isolates that wait',
      value,
    });
    figures.push(
      against(floor(bare.wallMs / 1000), {
        name: `${name}: until all have ended`,
        value: of(({ wallMs }) => wallMs) / 1000,
        unit: 's',
        most: MOST.wall,
        detail: 'fresh isolates, no host started before',
      }),
      against(floor(bare.bytesEach / 1e6), {
        name: `${name}: memory of the hosts for each`,
        value: of(({ bytesEach }) => bytesEach) / 1e6,
        unit: 'MB',
        most: MOST.memory,
        detail: `resident sets while ${of(({ most }) => most)} wait, shared pages counted in each`,
      }),
      against(floor(bare.lateMs), {
        name: `${name}: lateness of the supervisor's event loop, p99`,
        value: of(({ lateMs }) => lateMs),
        unit: 'ms',
        most: MOST.late,
        detail: '',
      }),
    );
  }
  return figures;
}
