/** What code mode costs, and what it saves a model (code-mode.md §8). */
import { Client as OfficialClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { searchRoom, type RoomContents } from '../supervisor/code/index/room-index.ts';
import { createSupervisor } from '../supervisor/api/supervisor.ts';
import { Client, textOf } from '../supervisor/test/code/client.ts';
import { LABELLED, TOOLS } from './code-tools.ts';
import { median, quantile, type Figure } from './figure.ts';

const [ROUNDS, HANDSHAKES, SEARCHES] = [200, 9, 50];
/** Those that are there before the first is counted, and those that are counted. */
const [FIRST_SESSIONS, IDLE_SESSIONS] = [12, 48];
const dist = join(import.meta.dirname, '../dist');
const ISSUES = { command: process.execPath, args: [join(import.meta.dirname, 'code-server.ts')] };

function most(name: string, value: number, unit: string, bound: number, detail: string): Figure {
  return { name, value, unit, bound: { kind: 'most', value: bound }, detail };
}

function packaged(name: string, ...args: readonly string[]): { readonly command: string; readonly args: string[] } {
  const folder = resolve('node_modules', name);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const [script] = typeof bin === 'string' ? [bin] : Object.values(Object(bin));
  return { command: process.execPath, args: [join(folder, String(script)), ...args] };
}

async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-bench-code-')));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function imports(folder: string, servers: object): string {
  const path = join(folder, 'mcp.json');
  writeFileSync(path, JSON.stringify({ mcpServers: servers }));
  return path;
}

const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Lists of tools as the servers send them. */
async function rawLists(folder: string): Promise<{ readonly tools: number; readonly bytes: number }> {
  const servers = [
    packaged('@modelcontextprotocol/server-everything'),
    packaged('@modelcontextprotocol/server-filesystem', folder),
    packaged('@modelcontextprotocol/server-memory'),
    packaged('@modelcontextprotocol/server-sequential-thinking'),
    packaged('@playwright/mcp'),
    packaged('chrome-devtools-mcp'),
  ];
  const lists = await Promise.all(
    servers.map(async (server) => {
      const client = new OfficialClient({ name: 'bench', version: '1' });
      await client.connect(new StdioClientTransport({ ...server, cwd: folder, stderr: 'ignore' }));
      const { tools } = await client.listTools();
      await client.close();
      return tools;
    }),
  );
  return { tools: lists.flat().length, bytes: lists.reduce((sum, list) => sum + bytes(list), 0) };
}

async function contextFigures(): Promise<Figure[]> {
  return withFolder(async (folder) => {
    const raw = await rawLists(folder);
    const client = new Client(folder, []);
    const { result } = await client.ask('initialize', { protocolVersion: '2025-11-25' });
    const list = await client.ask('tools/list');
    await client.end();
    const own = bytes(result?.['instructions']) + bytes(list.result?.['tools']);
    return [
      most(
        `lists of ${String(raw.tools)} tools of six servers / definitions and instructions`,
        own / raw.bytes,
        'x',
        1 / 15,
        `${String(own)} bytes against ${String(raw.bytes)}`,
      ),
    ];
  });
}

const TASK = `(let [parse (fn [x] (json/parse-string (get-in x [:value "text" 0])))
      open (filter #(= "open" (get % "state")) (parse (tool!/issues.list-issues {})))
      few (take 5 (sort-by #(get % "id") > open))]
  (mapv (fn [i] {:title (get i "title")
                 :by (get (parse (tool!/issues.get-user {:id (get i "author")})) "name")
                 :label (get (parse (tool!/issues.get-label {:id (get i "label")})) "name")}) few))`;

/** A list, a filter, and two joins of what is left: eleven calls. */
async function taskFigures(): Promise<Figure[]> {
  return withFolder(async (folder) => {
    const direct = new OfficialClient({ name: 'bench', version: '1' });
    await direct.connect(new StdioClientTransport({ ...ISSUES, stderr: 'ignore' }));
    let through = 0;
    const call = async (name: string, input: Record<string, unknown>): Promise<unknown> => {
      const { content } = await direct.callTool({ name, arguments: input });
      through += bytes({ name, given: input }) + bytes(content);
      const [block]: unknown[] = Array.isArray(content) ? content : [];
      return JSON.parse(String(Object(block).text));
    };
    const issues = await call('list_issues', {});
    const open = (Array.isArray(issues) ? issues : [])
      .filter(({ state }) => state === 'open')
      .toReversed()
      .slice(0, 5);
    for (const { author, label } of open) {
      await call('get_user', { id: author });
      await call('get_label', { id: label });
    }
    await direct.close();
    const client = new Client(folder, ['--import', imports(folder, { issues: ISSUES }), '--approvals', 'off']);
    await until(client, 'issues.get-user');
    const answer = await client.run(TASK);
    await client.end();
    if (answer['isError'] === true) throw new Error(textOf(answer));
    // A model is shown one of the two forms of the answer.
    const own = bytes({ program: TASK }) + Buffer.byteLength(textOf(answer));
    return [
      most(
        'task of eleven calls, bytes through the model: one program / direct calls',
        own / through,
        'x',
        0.1,
        `${String(own)} bytes against ${String(through)}`,
      ),
    ];
  });
}

async function until(client: Client, name: string): Promise<void> {
  while (textOf(await client.tool('describe', { names: [name] })).includes('"unknown":true'));
}

async function handshakeMs(folder: string, args: readonly string[]): Promise<number> {
  const began = performance.now();
  const client = new Client(folder, args);
  await client.ask('initialize', { protocolVersion: '2025-11-25' });
  const took = performance.now() - began;
  await client.end();
  return took;
}

async function handshakeFigures(): Promise<Figure[]> {
  return withFolder(async (folder) => {
    const hanging = { command: process.execPath, args: ['-e', 'setTimeout(() => undefined, 600000)'] };
    const file = imports(
      folder,
      Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`slow-${String(at)}`, hanging])),
    );
    const [slow, none]: [number[], number[]] = [[], []];
    for (let round = 0; round < HANDSHAKES; round += 1) {
      none.push(await handshakeMs(folder, []));
      slow.push(await handshakeMs(folder, ['--import', file]));
    }
    return [
      most(
        'handshake with ten servers that hang / with none',
        median(slow) / median(none),
        'x',
        1.1,
        `${median(slow).toFixed(0)} ms against ${median(none).toFixed(0)} ms, p50 of ${String(HANDSHAKES)} in turn`,
      ),
    ];
  });
}

async function times(work: () => Promise<unknown>): Promise<readonly number[]> {
  for (let warm = 0; warm < ROUNDS / 4; warm += 1) await work();
  const samples: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now();
    await work();
    samples.push(performance.now() - began);
  }
  return samples;
}

async function runFigures(): Promise<Figure[]> {
  return withFolder(async (folder) => {
    const client = new Client(folder, ['--import', imports(folder, { issues: ISSUES }), '--approvals', 'off']);
    await until(client, 'issues.get-user');
    const run = await times(async () => client.run('(+ 1 2)'));
    const supervisor = await createSupervisor({ programDirectory: dist });
    const session = await supervisor.openSession({});
    const form = await times(async () => session.evaluate('(+ 1 2)'));
    await supervisor.close();
    const called = await times(async () => client.run('(tool!/issues.get-user {:id 1})'));
    await client.end();
    const direct = new OfficialClient({ name: 'bench', version: '1' });
    await direct.connect(new StdioClientTransport({ ...ISSUES, stderr: 'ignore' }));
    const bare = await times(async () => direct.callTool({ name: 'get_user', arguments: { id: 1 } }));
    await direct.close();
    const [runMs, formMs, calledMs, bareMs] = [median(run), median(form), median(called), median(bare)];
    return [
      most('run of (+ 1 2), warm, p50', runMs, 'ms', 15, `p90 ${quantile(run, 0.9).toFixed(1)} ms`),
      most(
        'run of (+ 1 2) / a form of a session in process',
        runMs / formMs,
        'x',
        2,
        `${runMs.toFixed(2)} ms against ${formMs.toFixed(2)} ms`,
      ),
      most(
        'run with one call of a tool, beyond 1.25 bare calls',
        calledMs - 1.25 * bareMs,
        'ms',
        5,
        `${calledMs.toFixed(2)} ms against ${bareMs.toFixed(2)} ms of the official client`,
      ),
    ];
  });
}

function settledRss(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage.rss();
}

/** Sessions that hold a definition and have nothing to do; their processes are lent, and most have none. */
async function idleFigures(): Promise<Figure[]> {
  const supervisor = await createSupervisor({ programDirectory: dist });
  const open = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at += 1) {
      const session = await supervisor.openSession({});
      await session.evaluate('(defn twice [x] (* 2 x)) (twice 21)');
    }
  };
  try {
    await open(FIRST_SESSIONS);
    const before = settledRss();
    await open(IDLE_SESSIONS);
    const each = (settledRss() - before) / IDLE_SESSIONS / 1e6;
    return [
      most('resident memory of the supervisor for an idle session', each, 'MB', 1, `over ${String(IDLE_SESSIONS)}`),
    ];
  } finally {
    await supervisor.close();
  }
}

function contentsOf(tools: RoomContents['tools']): RoomContents {
  return { tools, exports: [], data: [], servers: [] };
}

function searchFigures(): Figure[] {
  const room = contentsOf(TOOLS);
  const found = LABELLED.filter(({ query, tool }) => {
    const hits: unknown = searchRoom(room, { query, in: 'tools', limit: 5 }).get('hits');
    return Array.isArray(hits) && hits.some((hit: unknown) => hit instanceof Map && hit.get('name') === tool);
  });
  const many = Array.from({ length: 4 }, (_, copy) =>
    TOOLS.map((tool) => ({ ...tool, name: `${tool.name}-${String(copy)}` })),
  );
  const large = contentsOf(many.flat());
  const samples = Array.from({ length: SEARCHES }, (_, at) => {
    const began = performance.now();
    searchRoom(large, { query: LABELLED[at]?.query ?? '', in: 'all', limit: 10 });
    return performance.now() - began;
  });
  return [
    {
      name: `right tool in the first five, ${String(LABELLED.length)} questions over ${String(TOOLS.length)} tools`,
      value: found.length / LABELLED.length,
      unit: 'of 1',
      bound: { kind: 'least', value: 0.95 },
      detail: `missed: ${
        LABELLED.filter((each) => !found.includes(each))
          .slice(0, 5)
          .map(({ query }) => query)
          .join('; ') || 'none'
      }`,
    },
    most(
      `search of ${String(large.tools.length)} tools, p50`,
      median(samples),
      'ms',
      20,
      `p90 ${quantile(samples, 0.9).toFixed(1)} ms`,
    ),
  ];
}

/** The figures of code mode. */
export async function codeModeFigures(): Promise<Figure[]> {
  return [
    ...searchFigures(),
    ...(await contextFigures()),
    ...(await taskFigures()),
    ...(await handshakeFigures()),
    ...(await runFigures()),
    ...(await idleFigures()),
  ];
}
