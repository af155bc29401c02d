/**
 * The models and tools of a soak: scripted servers in processes of their own, and the host document that installs them.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const servers = join(import.meta.dirname, '../conformance/servers');
const STEPS = {
  discover: { method: 'server/discover' },
  list: { method: 'tools/list' },
  call: { method: 'tools/call', name: 'lookUp' },
};
const TERMS = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
const ANSWERS = {
  discover: {
    ...TERMS,
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {} },
    serverInfo: { name: 'soak', version: '1' },
  },
  list: {
    ...TERMS,
    tools: [
      {
        name: 'lookUp',
        description: 'Looks up.',
        inputSchema: { type: 'object', properties: { n: { type: 'integer' } } },
      },
    ],
  },
  call: { resultType: 'complete', content: [{ type: 'text', text: 'sunny' }] },
};
const OFTEN = 'any';
const MODEL = [
  { match: { lastContains: 'refuse' }, times: OFTEN, action: { status: 503, body: { error: { message: 'busy' } } } },
  { times: OFTEN, action: { answer: { text: 'to you too', usage: { input: 9, output: 3 } } } },
];

export interface SoakServers {
  /** Path of the host document: model `small`, servers of tools `near` (standard streams) and `far` (HTTP). */
  readonly host: string;
  readonly pids: ReadonlySet<number>;
  readonly close: () => Promise<void>;
}

interface Server {
  readonly url: string;
  readonly pid: number;
  readonly close: () => Promise<void>;
}

async function startServer(name: string, script: string): Promise<Server> {
  const child = spawn(process.execPath, [join(servers, name, 'main.ts'), '--script', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  // A soak that fails leaves none behind.
  process.once('exit', () => child.kill('SIGKILL'));
  const [line]: unknown[] = await Promise.race([
    once(child.stdout, 'data'),
    ended.then(() => {
      throw new Error(`${name} does not start`);
    }),
  ]);
  child.stdout.resume();
  return {
    url: String(line).trim(),
    pid: child.pid ?? 0,
    close: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Starts them; what they need lies in `folder`. */
export async function startSoakServers(folder: string): Promise<SoakServers> {
  const put = (name: string, value: unknown): string => {
    writeFileSync(join(folder, name), JSON.stringify(value));
    return join(folder, name);
  };
  const kinds = ['discover', 'list', 'call'] as const;
  const near = put('near.json', {
    steps: kinds.map((kind) => ({ ...STEPS[kind], action: { result: ANSWERS[kind] } })),
  });
  const far = put(
    'far.json',
    kinds.map((kind) => ({ match: STEPS[kind], action: { result: ANSWERS[kind] } })),
  );
  const [model, tools] = await Promise.all([
    startServer('llm', put('model.json', MODEL)),
    startServer('mcp-http', far),
  ]);
  const installed = {
    source: 'mcp',
    installation_revision: 'r1',
    tools: { lookUp: { as: 'look-up', effect: 'read' } },
    ceilings: { timeout_ms: 60_000 },
  };
  const host = put('host.json', {
    credentials: { key: { literal: 'k' } },
    install: {
      small: {
        source: 'llm',
        installation_revision: 'r1',
        model: `openai-compat:${model.url}|m`,
        credential: 'key',
        structured_output_mode: 'unsupported',
        usage_guarantees: { tokens: false, cost_currency: null },
      },
      near: {
        ...installed,
        transport: {
          type: 'stdio',
          command: process.execPath,
          args: [join(servers, 'mcp-stdio/main.ts'), '--script', near],
        },
      },
      far: { ...installed, transport: { type: 'streamable_http', endpoint: tools.url, allow_insecure_loopback: true } },
    },
  });
  return {
    host,
    pids: new Set([model.pid, tools.pid]),
    close: async () => {
      await Promise.all([model.close(), tools.close()]);
    },
  };
}
