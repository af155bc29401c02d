import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withOwnAuthority, type SignedCertificate } from '../servers/http/own-authority.ts';
import { startTlsFront } from '../servers/http/tls-front.ts';
import type { HttpAction, HttpStep } from '../servers/mcp-http/script.ts';
import { startToolServer, type ToolServer } from '../servers/mcp-http/server.ts';
import { startProxyProcess, type ProxyProcess } from '../servers/proxy/process.ts';
import { DISCOVERED, LOOK_UP, TOOL_SECRET, TERMS, runTools, textResult, type ToolReport } from './room.ts';

type Members = Readonly<Record<string, unknown>>;

const NAME = 'tools.corp.test';
const LOGIN = 'ann:pl4nted-login-4711';
const answers = (method: string, action: HttpAction): HttpStep => ({ match: { method }, action });
const SCRIPT: readonly HttpStep[] = [
  answers('server/discover', { result: DISCOVERED }),
  answers('tools/list', { result: { ...TERMS, tools: [LOOK_UP] } }),
  answers('tools/call', { result: textResult('sunny') }),
];

describe('a server of tools behind a proxy, with an authority of its own (world.md §1.6)', () => {
  let folder = '';
  let certificate: SignedCertificate;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-tools-proxy-'));
    await withOwnAuthority(async (own) => {
      await writeFile(join(folder, 'corp.pem'), own.certificate);
      certificate = await own.sign(NAME);
    });
  });
  after(async () => rm(folder, { recursive: true, force: true }));
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  async function run(
    words: readonly string[],
    network: (url: string) => Members,
    look: (report: ToolReport, server: ToolServer, proxy: ProxyProcess) => void,
    environment: (url: string) => Readonly<Record<string, string>> = () => ({}),
  ): Promise<void> {
    const server = await startToolServer({ script: SCRIPT });
    const front = await startTlsFront(certificate, server.port);
    const proxy = await startProxyProcess(...words, '--server', `${NAME}=${String(front.port)}`);
    closing.push(
      async () => proxy.close(),
      async () => front.close(),
      async () => server.close(),
    );
    const auth = [{ scheme: 'bearer', binding: 'key' }];
    await runTools(
      {
        script: { steps: [] },
        installation: { transport: { type: 'streamable_http', endpoint: `https://${NAME}/mcp`, auth } },
        host: {
          credentials: { key: { literal: TOOL_SECRET }, login: { literal: LOGIN } },
          network: network(proxy.url),
        },
        environment: environment(proxy.url),
      },
      (report) => {
        look(report, server, proxy);
        const { stdout, stderr, envelope } = report;
        for (const text of [stdout, stderr, JSON.stringify(envelope)]) {
          expect(text).not.to.include(TOOL_SECRET);
          expect(text).not.to.include(LOGIN);
        }
      },
    );
  }

  const trusted = (proxy: unknown): Members => ({ proxy, ca_file: join(folder, 'corp.pem') });
  const isSunny = (hasLogin: boolean) => (report: ToolReport, server: ToolServer, proxy: ProxyProcess) => {
    expect(report.status, report.stderr).to.equal(0);
    expect(report.value).to.deep.equal({ status: 'ok', value: { text: ['sunny'] } });
    expect(server.requests).to.have.length(3);
    expect(proxy.tunnels).to.deep.equal(
      Array.from({ length: 3 }, () => ({ authority: `${NAME}:443`, hasLogin, status: 200 })),
    );
  };

  it('is asked through the proxy that the host document names', async () => {
    await run([], trusted, isSunny(false));
  });

  it('is asked with a login', async () => {
    await run(['--login', LOGIN], (url) => trusted({ url, binding: 'login' }), isSunny(true));
  });

  it('is asked through the proxy of the environment', async () => {
    await run(
      ['--login', LOGIN],
      () => trusted('environment'),
      isSunny(true),
      (url) => ({ https_proxy: url.replace('http://', `http://${LOGIN}@`) }),
    );
  });

  for (const variable of ['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS']) {
    it(`is trusted by ${variable}`, async () => {
      await run(
        [],
        (proxy) => ({ proxy }),
        isSunny(false),
        () => ({ [variable]: join(folder, 'corp.pem') }),
      );
    });
  }

  it('is not reached where the proxy asks for a login', async () => {
    await run(['--login', LOGIN], trusted, ({ status, envelope }, { requests }) => {
      expect(status).not.to.equal(0);
      expect(envelope).to.have.nested.property('error.code', 'provider_unavailable');
      expect(requests).to.deep.equal([]);
    });
  });

  it('is not spoken to where its authority is not trusted', async () => {
    await run(
      [],
      (proxy) => ({ proxy }),
      ({ envelope }, { requests }) => {
        expect(envelope).to.have.nested.property('error.code', 'provider_endpoint_tls_failed');
        expect(requests).to.deep.equal([]);
      },
    );
  });

  it('is not opened with a file that is not there', async () => {
    await run(
      [],
      (proxy) => ({ proxy, ca_file: 'nowhere.pem' }),
      ({ envelope, stderr }, _, { tunnels }) => {
        expect(envelope).to.have.nested.property('error.code', 'environment_unavailable');
        expect(stderr).to.include('the file of network.ca_file cannot be read');
        expect(tunnels).to.deep.equal([]);
      },
    );
  });
});
