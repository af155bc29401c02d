import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { isAlive } from '../cli/descendants.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../cli/work-directory.ts';
import { CERTIFICATES, listen } from '../servers/http/listen.ts';
import { until } from '../until.ts';
import { BRIDGE } from './bridge-program.ts';
import { TOOL_SECRET, ToolRoom, runTools, type ToolApplication } from './room.ts';

type Members = Readonly<Record<string, unknown>>;

const USAGE = 'svc-mcp-bridge: usage: svc-mcp-bridge COMMAND [ARGS…] | URL\n';

const PACKAGES = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol');
const EVERYTHING = [process.execPath, join(PACKAGES, 'server-everything/dist/index.js'), 'stdio'];
const FILES = [process.execPath, join(PACKAGES, 'server-filesystem/dist/index.js')];
const OLDER = [
  process.execPath,
  join(import.meta.dirname, '../servers/mcp-older/main.ts'),
  '--log',
  'log',
  '--pids',
  'pids',
];

const mapped = (tools: Readonly<Record<string, string>>, effects: Readonly<Record<string, string>> = {}): Members =>
  Object.fromEntries(
    Object.entries(tools).map(([name, as]) => [
      name,
      { as, effect: effects[name] ?? 'read', error_feedback: 'bounded' },
    ]),
  );
const applicationBehind = (command: readonly string[], more: Partial<ToolApplication> = {}): ToolApplication => ({
  script: { steps: [] },
  transport: { command: BRIDGE, args: command, grace_ms: 50 },
  ...more,
});

describe('servers of earlier revisions, behind svc-mcp-bridge', () => {
  it('the official reference server: text, structured content, refused arguments', async () => {
    const tools = mapped({
      echo: 'echo',
      'get-sum': 'sum',
      'get-structured-content': 'weather',
      'get-tiny-image': 'image',
    });
    const program =
      '[(tool/echo {:message "hello"}) (tool/sum {:a 2 :b 3}) (tool/weather {:location "Chicago"}) (tool/image {}) (tool/echo {})]';
    await runTools(applicationBehind(EVERYTHING, { tools, program }), ({ status, value }) => {
      expect(status).to.equal(0);
      expect(value).to.have.nested.property('[0].value.text[0]').that.matches(/hello/);
      expect(value).to.have.nested.property('[1].value.text[0]').that.matches(/5/);
      expect(value).to.have.nested.property('[2].value').that.has.keys(['temperature', 'conditions', 'humidity']);
      expect(value).to.have.nested.property('[3].value.content[0].type', 'image');
      expect(value).to.have.nested.property('[4].reason', 'invalid_arguments');
    });
  });

  it('the official server of files: reads, writes, and failures in its own words', async () => {
    const directory = makeWorkDirectory({ 'a.txt': 'first' });
    try {
      const root = realpathSync(directory);
      const tools = mapped({ read_text_file: 'read-file', write_file: 'write-file' }, { write_file: 'write' });
      const path = (name: string): string => JSON.stringify(join(root, name));
      const program = `[(tool/read-file {:path ${path('a.txt')}}) (tool/write-file {:path ${path('b.txt')} :content "second"}) (tool/read-file {:path "/etc/hostname"})]`;
      await runTools(
        applicationBehind([...FILES, root], { tools, config: { allow: ['read-file', 'write-file'] }, program }),
        ({ value }) => {
          expect(JSON.stringify(Object(value)[0]))
            .to.include('first')
            .and.to.include('"status":"ok"');
          expect(Object(value)[1]).to.deep.include({ status: 'ok' });
          expect(readFileSync(join(root, 'b.txt'), 'utf8')).to.equal('second');
          expect(Object(value)[2]).to.deep.include({ reason: 'domain_error' });
          expect(Object(value)[2].details).to.match(/denied|outside/i);
        },
      );
    } finally {
      removeWorkDirectory(directory);
    }
  });

  it('schemas pass unchanged', async () => {
    const result = spawnSync(EVERYTHING[0] ?? '', EVERYTHING.slice(1), {
      input: [
        INITIALIZE,
        { jsonrpc: '2.0', method: 'notifications/initialized' },
        { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} },
      ]
        .map((message) => `${JSON.stringify(message)}\n`)
        .join(''),
      encoding: 'utf8',
      timeout: 60_000,
    });
    const listed: { readonly tools: readonly Members[] } = result.stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
      .find(({ id }) => id === 2).result;
    const room = new ToolRoom(applicationBehind(EVERYTHING, { tools: mapped({ echo: 'echo' }) }));
    try {
      const { envelope } = await room.report(await room.run(['catalog', 'desk']));
      const ours: readonly Members[] = Object(envelope['result'])['tools'];
      expect(ours.length).to.equal(listed.tools.length);
      for (const tool of listed.tools) {
        const own = ours.find(({ name }) => name === tool['name']);
        expect(
          [own?.['description'], own?.['input_schema'], own?.['output_schema']],
          String(tool['name']),
        ).to.deep.equal([tool['description'], tool['inputSchema'], tool['outputSchema']]);
      }
    } finally {
      room.close();
    }
  });

  it('the official reference server over HTTP, whose session ends with the run', async () => {
    const { port, close } = await listen({}, async () => undefined);
    await close();
    const server = spawn(process.execPath, [join(PACKAGES, 'server-everything/dist/index.js'), 'streamableHttp'], {
      env: { ...process.env, PORT: String(port) },
    });
    let said = '';
    for (const stream of [server.stdout, server.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
    try {
      await until('the server', () => (/listening on port/.test(said) ? true : undefined));
      const program = '[(tool/echo {:message "hello"}) (tool/sum {:a 2 :b 3}) (tool/echo {})]';
      await runTools(
        applicationBehind([`http://127.0.0.1:${port}/mcp`], {
          tools: mapped({ echo: 'echo', 'get-sum': 'sum' }),
          program,
        }),
        ({ status, value }) => {
          expect(status).to.equal(0);
          expect(value).to.have.nested.property('[0].value.text[0]').that.matches(/hello/);
          expect(value).to.have.nested.property('[1].value.text[0]').that.matches(/5/);
          expect(value).to.have.nested.property('[2].reason', 'invalid_arguments');
        },
      );
      await until('the end of the session', () => (/session termination request/.test(said) ? true : undefined));
    } finally {
      server.kill('SIGKILL');
    }
  });

  it('a stubborn one ends with its run', async () => {
    await runTools(
      applicationBehind(OLDER, { tools: mapped({ tell: 'tell', fail: 'fail' }), program: '(tool/tell {:a "b"})' }),
      ({ envelope }) => {
        expect(envelope['error']).to.deep.include({ code: 'provider_tool_missing' });
      },
    );
    await runTools(
      applicationBehind(OLDER, { tools: mapped({ tell: 'tell' }), program: '(tool/tell {:a "b"})' }),
      ({ value, envelope }) => {
        expect(value).to.deep.equal({ status: 'ok', value: { text: ['{"a":"b"}'] } });
        expect(envelope['secondary_errors']).to.deep.equal([]);
      },
    );
  });

  it('a stubborn one ends when the program is killed', async () => {
    const room = new ToolRoom(applicationBehind(OLDER, { tools: mapped({ wait: 'wait' }), program: '(tool/wait {})' }));
    try {
      const started = room.start();
      await until('a call', () => (room.methods().includes('tools/call') ? true : undefined));
      started.child.kill('SIGKILL');
      await started.ended;
      await room.allEnded();
    } finally {
      room.close();
    }
  });

  it('one that ends under a call leaves a call that may have had its effect', async () => {
    await runTools(
      applicationBehind(OLDER, {
        tools: mapped({ leave: 'leave' }, { leave: 'write' }),
        config: { allow: ['leave'] },
        program: '(tool/leave {})',
      }),
      ({ value }) => {
        expect(value).to.deep.equal({
          status: 'error',
          kind: 'provider_error',
          reason: 'transport_error',
          details: 'mcp_transport_error',
          'retryable?': false,
          mutation_state: 'indeterminate',
        });
      },
    );
  });
});

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

/** A bridge that the test speaks to itself. */
class Spoken {
  readonly directory = makeWorkDirectory({ log: '', pids: '' });
  readonly child: ChildProcessWithoutNullStreams;
  readonly answers: Members[] = [];
  readonly ended: Promise<number | null>;

  constructor(command: readonly string[] = OLDER) {
    this.child = spawn(BRIDGE, [...command], { cwd: this.directory, stdio: ['pipe', 'pipe', 'pipe'] });
    this.ended = new Promise((resolve) => {
      this.child.once('close', resolve);
    });
    this.child.stderr.resume();
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      this.answers.push(JSON.parse(line));
    });
  }

  say(method: string, params: Members = {}, id?: number): void {
    this.child.stdin.write(
      `${JSON.stringify({ jsonrpc: '2.0', method, params: { ...params, _meta: META }, ...(id === undefined ? {} : { id }) })}\n`,
    );
  }

  async answerTo(id: number): Promise<Members> {
    return until(`an answer to ${id}`, () => this.answers.find((answer) => answer['id'] === id));
  }

  logged(): readonly Members[] {
    return readFileSync(join(this.directory, 'log'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line): Members => JSON.parse(line));
  }

  async close(): Promise<void> {
    this.child.kill('SIGKILL');
    const pids = readFileSync(join(this.directory, 'pids'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map(Number);
    for (const pid of pids.filter(isAlive)) process.kill(pid, 'SIGKILL');
    await this.ended;
    removeWorkDirectory(this.directory);
  }

  async allEnded(): Promise<void> {
    await until('the end of the server', () =>
      readFileSync(join(this.directory, 'pids'), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map(Number)
        .some(isAlive)
        ? undefined
        : true,
    );
  }
}

describe('svc-mcp-bridge', () => {
  let spoken: Spoken | null = null;
  const opened = (command?: readonly string[]): Spoken => (spoken = new Spoken(command));
  afterEach(async () => {
    const last = spoken;
    spoken = null;
    await last?.close();
  });

  it('offers the server nothing: no roots, no sampling, no questions', async () => {
    const bridge = opened();
    bridge.say('server/discover', {}, 1);
    expect(await bridge.answerTo(1)).to.have.deep.nested.property('result.capabilities', { tools: {} });
    const [first] = bridge.logged();
    expect(first).to.have.property('method', 'initialize');
    expect(first).to.have.deep.nested.property('params.capabilities', {});
  });

  it('takes back what its caller takes back', async () => {
    const bridge = opened();
    bridge.say('tools/call', { name: 'wait', arguments: {} }, 1);
    const call = await until('the call', () => bridge.logged().find(({ method }) => method === 'tools/call'));
    bridge.say('notifications/cancelled', { requestId: 1, reason: 'enough' });
    const cancelled = await until('its end', () =>
      bridge.logged().find(({ method }) => method === 'notifications/cancelled'),
    );
    expect(cancelled).to.have.nested.property('params.requestId', call['id']);
    bridge.say('tools/call', { name: 'tell', arguments: { a: 'next' } }, 2);
    expect(await bridge.answerTo(2)).to.have.nested.property('result.content[0].text', '{"a":"next"}');
    expect(bridge.answers.map(({ id }) => id)).not.to.include(1);
  });

  it('hands errors on', async () => {
    const bridge = opened();
    bridge.say('tools/call', { name: 'fail', arguments: {} }, 1);
    expect(await bridge.answerTo(1)).to.have.nested.property('error.code', -32_602);
  });

  it('answers no earlier revision', async () => {
    const bridge = opened();
    bridge.child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
    expect(await bridge.answerTo(1)).to.have.property('error');
  });

  for (const [what, end] of [
    ['its input ends', ({ child }) => child.stdin.end()],
    ['it is told to end', ({ child }) => child.kill('SIGTERM')],
  ] as const satisfies readonly (readonly [string, (bridge: Spoken) => unknown])[]) {
    it(`ends with its server when ${what}, a stubborn one included`, async () => {
      const bridge = opened();
      bridge.say('server/discover', {}, 1);
      await bridge.answerTo(1);
      end(bridge);
      expect(await bridge.ended).to.equal(0);
      await bridge.allEnded();
    });
  }

  it('ends when its server does', async () => {
    const bridge = opened();
    bridge.say('tools/call', { name: 'leave', arguments: {} }, 1);
    expect(await bridge.ended).to.equal(1);
  });

  /**
   * What a bridge to an address of a server said, and the headers that came there; the server answers each request so.
   */
  async function bodySent(
    address: (url: string) => string,
    answer: Members,
    tls: 'trusted' | undefined,
  ): Promise<{
    readonly status: number | null;
    readonly stderr: string;
    readonly headers: readonly (string | undefined)[];
  }> {
    const headers: (string | undefined)[] = [];
    const server = await listen(tls === undefined ? {} : { tls }, async ({ request, response }) => {
      headers.push(request.headers.authorization);
      response.writeHead(Number(answer['status']), Object(answer['headers'])).end();
    });
    try {
      const child = spawn(BRIDGE, [address(server.url)], {
        env: {
          PATH: process.env['PATH'] ?? '',
          NODE_EXTRA_CA_CERTS: join(CERTIFICATES, 'authority.pem'),
          SVC_MCP_BRIDGE_AUTHORIZATION: `Bearer ${TOOL_SECRET}`,
        },
      });
      let stderr = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        stderr += text;
      });
      const [status]: [number | null] = await new Promise((resolve) => {
        child.once('close', (...end: [number | null]) => resolve(end));
      });
      return { status, stderr, headers };
    } finally {
      await server.close();
    }
  }

  it('is authorised by a variable, over TLS alone, and follows nobody elsewhere', async () => {
    const refused = await bodySent((url) => `${url}/mcp`, { status: 401 }, 'trusted');
    expect(refused.status).to.equal(1);
    expect([...new Set(refused.headers)]).to.deep.equal([`Bearer ${TOOL_SECRET}`]);
    expect(refused.stderr)
      .to.match(/^svc-mcp-bridge: the server did not start: /)
      .and.not.to.include(TOOL_SECRET);
    const moved = await bodySent(
      (url) => `${url}/mcp`,
      { status: 307, headers: { location: '/elsewhere' } },
      'trusted',
    );
    expect(moved).to.deep.include({ status: 1, headers: [`Bearer ${TOOL_SECRET}`] });
    const open = await bodySent((url) => `${url}/mcp`, { status: 401 }, undefined);
    expect(open).to.deep.include({ status: 1, headers: [] });
  });

  it('tells how it is used, and what could not be started', async () => {
    expect(spawnSync(BRIDGE, [], { encoding: 'utf8' })).to.deep.include({ status: 2, stdout: '', stderr: USAGE });
    expect(spawnSync(BRIDGE, ['https://a.example', 'b'], { encoding: 'utf8' })).to.deep.include({
      status: 2,
      stdout: '',
      stderr: USAGE,
    });
    const { status, stderr } = spawnSync(BRIDGE, ['/no/such/command'], { encoding: 'utf8' });
    expect(status).to.equal(1);
    expect(stderr).to.match(/^svc-mcp-bridge: the server did not start: [^\n]+\n$/);
  });
});
