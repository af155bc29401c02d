/** Configurations of clients, what servers say of themselves, and what a session keeps (code-mode.md §9). */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client, SVC, textOf } from './client.ts';
import { Folder, toolServer } from './folder.ts';

const TOOL_SERVER = resolve('supervisor/test/code/tool-server.ts');
const TEXT = { type: 'string' };
const TEXTS = { type: 'array', items: TEXT };
const closed = (properties: object, required: readonly string[]): object => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const ENTRY = { command: TEXT, args: TEXTS, env: { type: 'object', additionalProperties: TEXT } };
const STDIO = { ...ENTRY, type: { const: 'stdio' } };
/**
 * What each client says of an entry of a local server, as stored copies of these pages had it on 2026-11-28:
 * code.visualstudio.com/docs/copilot/reference/mcp-configuration (VS Code, which requires `type`), docs/src/ai/mcp.md
 * of zed-industries/zed (Zed), code.claude.com/docs/en/mcp (Claude Code),
 * modelcontextprotocol.io/docs/develop/connect-local-servers (Claude Desktop), docs.cursor.com (Cursor). Codex:
 * docs/config.md of openai/codex, whose table is `mcp_servers`.
 */
const SCHEMAS: Readonly<Record<string, object>> = {
  'claude-code': closed({ mcpServers: { type: 'object', additionalProperties: closed(STDIO, ['command']) } }, [
    'mcpServers',
  ]),
  'claude-desktop': closed({ mcpServers: { type: 'object', additionalProperties: closed(ENTRY, ['command']) } }, [
    'mcpServers',
  ]),
  cursor: closed({ mcpServers: { type: 'object', additionalProperties: closed(STDIO, ['type', 'command']) } }, [
    'mcpServers',
  ]),
  vscode: closed({ servers: { type: 'object', additionalProperties: closed(STDIO, ['type', 'command']) } }, [
    'servers',
  ]),
  zed: closed({ context_servers: { type: 'object', additionalProperties: closed(ENTRY, ['command', 'args']) } }, [
    'context_servers',
  ]),
};

/** As the documentation of each client has it; `npx` and the rest are found on the path of the test. */
const FORMS: Readonly<Record<string, { readonly text: string; readonly servers: readonly string[] }>> = {
  'Claude Code': {
    text: `{
  "mcpServers": {
    "shared-server": {
      "command": "npx",
      "args": [],
      "env": {}
    }
  }
}`,
    servers: ['shared-server'],
  },
  'Claude Desktop': {
    text: `{
  "mcpServers": {
    "filesystem": {
      "command": "npx",
      "args": [
        "-y",
        "@modelcontextprotocol/server-filesystem",
        "/Users/username/Desktop",
        "/Users/username/Downloads"
      ]
    }
  }
}
`,
    servers: ['filesystem'],
  },
  Cursor: {
    text: `{
  "mcpServers": {
    "server-name": {
      "command": "npx",
      "args": ["-y", "mcp-server"],
      "env": {
        "API_KEY": "value"
      }
    }
  }
}`,
    servers: ['server-name'],
  },
  'VS Code': {
    text: `{
  "inputs": [
    {
      "type": "promptString",
      "id": "perplexity-key",
      "description": "Perplexity API Key",
      "password": true
    }
  ],
  "servers": {
    // https://github.com/ppl-ai/modelcontextprotocol/
    "Perplexity": {
      "type": "stdio",
      "command": "npx",
      "args": ["-y", "server-perplexity-ask"],
      "env": {
        "PERPLEXITY_API_KEY": "\${input:perplexity-key}"
      }
    }
  }
}
`,
    servers: ['perplexity'],
  },
};

/** A server over HTTP of an older revision, whose one tool gives back the header of its caller. */
async function headerServer(): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.method !== 'POST') return void response.writeHead(405).end();
      const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString());
      if (id === undefined) return void response.writeHead(202).end();
      const key = String(request.headers['x-api-key']);
      const answers: Readonly<Record<string, object>> = {
        initialize: {
          protocolVersion: '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: 'header', version: '1' },
        },
        'tools/list': {
          tools: [{ name: 'tell', description: `It was asked with ${key}.`, inputSchema: { type: 'object' } }],
        },
        'tools/call': {
          content: [{ type: 'text', text: `asked with ${key}` }],
          isError: params?.arguments?.fail === true,
        },
      };
      const result = answers[method];
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify(
          result === undefined
            ? { jsonrpc: '2.0', id, error: { code: -32_601, message: 'unknown' } }
            : { jsonrpc: '2.0', id, result },
        ),
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const at = server.address();
  return { server, url: `http://127.0.0.1:${typeof at === 'object' && at !== null ? at.port : 0}/mcp` };
}

function filesBelow(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('');
}

async function ready(client: Client, name: string): Promise<void> {
  for (let times = 0; times < 150; times += 1) {
    if (!textOf(await client.tool('describe', { names: [name] })).includes('"unknown":true')) return;
    await wait(200);
  }
  throw new Error(`${name} is not there: ${client.stderr}`);
}

describe('svc code, configurations of clients', () => {
  const folder = new Folder();

  /** Programs of this name start the server of the tests. */
  function onPath(name: string): Readonly<Record<string, string>> {
    mkdirSync(join(folder.path, 'bin'), { recursive: true });
    const path = join(folder.path, 'bin', name);
    // Whatever it is given: the package that it would install is not there.
    writeFileSync(path, `#!/bin/sh\nexec ${JSON.stringify(process.execPath)} ${JSON.stringify(TOOL_SERVER)}\n`);
    chmodSync(path, 0o755);
    return { PATH: `${join(folder.path, 'bin')}:${process.env['PATH'] ?? ''}`, SVC_INPUT_PERPLEXITY_KEY: 'key' };
  }

  for (const [client, schema] of Object.entries(SCHEMAS))
    it(`the entry for ${client} is as its schema has it, and starts the program (9)`, () => {
      const text = execFileSync(SVC, ['code', '--import', 'a.json', '--print-config', client], { encoding: 'utf8' });
      const check = new Ajv2020({ strict: false }).compile(schema);
      const entry: unknown = JSON.parse(text);
      expect(check(entry), JSON.stringify(check.errors)).to.equal(true);
      const [servers]: unknown[] = Object.values(Object(entry));
      expect(Object(servers).svc).to.deep.include({ command: SVC, args: ['code', '--import', resolve('a.json')] });
    });

  it('the entry for codex is a table of TOML (9)', () => {
    const text = execFileSync(SVC, ['code', '--print-config', 'codex'], { encoding: 'utf8' });
    const [table, command = '', args = '', end] = text.split('\n');
    expect([table, end]).to.deep.equal(['[mcp_servers.svc]', '']);
    // A basic string and an array of TOML are written as those of JSON.
    expect(JSON.parse(command.replace(/^command = /, ''))).to.equal(SVC);
    expect(JSON.parse(args.replace(/^args = /, ''))).to.deep.equal(['code']);
  });

  for (const [client, { text, servers }] of Object.entries(FORMS))
    it(`the example of ${client} is read as it stands (11)`, async () => {
      const variables = onPath('npx');
      const session = new Client(folder.path, ['--import', folder.write('mcp.json', text)], variables);
      for (const server of servers) await ready(session, `${server}.echo`);
      expect(await session.end()).to.equal(0);
    });

  it('comments, a byte order mark and trailing commas are read (12)', async () => {
    const text = `\uFEFF// servers\n{ "mcpServers": { /* one */ "hub": { "command": "npx", "args": [], }, }, }\n`;
    const session = new Client(folder.path, ['--import', folder.write('mcp.json', text)], onPath('npx'));
    await ready(session, 'hub.echo');
    expect(await session.end()).to.equal(0);
  });

  it('of two files that name one server the first is taken, and the second told of (17)', async () => {
    const first = folder.imports({ hub: toolServer() }, 'first.json');
    const second = folder.imports({ hub: { command: 'nothing-of-this-name' } }, 'second.json');
    const session = new Client(folder.path, ['--import', first, '--import', second]);
    await ready(session, 'hub.echo');
    expect(await session.end()).to.equal(0);
    expect(session.stderr).to.match(/"hub" of .*second\.json is left out: there is a server hub already/);
  });

  it('a server over sse is left out, and told of (20)', async () => {
    const file = folder.imports({ old: { type: 'sse', url: 'http://127.0.0.1:9/sse' }, hub: toolServer() });
    const session = new Client(folder.path, ['--import', file]);
    await ready(session, 'hub.echo');
    expect(await session.end()).to.equal(0);
    expect(session.stderr).to.match(/"old" of .* is left out: .*sse/i);
  });

  it('a server over HTTP is called; a header beyond https leaves it out, and nothing repeats it (18)', async () => {
    const { server, url } = await headerServer();
    const secret = 'secret-in-a-header-0815';
    try {
      const file = folder.imports({
        web: { type: 'http', url },
        open: { type: 'http', url, headers: { 'X-Api-Key': '${KEY}' } },
        far: { type: 'http', url: 'https://127.0.0.1:9/mcp', headers: { 'X-Api-Key': '${KEY}' } },
      });
      const session = new Client(
        folder.path,
        ['--import', file, '--approvals', 'off', '--artifacts', join(folder.path, 'evidence')],
        { KEY: secret },
      );
      await ready(session, 'web.tell');
      const found = textOf(await session.tool('search', { query: 'asked with' }));
      const reported = textOf(await session.run('(str (:value (tool/web.tell {})))'));
      const failed = textOf(await session.run('(tool!/far.tell {})'));
      expect(reported).to.include('asked with undefined');
      expect(await session.end()).to.equal(0);
      expect(session.stderr).to.match(/"open" of .* is left out: credentials travel by https alone/);
      expect(`${found}${reported}${failed}${session.stderr}${session.lines.join('')}`).not.to.include(secret);
      expect(filesBelow(join(folder.path, 'evidence'))).not.to.include(secret);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
});

describe('svc code, what tools say and programs keep', () => {
  const folder = new Folder();

  async function hub(...args: readonly string[]): Promise<Client> {
    return new Client(folder.path, ['--import', folder.imports({ hub: toolServer(args) }), '--approvals', 'off']);
  }

  it('what a server says is shown without control characters (24)', async () => {
    const names = folder.write('names.json', JSON.stringify(['echo']));
    const said = 'Erases \u001B[2J all \u202Eevil\u202C and \u0007 rings.';
    const session = await hub('--names', names, '--words', said);
    await ready(session, 'hub.echo');
    const found = textOf(await session.tool('search', { query: 'erases' }));
    const described = textOf(await session.tool('describe', { names: ['hub.echo'] }));
    // eslint-disable-next-line no-control-regex
    for (const text of [found, described])
      expect(text)
        .to.include('Erases')
        .and.not.match(/[\u0007\u001B\u202E\u202C]|\\u001b/i);
    expect(await session.end()).to.equal(0);
  });

  it('tools are found by name, by the parts of it, in the plural, and by what their server calls them (25, 26)', async () => {
    const list = ['listIssues', 'get_user', 'createPullRequest', 'echo'];
    const session = await hub('--names', folder.write('names.json', JSON.stringify(list)));
    await ready(session, 'hub.echo');
    const first = async (query: string): Promise<unknown> => {
      const answer = await session.tool('search', { query, in: 'tools' });
      expect(await session.tool('search', { query, in: 'tools' })).to.deep.equal(answer);
      return Object(answer['structuredContent']).hits[0]?.name;
    };
    expect(await first('hub.list-issues')).to.equal('hub.list-issues');
    expect(await first('issue')).to.equal('hub.list-issues');
    expect(await first('users')).to.equal('hub.get-user');
    expect(await first('createPullRequest')).to.equal('hub.create-pull-request');
    expect(await first('get_user')).to.equal('hub.get-user');
    const all = await session.tool('search', { query: '' });
    expect(all).to.have.deep.nested.property('structuredContent.hits[0]', { name: 'hub', kind: 'server', count: 4 });
    expect(await session.end()).to.equal(0);
  });

  it('names of the language are found where they are asked for, and nowhere else (§4)', async () => {
    const session = await hub();
    await ready(session, 'hub.echo');
    const core = await session.tool('search', { query: 'group-by', in: 'core' });
    expect(core).to.have.nested.property('structuredContent.hits[0]').that.includes({ name: 'group-by', kind: 'core' });
    expect(Object(core['structuredContent']).hits[0].call).to.match(/^\(group-by f coll\)/);
    expect(textOf(await session.tool('search', { query: 'group-by' }))).not.to.include('"kind":"core"');
    expect(textOf(await session.tool('describe', { names: ['group-by'] }))).to.include('(group-by f coll)');
    expect(await session.end()).to.equal(0);
  });

  it('definitions and instructions take 4800 bytes with 2048 tools as well (29)', async () => {
    const servers = Object.fromEntries(
      Array.from({ length: 4 }, (_, at) => {
        const names = Array.from({ length: 512 }, (__, tool) => `tool-${at}-${tool}`);
        return [`hub-${at}`, toolServer(['--names', folder.write(`names-${at}.json`, JSON.stringify(names))])];
      }),
    );
    const session = new Client(folder.path, ['--import', folder.imports(servers)]);
    const { result } = await session.ask('initialize', { protocolVersion: '2025-11-25' });
    for (let at = 0; at < 4; at += 1) await ready(session, `hub-${at}.tool-${at}-511`);
    expect(await session.tool('search', { query: '' })).to.have.nested.property('structuredContent.total', 2048);
    const list = await session.ask('tools/list');
    const bytes = Buffer.byteLength(`${String(result?.['instructions'])}${JSON.stringify(list.result?.['tools'])}`);
    expect(bytes).to.be.at.most(4800);
    expect(await session.end()).to.equal(0);
  });

  it('a value that is no JSON is shown as text, and kept (32)', async () => {
    const session = await hub();
    const answer = await session.run('(fn [n] (inc n))');
    expect(answer).to.have.nested.property('structuredContent.value', null);
    expect(answer)
      .to.have.nested.property('structuredContent.text')
      .that.matches(/#object\[fn\]$/);
    expect(await session.run('(*1 41)')).to.have.nested.property('structuredContent.value', 42);
    for (const opaque of ['inc', '#"a+"', '(atom 1)', '(delay 1)', '(reify Object (toString [_] "x"))'])
      expect(await session.run(opaque), opaque).to.have.nested.property('structuredContent.value', null);
    expect(await session.run('"#object[fn]"')).to.have.nested.property('structuredContent.value', '#object[fn]');
    expect(await session.run('*1')).to.have.nested.property('structuredContent.value', '#object[fn]');
    expect(await session.run('#{:a}')).to.have.nested.property('structuredContent.status', 'ok');
    expect(await session.end()).to.equal(0);
  });

  it('what a program prints is shown without control characters, and its value is as it is (33)', async () => {
    const session = await hub();
    const answer = await session.run(String.raw`(println "a\u001b[2J\u202eb\u0007") (print (fn [x] x)) "\u001b"`);
    expect(answer).to.have.deep.nested.property('structuredContent.value', '\u001B');
    expect(answer).to.have.nested.property('structuredContent.printed', 'a⟨U+001B⟩[2J⟨U+202E⟩b⟨U+0007⟩\n#object[fn]');
    expect(await session.end()).to.equal(0);
  });

  it('fifty calls at once are all answered, each with its own (44)', async () => {
    const session = await hub();
    await ready(session, 'hub.echo');
    const answer = await session.run(
      '(count (distinct (pmap (fn [n] (str (:value (tool!/hub.echo {:text (str "n" n)})))) (range 50))))',
    );
    expect(answer, textOf(answer)).to.have.nested.property('structuredContent.value', 50);
    expect(answer).to.have.deep.nested.property('structuredContent.calls', [{ name: 'hub.echo', n: 50, errors: 0 }]);
    expect(await session.end()).to.equal(0);
  });

  it('definitions are there when the process that held them was killed (45)', async () => {
    const session = await hub();
    await session.run('(def a 41) (defn more [n] (+ n a))');
    const hosts = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
      .split('\n')
      .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
      .filter((found) => found !== null);
    const family = new Set([session.child.pid]);
    for (const [, pid, parent] of hosts.toSorted((left, right) => Number(left[1]) - Number(right[1])))
      if (family.has(Number(parent))) family.add(Number(pid));
    const victims = hosts.filter(([, pid, , args = '']) => family.has(Number(pid)) && args.includes('sandbox-host'));
    expect(victims).not.to.deep.equal([]);
    for (const [, pid] of victims) killNow(Number(pid));
    await wait(200);
    let answer = await session.run('(more 1)');
    // The one that was under way may be told so; the next is as if nothing had been.
    if (answer['isError'] === true) answer = await session.run('(more 1)');
    expect(answer).to.have.nested.property('structuredContent.value', 42);
    expect(await session.end()).to.equal(0);
  });
});

/** One that confines another takes it along: that is over then, and no fault. */
function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
