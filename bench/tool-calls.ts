/**
 * What a tool's call costs beside the official client: calls of one mission against calls of that client, both on the
 * same server, over standard streams and over HTTP; and many at once.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createSupervisor } from '../supervisor/api/supervisor.ts';
import { against, median, quantile, type Figure } from './figure.ts';

const dist = join(import.meta.dirname, '../dist');
const SERVER = join(import.meta.dirname, 'tool-server.ts');
const CALLS = 400;
const WARM = 100;
const CROWD = 50;
/** The first is for V8 to compile what runs, on both sides. */
const ROUNDS = 4;
const ADDED_MS = 1.5;

/** What the tool said of each call. */
interface Tick {
  readonly n: number;
  /** When it was asked, in ms of the server's clock. */
  readonly at: number;
}

/** Makes so many calls, one after the other or all at once. */
interface Caller {
  readonly calls: (count: number, together: boolean) => Promise<readonly Tick[]>;
  readonly close: () => Promise<void>;
}

function tickOf(text: unknown): Tick {
  const [n, nanoseconds] = String(text).split(' ');
  return { n: Number(n), at: Number(nanoseconds) / 1e6 };
}

/** The official client, at the same revision. */
async function officialCaller(url: string | null): Promise<Caller> {
  const client = new Client(
    { name: 'bench', version: '1' },
    { capabilities: {}, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await client.connect(
    url === null
      ? new StdioClientTransport({ command: process.execPath, args: [SERVER] })
      : new StreamableHTTPClientTransport(new URL(url)),
  );
  await client.listTools();
  const tick = async (n: number): Promise<Tick> => {
    const { content } = await client.callTool({ name: 'tick', arguments: { n } });
    return tickOf(Object(content[0]).text);
  };
  return {
    calls: async (count, together) => {
      if (together) return Promise.all(Array.from({ length: count }, async (_, n) => tick(n)));
      const ticks: Tick[] = [];
      for (let n = 0; n < count; n += 1) ticks.push(await tick(n));
      return ticks;
    },
    close: async () => client.close(),
  };
}

const ASK =
  '(fn [n] (let [answer (tool/tick {:n n})] (if (= :ok (get answer :status)) (first (get-in answer [:value "text"])) (pr-str answer))))';

/** A run of an embedding program whose mission calls; each call of it is a run of its own. */
async function missionCaller(url: string | null): Promise<Caller> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'svc-bench-tools-')));
  const supervisor = await createSupervisor({ programDirectory: dist });
  const limits = {
    live_provider_tasks: CROWD,
    mission_capability_calls: 4096,
    mission_capability_calls_per_name: 2048,
    run_duration_ms: 120_000,
    workflow_timeout_ms: 120_000,
    evaluation_timeout_ms: 120_000,
    parallel_timeout_ms: 120_000,
  };
  const transport =
    url === null
      ? { type: 'stdio', command: process.execPath, args: [SERVER] }
      : { type: 'streamable_http', endpoint: url, allow_insecure_loopback: true };
  const write = async (name: string, value: unknown): Promise<void> =>
    writeFile(join(directory, name), typeof value === 'string' ? value : JSON.stringify(value));
  await write('svc-host.json', {
    limits,
    install: {
      clock: {
        source: 'mcp',
        installation_revision: 'r1',
        transport,
        tools: { tick: { as: 'tick', effect: 'read' } },
        ceilings: { timeout_ms: 60_000 },
      },
    },
  });
  await write(
    'main.clj',
    '(ns main) (defn run [input] (get (kernel/eval-source "desk" (get input "program")) :value))',
  );
  return {
    calls: async (count, together) => {
      const program = `(vec (${together ? 'pmap' : 'mapv'} ${ASK} (range ${String(count)})))`;
      await write('svc.json', {
        version: 1,
        limits,
        workflow: {
          components: [{ library: 'kernel' }, { id: 'main', path: 'main.clj', dependencies: ['kernel'] }],
          entry: 'main/run',
        },
        missions: { desk: { providers: ['clock'] } },
        providers: { mission: [{ name: 'clock' }] },
        input: { value: { program } },
      });
      const end = await supervisor.run(
        await supervisor.prepare({
          kind: 'directory',
          manifest: 'svc.json',
          host: 'svc-host.json',
          workingDirectory: directory,
        }),
      ).result;
      const value = end.kind === 'finished' && end.exitStatus === 0 ? end.value : null;
      if (!Array.isArray(value)) throw new Error(JSON.stringify(end).slice(0, 2000));
      return value.map(tickOf);
    },
    close: async () => {
      await supervisor.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Times from one call's arrival at the server to the next, without those that warm. */
function periods(ticks: readonly Tick[]): readonly number[] {
  return ticks
    .slice(1)
    .map(({ at }, index) => at - (ticks[index]?.at ?? Number.NaN))
    .slice(WARM);
}

/** How many of the calls were answered, each with its own answer. */
function answered(ticks: readonly Tick[]): number {
  return ticks.filter(({ n, at }, index) => n === index && at > 0).length;
}

async function over(name: string, url: string | null): Promise<Figure[]> {
  const [official, mission] = await Promise.all([officialCaller(url), missionCaller(url)]);
  try {
    const [bare, own]: [number[], number[]] = [[], []];
    let least = CROWD;
    for (let round = 0; round < ROUNDS; round += 1) {
      const [theirs, ours] = [periods(await official.calls(CALLS, false)), periods(await mission.calls(CALLS, false))];
      if (round > 0) bare.push(...theirs);
      if (round > 0) own.push(...ours);
      least = Math.min(least, answered(await mission.calls(CROWD, true)), answered(await official.calls(CROWD, true)));
    }
    const added = median(own) - median(bare);
    return [
      {
        name: `added by a run to one call of a tool over ${name}, p50`,
        value: added,
        unit: 'ms',
        bound: { kind: 'most', value: ADDED_MS },
        detail: `${median(own).toFixed(2)} ms against ${median(bare).toFixed(2)} ms of the official client, from one call to the next`,
      },
      against(
        { name: 'one by the official client', value: median(bare) },
        {
          name: `one call of a tool over ${name} by a run, p50`,
          value: median(own),
          unit: 'ms',
          most: null,
          detail: `p90 ${quantile(own, 0.9).toFixed(2)} against ${quantile(bare, 0.9).toFixed(2)}`,
        },
      ),
      {
        name: `${String(CROWD)} calls at once over ${name}, answered with their own answers, least of ${String(ROUNDS)} rounds`,
        value: least,
        unit: 'calls',
        bound: { kind: 'least', value: CROWD },
        detail: 'by pmap of a mission, and by the official client',
      },
    ];
  } finally {
    await official.close();
    await mission.close();
  }
}

/** The figures of calls of tools. */
export async function toolCallFigures(): Promise<Figure[]> {
  const streams = await over('standard streams', null);
  const server = spawn(process.execPath, [SERVER, 'http'], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [printed]: unknown[] = await once(server.stdout, 'data');
    return [...streams, ...(await over('HTTP', String(printed).trim()))];
  } finally {
    server.kill();
  }
}
