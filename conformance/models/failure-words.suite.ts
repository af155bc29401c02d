import { expect } from 'chai';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { withOwnAuthority, type SignedCertificate } from '../servers/http/own-authority.ts';
import { startTlsFront } from '../servers/http/tls-front.ts';
import type { ModelAction } from '../servers/llm/script.ts';
import { startProxyProcess } from '../servers/proxy/process.ts';
import type { ModelServerOptions } from '../servers/llm/server.ts';
import { findings, planted } from './planted.ts';
import { ModelRoom, type ModelApplication } from './room.ts';

/** May stand on no stream, in no envelope and in no trace. */
const KEY = 'sk-pl4nted-key-4711-0815';
const TEAM = planted('team');
const LOGIN = 'ann:pl4nted-login-4711';
const NAME = 'llm.corp.test';

const ECHO = `bad {{credential}} of ${TEAM}`;
const REPORTED = String.raw`bad \[redacted\] of \[redacted\]`;
const said = (status: number, headers: Readonly<Record<string, string>> = {}): ModelAction => ({
  status,
  headers,
  body: { error: { message: ECHO } },
});
const inside = (error: unknown): ModelAction => ({ status: 200, body: { error } });
const NO_TOOLS = 'No endpoints found that support tool use';

/** One way in which a call fails: what the server, the network, TLS or a proxy does. */
interface Row {
  readonly what: string;
  readonly code: string;
  /** Behind `provider small: `. */
  readonly words: RegExp;
  /** Further down; absent: anything. */
  readonly below?: RegExp;
  readonly action?: ModelAction;
  readonly tls?: ModelServerOptions['tls'];
  readonly install?: Readonly<Record<string, unknown>>;
  readonly limits?: Readonly<Record<string, number>>;
  readonly environment?: Readonly<Record<string, string>>;
  /** Where the server is looked for: a place of the suite, or an address; absent: the scripted one by its address. */
  readonly at?: Place | `https://${string}`;
  readonly proxy?: ProxyRow;
}

/** Of ports on loopback: `front` has a certificate of the suite's own authority, and all but `nobody` are named. */
type Place = 'nobody' | 'named' | 'front' | 'mute' | 'plain';

interface ProxyRow {
  /** Words of its process; or an address that is written down as it is. */
  readonly starts?: readonly string[];
  readonly url?: string;
  /** Something else on loopback. */
  readonly place?: 'nobody' | 'rude';
  /** Name of the credential that it is told. */
  readonly binding?: 'login' | 'wrong';
  /** Whether the authority of the server behind it is trusted; absent: it is. */
  readonly isTrusted?: false;
}

const BEHIND = `https://${NAME}` as const;

/** providers.md §5.6, and what a person is told of each (world.md §1.5). */
const TABLE: readonly Row[] = [
  // Statuses.
  { what: '400', action: said(400), code: 'llm_request_invalid', words: RegExp(`^HTTP 400: ${REPORTED}$`) },
  { what: '401', action: said(401), code: 'llm_authentication_failed', words: RegExp(`^HTTP 401: ${REPORTED}$`) },
  { what: '402', action: said(402), code: 'llm_payment_required', words: RegExp(`^HTTP 402: ${REPORTED}$`) },
  { what: '403', action: said(403), code: 'llm_access_denied', words: RegExp(`^HTTP 403: ${REPORTED}$`) },
  { what: '404', action: said(404), code: 'llm_model_not_found', words: RegExp(`^HTTP 404: ${REPORTED}$`) },
  {
    what: '404 for want of tools',
    action: { status: 404, body: { error: { message: NO_TOOLS } } },
    code: 'llm_tool_calling_unsupported',
    words: /^HTTP 404: No endpoints found that support tool use$/,
  },
  {
    what: '400 for want of tools',
    action: { status: 400, body: { error: 'm does not support tools' } },
    code: 'llm_tool_calling_unsupported',
    words: /^HTTP 400: m does not support tools$/,
  },
  { what: '405', action: said(405), code: 'llm_request_invalid', words: RegExp(`^HTTP 405: ${REPORTED}$`) },
  { what: '408', action: said(408), code: 'llm_timeout', words: RegExp(`^HTTP 408: ${REPORTED}$`) },
  { what: '409', action: said(409), code: 'llm_provider_unavailable', words: RegExp(`^HTTP 409: ${REPORTED}$`) },
  { what: '413', action: said(413), code: 'llm_request_invalid', words: RegExp(`^HTTP 413: ${REPORTED}$`) },
  { what: '422', action: said(422), code: 'llm_request_invalid', words: RegExp(`^HTTP 422: ${REPORTED}$`) },
  { what: '425', action: said(425), code: 'llm_provider_unavailable', words: RegExp(`^HTTP 425: ${REPORTED}$`) },
  { what: '429', action: said(429), code: 'llm_rate_limited', words: RegExp(`^HTTP 429: ${REPORTED}$`) },
  {
    what: '429 that says when to come again',
    action: said(429, { 'retry-after': '3600' }),
    code: 'llm_rate_limited',
    words: RegExp(`^HTTP 429: ${REPORTED}$`),
  },
  {
    what: '429 of a quota that is spent',
    action: { status: 429, body: { error: { message: 'You exceeded your quota.', code: 'insufficient_quota' } } },
    code: 'llm_payment_required',
    words: /^HTTP 429: You exceeded your quota\.$/,
  },
  { what: '500', action: said(500), code: 'llm_provider_unavailable', words: RegExp(`^HTTP 500: ${REPORTED}$`) },
  { what: '501', action: said(501), code: 'llm_provider_unavailable', words: RegExp(`^HTTP 501: ${REPORTED}$`) },
  { what: '502', action: said(502), code: 'llm_provider_unavailable', words: RegExp(`^HTTP 502: ${REPORTED}$`) },
  { what: '503', action: said(503), code: 'llm_provider_unavailable', words: RegExp(`^HTTP 503: ${REPORTED}$`) },
  { what: '504', action: said(504), code: 'llm_provider_unavailable', words: RegExp(`^HTTP 504: ${REPORTED}$`) },
  { what: '529', action: said(529), code: 'llm_provider_unavailable', words: RegExp(`^HTTP 529: ${REPORTED}$`) },
  {
    what: 'a redirect',
    action: said(307, { location: 'https://elsewhere.test/v1' }),
    code: 'llm_provider_failed',
    words: RegExp(`^HTTP 307: ${REPORTED}$`),
  },
  // Bodies.
  {
    what: 'a refusal that is a page',
    action: { status: 503, headers: { 'content-type': 'text/html' }, body: `<html>${ECHO}</html>` },
    code: 'llm_provider_unavailable',
    words: /^HTTP 503$/,
  },
  {
    what: 'a refusal that breaks off',
    action: { ...said(401), delivery: { cutAfter: 9 } },
    code: 'llm_authentication_failed',
    words: /^HTTP 401: \{"error":$/,
  },
  {
    what: 'a success that is a rate limit',
    action: inside({ code: 429, message: ECHO }),
    code: 'llm_rate_limited',
    words: RegExp(`^HTTP 200: ${REPORTED}$`),
  },
  {
    what: 'a success that is an error without a code',
    action: inside({ message: ECHO }),
    code: 'llm_provider_unavailable',
    words: RegExp(`^HTTP 200: ${REPORTED}$`),
  },
  {
    what: 'a page instead of JSON',
    action: { fault: 'not_json' },
    code: 'llm_provider_failed',
    words: /^the answer is no JSON$/,
  },
  {
    what: 'nothing instead of JSON',
    action: { fault: 'empty' },
    code: 'llm_provider_failed',
    words: /^the answer is no JSON$/,
  },
  {
    what: 'JSON that is no answer of a model',
    action: { status: 200, body: { hello: 'world' } },
    code: 'llm_provider_failed',
    words: /^the answer is JSON, but not that of a model$/,
  },
  {
    what: 'an answer in gzip',
    action: { fault: 'compressed' },
    code: 'llm_provider_failed',
    words: /^the answer is no JSON$/,
  },
  {
    what: 'more than 4 MiB',
    action: { fault: 'huge' },
    code: 'llm_provider_failed',
    words: /^the answer is too long$/,
  },
  {
    what: 'no usage, where it is promised',
    action: { answer: { text: 'x', usage: null } },
    install: { usage_guarantees: { tokens: true, cost_currency: null } },
    code: 'llm_usage_unavailable',
    words: /^the answer lacks counts of tokens, or a cost, that usage_guarantees promises$/,
  },
  {
    what: 'counts that are none',
    action: { answer: { text: 'x', usage: { input: '7', output: 1 } } },
    code: 'llm_request_invalid',
    words: /^the answer has counts of tokens, or a cost, that are no numbers$/,
  },
  // The network.
  {
    what: 'nobody listens',
    at: 'nobody',
    code: 'llm_provider_unavailable',
    words: /^connection refused \(127\.0\.0\.1:\d+\)$/,
  },
  {
    what: 'a name that means nothing',
    at: 'https://nobody.invalid',
    code: 'llm_provider_failed',
    words: /^name not found.* \(nobody\.invalid\)$/,
  },
  {
    what: 'a reset',
    action: { fault: 'reset' },
    code: 'llm_provider_unavailable',
    words: /^connection closed before the answer was whole$/,
  },
  {
    what: 'a connection that is closed',
    action: { fault: 'half_closed' },
    code: 'llm_provider_unavailable',
    words: /^connection closed before the answer was whole$/,
  },
  {
    what: 'no HTTP',
    action: { fault: 'garbage' },
    code: 'llm_provider_failed',
    words: /^the answer is no HTTP$/,
  },
  {
    what: 'headers without end',
    action: { fault: 'endless_headers' },
    code: 'llm_provider_failed',
    words: /^headers of the answer are too long$/,
  },
  {
    what: 'no answer',
    action: { fault: 'silent' },
    limits: { llm_request_timeout_ms: 300 },
    code: 'llm_timeout',
    words: /^no answer within 300 ms \(llm_request_timeout_ms\)$/,
    below:
      /^ {2}problem: llm_request_timeout_ms is 300 ms, set by the manifest\n {2}remedy: [^\n]* limits\.llm_request_timeout_ms \(at most \d+\) in the manifest$/m,
  },
  {
    what: 'no answer in the time of its installation',
    action: { fault: 'silent' },
    install: { ceilings: { request_timeout_ms: 300 } },
    code: 'llm_timeout',
    words: /^no answer within 300 ms \(request_timeout_ms\)$/,
    below:
      /^ {2}problem: install\.small\.ceilings\.request_timeout_ms is 300 ms, set by the host document\n {2}remedy: [^\n]* in the host document$/m,
  },
  {
    what: 'a credential that ends a line',
    environment: { MODEL_KEY: `${KEY}\nx-more: 1` },
    code: 'llm_authentication_failed',
    words: /^no header can carry a credential$/,
  },
  // TLS.
  {
    what: 'a certificate that signed itself',
    tls: 'untrusted',
    at: 'named',
    code: 'llm_provider_failed',
    words: /^TLS: the certificate is self-signed \(DEPTH_ZERO_SELF_SIGNED_CERT\)$/,
  },
  {
    what: 'an authority that nobody trusts',
    at: 'front',
    code: 'llm_provider_failed',
    words: /^TLS: the certificate is of an authority that is not trusted \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)$/,
  },
  {
    what: 'a certificate that has expired',
    tls: 'expired',
    at: 'named',
    environment: { NODE_EXTRA_CA_CERTS: join(import.meta.dirname, '../servers/http/certificates/authority.pem') },
    code: 'llm_provider_failed',
    words: /^TLS: the certificate has expired \(CERT_HAS_EXPIRED\)$/,
  },
  {
    what: 'a certificate for another name',
    tls: 'wrong-name',
    at: 'named',
    environment: { NODE_EXTRA_CA_CERTS: join(import.meta.dirname, '../servers/http/certificates/authority.pem') },
    code: 'llm_provider_failed',
    words: /^TLS: the certificate is for another name \(ERR_TLS_CERT_ALTNAME_INVALID\)$/,
  },
  {
    what: 'no TLS at all',
    at: 'plain',
    code: 'llm_provider_failed',
    words: /^TLS: (?:wrong version number|packet length too long)$/,
  },
  {
    what: 'a handshake that never ends',
    at: 'mute',
    limits: { llm_request_timeout_ms: 300 },
    code: 'llm_timeout',
    words: /^no answer within 300 ms \(llm_request_timeout_ms\)$/,
  },
  // Proxies.
  {
    what: 'a proxy that asks for a login',
    at: BEHIND,
    proxy: { starts: ['--login', LOGIN] },
    code: 'llm_provider_failed',
    words: /^proxy 127\.0\.0\.1:\d+ answered 407: it asks for a user and a password$/,
  },
  {
    what: 'a proxy that does not take the login',
    at: BEHIND,
    proxy: { starts: ['--login', LOGIN], binding: 'wrong' },
    code: 'llm_provider_failed',
    words: /^proxy 127\.0\.0\.1:\d+ answered 407: it does not take this user and password$/,
  },
  {
    what: 'a proxy that forbids the server',
    at: BEHIND,
    proxy: { starts: ['--login', LOGIN, '--status', '403'], binding: 'login' },
    code: 'llm_provider_failed',
    words: /^proxy 127\.0\.0\.1:\d+ answered 403 for llm\.corp\.test:443$/,
  },
  {
    what: 'a proxy that does not find the server',
    at: 'https://elsewhere.corp.test',
    proxy: { starts: [] },
    code: 'llm_provider_unavailable',
    words: /^proxy 127\.0\.0\.1:\d+ answered 502 for elsewhere\.corp\.test:443$/,
  },
  {
    what: 'a proxy that is not there',
    at: BEHIND,
    proxy: { place: 'nobody' },
    code: 'llm_provider_unavailable',
    words: /^proxy 127\.0\.0\.1:\d+: connection refused \(127\.0\.0\.1:\d+\)$/,
  },
  {
    what: 'a proxy whose name means nothing',
    at: BEHIND,
    proxy: { url: 'http://nobody.invalid:3128' },
    code: 'llm_provider_failed',
    words: /^proxy nobody\.invalid:3128: name not found.* \(nobody\.invalid\)$/,
  },
  {
    what: 'a proxy with a certificate that nobody trusts',
    at: BEHIND,
    proxy: { starts: ['--untrusted-tls'] },
    code: 'llm_provider_failed',
    words: /^proxy 127\.0\.0\.1:\d+: TLS: the certificate is self-signed \(DEPTH_ZERO_SELF_SIGNED_CERT\)$/,
  },
  {
    what: 'a proxy that is none',
    at: BEHIND,
    proxy: { place: 'rude' },
    code: 'llm_provider_failed',
    words: /^proxy 127\.0\.0\.1:\d+: the answer is no HTTP$/,
  },
  {
    what: 'a proxy of the environment that is none of http',
    at: BEHIND,
    proxy: { url: 'environment' },
    environment: { HTTPS_PROXY: `socks5://${LOGIN}@127.0.0.1:1080` },
    code: 'llm_provider_failed',
    words: /^the proxy of the environment has no address with http or https$/,
  },
  {
    what: 'a server behind a proxy whose certificate nobody trusts',
    at: BEHIND,
    proxy: { starts: [], isTrusted: false },
    code: 'llm_provider_failed',
    words: /^TLS: the certificate is of an authority that is not trusted \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)$/,
  },
];

/** Its requests have tools. */
const AGENT = {
  workflow: {
    components: [{ library: 'agent.core' }, { id: 'main', path: 'main.clj', dependencies: ['agent.core'] }],
    entry: 'main/run',
  },
  missions: { default: {} },
};
const TRACES = 'traces';

describe('failures of models: their codes, and what a person reads (providers.md §5.6, world.md §1.5)', () => {
  let room: ModelRoom;
  let authority = '';
  let certificate: SignedCertificate;
  before(async () => {
    await withOwnAuthority(async (own) => {
      authority = own.certificate;
      certificate = await own.sign(NAME, 'localhost');
    });
  });
  const closing: (() => Promise<unknown>)[] = [];
  beforeEach(async () => {
    room = await ModelRoom.open();
    await mkdir(join(room.directory, TRACES));
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    await room.close();
  });

  async function listening(onConnection: (socket: Socket) => void): Promise<number> {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => undefined));
      onConnection(socket);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    });
    const address = server.address();
    return typeof address === 'object' ? (address?.port ?? 0) : 0;
  }

  async function nobody(): Promise<number> {
    const port = await listening((socket) => void socket.destroy());
    await closing.pop()?.();
    return port;
  }

  async function frontPort(): Promise<number> {
    const front = await startTlsFront(certificate, room.server.port);
    closing.push(async () => front.close());
    return front.port;
  }

  async function baseOf(at: Row['at']): Promise<string> {
    switch (at) {
      case undefined:
        return room.server.url;
      case 'nobody':
        return `http://127.0.0.1:${String(await nobody())}`;
      case 'named':
        return `https://localhost:${String(room.server.port)}`;
      case 'front':
        return `https://localhost:${String(await frontPort())}`;
      case 'plain':
        return `https://localhost:${String(await listening((socket) => void socket.write('HTTP/1.1 400 No\r\n\r\n')))}`;
      case 'mute':
        return `https://localhost:${String(await listening((socket) => void socket.resume()))}`;
      default:
        return at;
    }
  }

  async function proxyUrl({ starts, url, place }: ProxyRow): Promise<string> {
    if (url !== undefined) return url;
    if (place === 'nobody') return `http://127.0.0.1:${String(await nobody())}`;
    if (place === 'rude')
      return `http://127.0.0.1:${String(await listening((socket) => void socket.write('SSH-2.0-x\r\n\r\n')))}`;
    const proxy = await startProxyProcess(...(starts ?? []), '--server', `${NAME}=${String(await frontPort())}`);
    closing.push(async () => proxy.close());
    return proxy.url;
  }

  async function networkOf(proxy: ProxyRow | undefined): Promise<object> {
    if (proxy === undefined) return {};
    const url = await proxyUrl(proxy);
    const { binding, isTrusted = true } = proxy;
    return {
      proxy: binding === undefined ? url : { url, binding },
      ...(isTrusted && { ca_file: 'corp.pem' }),
    };
  }

  const CREDENTIALS = {
    key: { env: 'MODEL_KEY' },
    team: { literal: TEAM },
    login: { literal: LOGIN },
    wrong: { literal: `${LOGIN}-not` },
  };

  /** The host document of a row, and beside it an agent, which ends with the code of its model's failure. */
  async function applicationOf({ at, proxy, install, limits }: Row): Promise<ModelApplication> {
    const small = room.model({
      model: `openai-compat:${await baseOf(at)}/v1|m`,
      headers: { 'x-team': { binding: 'team' } },
      ...install,
    });
    const host = { credentials: CREDENTIALS, install: { small }, network: await networkOf(proxy) };
    return {
      manifest: AGENT,
      limits: limits ?? {},
      files: {
        'main.clj': '(ns main) (defn run [input] (agent.core/run "Work." {"mode" "tools"}))',
        'svc-host.json': JSON.stringify(host),
        'corp.pem': authority,
      },
      options: ['--trace-dir', TRACES],
    };
  }

  it('are 44 at least', () => {
    expect(TABLE.length).to.be.at.least(44);
    expect(new Set(TABLE.map(({ what }) => what)).size).to.equal(TABLE.length);
  });

  for (const row of TABLE) {
    it(`${row.what}: ${row.code}`, async () => {
      const { action = { answer: { text: 'well' } }, tls, environment, code, words, below = /^/ } = row;
      await room.serve([{ times: 'any', action }], tls === undefined ? {} : { tls });
      const report = await room.run({
        ...(await applicationOf(row)),
        environment: { MODEL_KEY: KEY, ...environment },
      });
      expect(report.status, report.stderr).to.equal(5);
      expect(report.envelope['error']).to.deep.include({ code, phase: 'execution', subject: null });
      const [, reported = report.stderr] = /^provider small: (.*)$/m.exec(report.stderr) ?? [];
      expect(reported).to.match(words);
      expect(report.stderr).to.match(below);
      const traces = [...(await room.everything())].filter(([path]) => path.includes(`/${TRACES}/`));
      expect(traces).to.have.length(1);
      const all = new Map([
        ...traces,
        ['stdout', report.stdout],
        ['stderr', report.stderr],
        ['envelope', JSON.stringify(report.envelope)],
      ]);
      expect(findings({ key: KEY, team: TEAM, login: LOGIN }, all)).to.deep.equal([]);
      // What never left this machine for the server costs nothing, and what the server is told is told once.
      expect(room.server.requests.length).to.be.at.most(1);
    });
  }
});
