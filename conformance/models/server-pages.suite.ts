/**
 * The pages about Azure OpenAI and about proxies, tried as they stand: their host documents ask servers by their own
 * names, to which a proxy on loopback leads.
 */
import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withOwnAuthority, type SignedCertificate } from '../servers/http/own-authority.ts';
import { startTlsFront } from '../servers/http/tls-front.ts';
import { azureOpenAi } from '../servers/llm/vendors/azure.ts';
import { COMPATIBLE } from '../servers/llm/vendors/compatible.ts';
import { startVendor, type VendorServer } from '../servers/llm/vendors/server.ts';
import type { VendorFake } from '../servers/llm/vendors/vendor.ts';
import { startProxyProcess, type ProxyProcess } from '../servers/proxy/process.ts';
import { ModelRoom, MODEL_SECRET, type ModelApplication, type ModelReport } from './room.ts';

type Members = Readonly<Record<string, unknown>>;
interface HostFile {
  readonly install: { readonly model: Members };
  readonly credentials: Members;
  readonly network?: Members;
}

const LOGIN = 'ann:s3cret-4711';
const AZURE = 'my-resource.openai.azure.com';
const CORP = 'llm.corp.example';

const pageOf = async (name: string): Promise<string> =>
  readFile(join(import.meta.dirname, `../../docs/guides/${name}.md`), 'utf8');
const hostsOn = (page: string): readonly HostFile[] =>
  [...page.matchAll(/^```json\n([^]*?)^```$/gm)].map(([, text = '']) => JSON.parse(text));

/** What the program says of each mistake, by the first cell of its row. */
function saysOn(page: string): ReadonlyMap<string, readonly string[]> {
  const rows = page
    .slice(page.indexOf('| What is wrong |'))
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1);
  return new Map(
    rows.map((row) => {
      const [, what = '', says = ''] = row.split(/ ?\| ?/);
      return [what, [...says.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text)] as const;
    }),
  );
}

const AGENT = {
  workflow: {
    components: [{ library: 'agent.core' }, { id: 'main', path: 'main.clj', dependencies: ['agent.core'] }],
    entry: 'main/run',
  },
  missions: { default: {} },
  providers: { workflow: [{ name: 'model' }] },
};
const ASKING = '(ns main) (defn run [input] (tool/llm-request {:messages [{:role "user" :content "hi"}]}))';
const WORKING = '(ns main) (defn run [input] (agent.core/run "Work." {}))';

describe('pages about servers of one’s own, as they stand (world.md §1.6)', () => {
  let room: ModelRoom;
  let authority = '';
  let certificate: SignedCertificate;
  before(async () => {
    await withOwnAuthority(async (own) => {
      authority = own.certificate;
      certificate = await own.sign(AZURE, CORP);
    });
  });
  const closing: (() => Promise<unknown>)[] = [];
  beforeEach(async () => {
    room = await ModelRoom.open();
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    await room.close();
  });

  /** A vendor's fake over TLS, and a proxy that leads to it by this name. */
  async function startBehindProxy(
    name: string,
    fake: VendorFake,
    ...words: readonly string[]
  ): Promise<{ readonly server: VendorServer; readonly proxy: ProxyProcess }> {
    const server = await startVendor(fake, [{ text: 'well' }]);
    const front = await startTlsFront(certificate, server.port);
    const proxy = await startProxyProcess(...words, '--server', `${name}=${String(front.port)}`);
    closing.push(
      async () => proxy.close(),
      async () => front.close(),
      async () => server.close(),
    );
    return { server, proxy };
  }

  async function run(host: HostFile, program: string, more: Partial<ModelApplication> = {}): Promise<ModelReport> {
    return room.run({
      select: [{ name: 'model' }],
      ...(program === WORKING && { manifest: AGENT }),
      ...more,
      files: {
        'main.clj': program,
        'svc-host.json': JSON.stringify(host),
        'corp-ca.pem': authority,
        ...more.files,
      },
    });
  }

  function expectPages(
    { stderr }: ModelReport,
    texts: readonly string[] | undefined,
    places: Readonly<Record<string, string>> = {},
  ) {
    expect(texts?.length ?? 0, 'the page has this row').to.be.greaterThan(0);
    for (const text of texts ?? []) {
      const here = Object.entries(places).reduce((all, [name, place]) => all.replaceAll(name, place), text);
      for (const piece of here.split('...')) expect(stderr).to.include(piece.trim());
    }
  }

  describe('Azure OpenAI', () => {
    const FAKE = azureOpenAi({
      key: MODEL_SECRET,
      deployments: { 'my-deployment': 'gpt-4.1-mini', 'my-reasoner': 'gpt-5.6-sol' },
    });
    const environment = { AZURE_OPENAI_API_KEY: MODEL_SECRET };
    let hosts: readonly HostFile[] = [];
    let says: ReadonlyMap<string, readonly string[]> = new Map();
    let server: VendorServer;
    let network: Members = {};
    before(async () => {
      const page = await pageOf('azure-openai');
      [hosts, says] = [hostsOn(page), saysOn(page)];
    });
    beforeEach(async () => {
      const reached = await startBehindProxy(AZURE, FAKE);
      server = reached.server;
      network = { proxy: reached.proxy.url, ca_file: 'corp-ca.pem' };
    });

    const host = (at: number, change: (model: Members) => Members = (model) => model): HostFile => {
      const found = hosts[at] ?? expect.fail('the page has three host documents');
      return { ...found, install: { model: change(found.install.model) }, network };
    };
    const without =
      (name: string) =>
      (model: Members): Members =>
        Object.fromEntries(Object.entries(model).filter(([member]) => member !== name));

    for (const [at, what] of [
      [0, 'its v1 API'],
      [1, 'Responses'],
      [2, 'a dated api-version'],
    ] as const) {
      it(`is asked by ${what}`, async () => {
        const report = await run(host(at), ASKING, { environment });
        expect(report.status, report.stderr).to.equal(0);
        expect(report.value).to.have.nested.property('value.content', 'well');
        expect(server.exchanges.map(({ refusal }) => refusal)).to.deep.equal([null]);
      });
    }

    it('is asked with a token of Entra ID where auth is left out', async () => {
      const report = await run(host(0, without('auth')), ASKING, { environment });
      expect(report.status, report.stderr).to.equal(0);
      expect(server.exchanges[0]?.headers).to.have.property('authorization');
    });

    const mistakes: Readonly<Record<string, () => readonly [HostFile, Partial<ModelApplication>?]>> = {
      'a key of another resource': () => [host(0), { environment: { AZURE_OPENAI_API_KEY: 'of-another-resource' } }],
      "the model's name instead of the deployment's": () => [
        host(0, (model) => ({ ...model, model: String(model['model']).replace('my-deployment', 'gpt-4.1-mini') })),
      ],
      '`api-version` beside `/openai/v1`': () => [
        host(0, (model) => ({ ...model, query: { 'api-version': '2024-10-21' } })),
      ],
      'no `api-version` beside `/openai/deployments/`': () => [host(2, without('query'))],
      'a model that reasons, without `max_tokens_field`': () => [
        host(0, (model) => ({
          ...without('max_tokens_field')(model),
          model: String(model['model']).replace('my-deployment', 'my-reasoner'),
        })),
      ],
      '`authorization` in `headers`, without `auth`': () => [
        host(0, (model) => ({ ...without('auth')(model), headers: { authorization: 'Bearer x' } })),
      ],
    };
    it('has these mistakes in its table', () => {
      expect([...says.keys()]).to.deep.equal(Object.keys(mistakes));
    });
    for (const [what, mistake] of Object.entries(mistakes)) {
      it(`says of ${what} what the page says`, async () => {
        const [file, more] = mistake();
        expectPages(await run(file, WORKING, { environment, ...more }), says.get(what));
      });
    }
  });

  describe('a company’s proxy', () => {
    const environment = { LLM_API_KEY: MODEL_SECRET, PROXY_LOGIN: LOGIN };
    let hosts: readonly HostFile[] = [];
    let says: ReadonlyMap<string, readonly string[]> = new Map();
    before(async () => {
      const page = await pageOf('corporate-proxy');
      [hosts, says] = [hostsOn(page), saysOn(page)];
    });
    const host = (at: number, network: Members = {}): HostFile => {
      const found = hosts[at] ?? expect.fail('the page has two host documents');
      return { ...found, network: { ...found.network, ...network } };
    };

    it('is that of the shell', async () => {
      const { server, proxy } = await startBehindProxy(CORP, COMPATIBLE, '--login', LOGIN);
      const shell = { ...environment, HTTPS_PROXY: proxy.url.replace('http://', `http://${LOGIN}@`) };
      const report = await run(host(0), ASKING, { environment: shell });
      expect(report.status, report.stderr).to.equal(0);
      expect(report.value).to.have.nested.property('value.content', 'well');
      expect(server.exchanges).to.have.length(1);
      expect(proxy.tunnels).to.deep.equal([{ authority: `${CORP}:443`, hasLogin: true, status: 200 }]);
    });

    it('is named, with a login', async () => {
      const { proxy } = await startBehindProxy(CORP, COMPATIBLE, '--login', LOGIN);
      const report = await run(host(1, { proxy: { url: proxy.url, binding: 'login' } }), ASKING, { environment });
      expect(report.status, report.stderr).to.equal(0);
      expect(proxy.tunnels).to.deep.equal([{ authority: `${CORP}:443`, hasLogin: true, status: 200 }]);
    });

    it('is tried by doctor', async () => {
      const { proxy } = await startBehindProxy(CORP, COMPATIBLE);
      const argv = ['doctor', 'svc.json', '--host-config', 'svc-host.json', '--connect'];
      const report = await run(host(0, { proxy: proxy.url }), ASKING, { environment, argv });
      expect(report.status, report.stderr).to.equal(0);
      expect(proxy.tunnels).to.have.length(1);
    });

    it('is left out by NO_PROXY, and without network.proxy', async () => {
      const { proxy } = await startBehindProxy(CORP, COMPATIBLE);
      for (const [file, shell] of [
        [host(0), { NO_PROXY: '.corp.example' }],
        [{ ...host(0), network: { ca_file: 'corp-ca.pem' } }, {}],
      ] as const) {
        const report = await run(file, WORKING, { environment: { ...environment, HTTPS_PROXY: proxy.url, ...shell } });
        expect(report.stderr).to.match(/^provider model: name not found/m);
      }
      expect(proxy.tunnels).to.deep.equal([]);
    });

    interface Mistake {
      readonly proxy?: readonly string[];
      readonly network?: (url: string) => Members;
      readonly environment?: Readonly<Record<string, string>>;
    }
    const mistakes: Readonly<Record<string, Mistake>> = {
      'the proxy wants a login': { proxy: ['--login', LOGIN] },
      'a wrong password': {
        proxy: ['--login', LOGIN],
        network: (url) => ({ proxy: { url, binding: 'login' } }),
        environment: { PROXY_LOGIN: 'ann:wrong' },
      },
      'the proxy forbids the server': { proxy: ['--status', '403'] },
      'the proxy cannot reach the server': { proxy: ['--status', '502'] },
      'no proxy at all is named, and nothing else leads out': { network: () => ({ proxy: undefined }) },
      "the company's authority is not trusted": { network: (url) => ({ proxy: url, ca_file: undefined }) },
      'the file is not there, or no certificate': { network: (url) => ({ proxy: url, ca_file: 'nowhere.pem' }) },
    };
    it('has these mistakes in its table', () => {
      expect([...says.keys()]).to.deep.equal(Object.keys(mistakes));
    });
    for (const [what, mistake] of Object.entries(mistakes)) {
      it(`says of ${what} what the page says`, async () => {
        const { proxy } = await startBehindProxy(CORP, COMPATIBLE, ...(mistake.proxy ?? []));
        const network = mistake.network?.(proxy.url) ?? { proxy: proxy.url };
        const report = await run(host(1, network), WORKING, {
          environment: { ...environment, ...mistake.environment },
        });
        const [first = '', ...others] = says.get(what) ?? [];
        const place = proxy.url.slice('http://'.length);
        // A row that says `or` has what depends on the network behind it.
        expectPages(report, first.startsWith('name not found') ? ['name not found'] : [first, ...others], {
          'proxy.corp.example:3128': place,
        });
      });
    }

    it('says of a file that holds no certificate what it is', async () => {
      const report = await run(host(0), WORKING, { environment, files: { 'corp-ca.pem': 'hello\n' } });
      expect(report.envelope).to.have.nested.property('error.code', 'environment_unavailable');
      expect(report.stderr).to.include('the file of network.ca_file holds no certificates as PEM');
    });
  });
});
