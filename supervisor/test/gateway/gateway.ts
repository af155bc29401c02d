import { writeFileSync } from 'node:fs';
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { start, type Ended, type Started } from '../../../conformance/cli/program.ts';
import { runResident } from '../../../conformance/cli/resident/resident.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../../../conformance/cli/work-directory.ts';
import { until } from '../../../conformance/until.ts';

export const TOKEN = 'a-bearer-of-a-test-0123456789-abcdef';
export const ENVIRONMENT = { GATEWAY_TOKEN: TOKEN };
const DIGEST = `sha256:${'0'.repeat(64)}`;
const VALUE = { type: 'object', properties: { value: { type: ['string', 'null'] } }, additionalProperties: false };

/** A tool by its program and what it takes. */
export interface ToolSource {
  readonly program: string;
  readonly input?: object;
  readonly result?: object;
  readonly manifest?: object;
}

/** Files of a gateway below one directory. */
export interface GatewayFiles {
  readonly tools: Readonly<Record<string, ToolSource>>;
  /** Members of the host document. */
  readonly install?: object;
  readonly credentials?: object;
  /** Members of the host document beside those. */
  readonly host?: object;
  /** Further files. */
  readonly files?: Readonly<Record<string, unknown>>;
  readonly edit?: (document: Readonly<Record<string, unknown>>) => object;
  /** Of the program that completes the pins, and what is done in its directory before. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly beforePins?: (directory: string) => Promise<unknown>;
}

/** Ports that the system gives to nobody by itself: one that is free stays free until it is listened on. */
const PORTS = { from: 10_000, to: 32_768 } as const;

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.to);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise<void>((resolve) => {
      server.close(() => {
        resolve();
      });
    });
    return port;
  }
}

function applicationFiles(
  name: string,
  { program, input = VALUE, result = VALUE, manifest = {} }: ToolSource,
): Readonly<Record<string, unknown>> {
  return {
    [`${name}/svc.json`]: {
      version: 1,
      workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
      missions: {},
      input: { value: {} },
      contracts: { input_schema: { path: 'input.json' }, result_schema: { path: 'result.json' } },
      ...manifest,
    },
    [`${name}/main.clj`]: program,
    [`${name}/input.json`]: input,
    [`${name}/result.json`]: result,
  };
}

/** A configuration with its pins completed by the program itself. */
export async function gatewayDirectory({
  tools,
  install = {},
  credentials = {},
  host = {},
  files: more = {},
  edit = (document) => document,
  environment = {},
  beforePins = async () => undefined,
}: GatewayFiles): Promise<{ readonly directory: string; readonly port: number }> {
  const port = await freePort();
  const documentWith = (pins: Readonly<Record<string, object>>): object =>
    edit({
      version: 1,
      listen: { address: '127.0.0.1', port, path: '/mcp', allowed_origins: ['https://a.example'] },
      authentication: { bearer: { binding: 'gateway' } },
      host: { path: 'host.json' },
      admission: {
        max_inflight_requests: 8,
        max_concurrent_runs: 2,
        max_active_provider_calls: 2,
        max_waiting_provider_calls: 0,
      },
      tools: Object.keys(tools).map((name) => ({
        name,
        title: name,
        description: `The tool ${name}.`,
        application: { manifest: `${name}/svc.json` },
        expected_application_content_digest: DIGEST,
        installation_config_pins: {},
        provider_snapshot_pins: {},
        ...pins[name],
      })),
    });
  const files = {
    ...more,
    'host.json': {
      ...host,
      install,
      credentials: { gateway: { env: 'GATEWAY_TOKEN' }, literal: { literal: TOKEN }, ...credentials },
    },
    'unpinned.json': documentWith({}),
  };
  const directory = makeWorkDirectory(
    files,
    ...Object.entries(tools).map(([name, source]) => applicationFiles(name, source)),
  );
  await beforePins(directory);
  const { stdout } = await runResident({ argv: ['gateway', 'unpinned.json', '--print-pins'], directory, environment });
  writeFileSync(`${directory}/gateway.json`, JSON.stringify(documentWith(stdout === '' ? {} : JSON.parse(stdout))));
  return { directory, port };
}

/** A gateway at work. */
export interface TestGateway {
  readonly directory: string;
  readonly url: URL;
  readonly child: Started['child'];
  readonly ended: Promise<Ended>;
  /** Asks it to stop, and waits; `look` at what it left. */
  stop(look?: (directory: string) => void): Promise<Ended>;
}

export async function startTestGateway(
  files: GatewayFiles,
  options: readonly string[] = [],
  prepare: (directory: string) => void = () => undefined,
  environment: Readonly<Record<string, string>> = {},
): Promise<TestGateway> {
  const { directory, port } = await gatewayDirectory(files);
  prepare(directory);
  const { child, ended } = start({
    argv: ['gateway', 'gateway.json', ...options],
    directory,
    environment: { ...ENVIRONMENT, ...environment },
    options: { timeout: 0 },
  });
  let output = '';
  child.stdout?.on('data', (text: string) => {
    output += text;
  });
  let isOver = false;
  child.once('close', () => {
    isOver = true;
  });
  await until('the gateway is ready', () => (output.includes('\n') || isOver ? true : undefined));
  if (isOver) throw new Error(`the gateway did not start: ${(await ended).stderr}`);
  return {
    directory,
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    child,
    ended,
    stop: async (look) => {
      child.kill('SIGTERM');
      const end = await ended;
      look?.(directory);
      removeWorkDirectory(directory);
      return end;
    },
  };
}

/** The line that programs read of a refused start; people are told more below it. */
export const firstLine = (text: string): string => text.slice(0, text.indexOf('\n') + 1);

const MODERN = '2026-07-28';
export const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A request of the current revision, as a client sends it. */
export function modern(
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  extra: { readonly headers?: Readonly<Record<string, string>>; readonly meta?: object; readonly id?: unknown } = {},
): RequestInit {
  const { name } = params;
  return {
    method: 'POST',
    headers: {
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': MODERN,
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
      ...extra.headers,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 'id' in extra ? extra.id : 1,
      method,
      params: { ...params, _meta: { ...META, ...extra.meta } },
    }),
  };
}

/** Messages of a streamed answer. */
export async function messagesOf(response: Response): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return (await response.text())
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line): Record<string, unknown> => JSON.parse(line.slice('data: '.length)));
}
