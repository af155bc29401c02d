/** Servers that repeat what they were given, and where it may come out: nowhere (code-mode.md §3, "secrets"; 18). */
import { expect } from 'chai';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { until } from '../../../conformance/until.ts';
import { withOwnAuthority, type SignedCertificate } from '../../../conformance/servers/http/own-authority.ts';
import { Client, textOf } from './client.ts';
import { Folder, toolServer } from './folder.ts';

/** With a character that JSON writes otherwise. */
const SECRETS = {
  variable: 'a-secret-in-a-variable-4711',
  quoted: 'a-secret-with-"quotes"-and-\\-4712',
  input: 'a-secret-of-an-input-4713',
  header: 'a-secret-in-a-header-4714',
  bearer: 'a-secret-of-a-bearer-4715',
};

interface RpcMessage {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly arguments?: { readonly fail?: boolean } };
}

/** What an echo says of a request: everything. */
function echoed(headers: IncomingHttpHeaders, { method, params }: RpcMessage): object | null {
  const said = JSON.stringify(headers);
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'echo', version: '1' },
        instructions: said,
      };
    case 'tools/list':
      return { tools: [{ name: 'tell', description: `Asked with ${said}`, inputSchema: { type: 'object' } }] };
    case 'tools/call':
      return {
        content: [{ type: 'text', text: said }],
        structuredContent: { headers },
        isError: params?.arguments?.fail === true,
      };
    default:
      return null;
  }
}

async function echoServer(certificate: SignedCertificate) {
  const server = createServer({ ...certificate }, (request, response) => {
    void (async () => {
      if (request.method !== 'POST') return void response.writeHead(405).end();
      const rpcMessage: RpcMessage = JSON.parse((await request.toArray()).join(''));
      if (rpcMessage.id === undefined) return void response.writeHead(202).end();
      const result = echoed(request.headers, rpcMessage);
      const answer =
        result === null ? { error: { code: -32_601, message: JSON.stringify(request.headers) } } : { result };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: rpcMessage.id, ...answer }));
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const at = server.address();
  return { server, url: `https://127.0.0.1:${typeof at === 'object' && at !== null ? at.port : 0}/mcp` };
}

/** Every file below a folder, in one text. */
function filesBelow(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('');
}

describe('svc code, secrets that servers repeat', () => {
  const folder = new Folder();

  async function session(servers: object, variables: Readonly<Record<string, string>>, ready: string): Promise<Client> {
    const client = new Client(
      folder.path,
      ['--import', folder.imports(servers), '--approvals', 'off', '--artifacts', join(folder.path, 'evidence')],
      variables,
    );
    await until(`${ready} is there`, async () =>
      textOf(await client.tool('describe', { names: [ready] })).includes('"unknown":true') ? undefined : true,
    );
    return client;
  }

  /** Programs that show, print, keep and fail with what a call gave; then nothing anywhere may have a secret. */
  async function showsNothing(client: Client, call: string, failing: string, words: string): Promise<void> {
    const answers = [
      await client.run(call),
      await client.run(`(println ${call}) (:value ${call})`),
      await client.run(`(def kept ${call}) (str kept)`),
      await client.run('(pr-str kept)'),
      await client.run(failing),
      await client.run(failing.replace('tool/', 'tool!/')),
      await client.run(`(fail ${call})`),
      await client.run(`(throw (ex-info (str ${call}) {:given ${call}}))`),
      await client.tool('search', { query: words }),
      await client.tool('describe', { names: [/tool\/(\S+)/.exec(call)?.[1] ?? ''] }),
    ];
    // What is no secret came, and that there was one.
    expect(textOf(answers[0] ?? {}))
      .to.include(words)
      .and.include('[redacted]');
    expect(await client.end()).to.equal(0);
    const evidence = filesBelow(join(folder.path, 'evidence'));
    expect(evidence).to.include('"run-stopped"');
    for (const [name, secret] of Object.entries(SECRETS))
      for (const form of [secret, JSON.stringify(secret).slice(1, -1)]) {
        expect(client.lines.join('\n'), `${name} in answers`).not.to.include(form);
        expect(client.stderr, `${name} on standard error`).not.to.include(form);
        expect(evidence, `${name} in evidence`).not.to.include(form);
      }
  }

  it('by standard streams: its environment', async () => {
    const env = {
      PLAIN_VARIABLE: SECRETS.variable,
      QUOTED: SECRETS.quoted,
      FROM_INPUT: '${input:key}',
      FROM_VARIABLE: 'Bearer ${THE_BEARER}',
    };
    const said = `chatter ${SECRETS.variable} ${SECRETS.bearer}\n`;
    const server = toolServer(['--say', said, '--words', `Has ${SECRETS.variable}`], { env });
    const variables = { SVC_INPUT_KEY: SECRETS.input, THE_BEARER: SECRETS.bearer };
    const client = await session({ hub: server }, variables, 'hub.env');
    await showsNothing(
      client,
      '(tool/hub.env {})',
      `(tool/hub.refuse {:text (str (get-in (tool/hub.env {}) [:value "text" 0]))})`,
      'PLAIN_VARIABLE',
    );
  });

  it('over HTTP: the headers of its requests', () =>
    withOwnAuthority(async (authority) => {
      const { server, url } = await echoServer(await authority.sign('127.0.0.1'));
      try {
        const headers = { 'X-Api-Key': '${KEY}', Authorization: 'Bearer ${THE_BEARER}' };
        const variables = {
          KEY: SECRETS.header,
          THE_BEARER: SECRETS.bearer,
          NODE_EXTRA_CA_CERTS: folder.write('ca.pem', authority.certificate),
        };
        const client = await session({ web: { type: 'http', url, headers } }, variables, 'web.tell');
        await showsNothing(client, '(tool/web.tell {})', '(tool/web.tell {:fail true})', 'x-api-key');
      } finally {
        server.close();
        server.closeAllConnections();
      }
    }));
});
