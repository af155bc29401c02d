import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { Agent, request } from 'undici';
import { withOwnAuthority, type OwnAuthority } from '../../../conformance/servers/http/own-authority.ts';
import { startTlsFront, type TlsFront } from '../../../conformance/servers/http/tls-front.ts';
import { listen, type Listening } from '../../../conformance/servers/http/listen.ts';
import { startProxy, type ProxyOptions, type ProxyServer } from '../../../conformance/servers/proxy/proxy.ts';
import { until } from '../../../conformance/until.ts';
import type { Network } from '../../../contract/provider-protocol/network.ts';
import { connecting } from '../../http/connector.ts';
import { dial, systemDial } from '../../http/dial.ts';
import { networkWords } from '../../http/network-words.ts';

const NAME = 'llm.corp.test';

describe('a server behind a proxy (world.md §1.6)', () => {
  let authority: OwnAuthority;
  let end: () => void = () => undefined;
  let ended: Promise<unknown>;
  let server: Listening;
  let front: TlsFront;
  let proxy: ProxyServer;
  before(async () => {
    const { promise: made, resolve: make } = Promise.withResolvers<OwnAuthority>();
    ended = withOwnAuthority(async (own) => {
      make(own);
      await new Promise<void>((resolve) => {
        end = resolve;
      });
    });
    authority = await made;
    server = await listen({}, async ({ response }) => void response.end('well'));
    front = await startTlsFront(await authority.sign(NAME), server.port);
  });
  after(async () => {
    await front.close();
    await server.close();
    end();
    await ended;
  });
  afterEach(async () => proxy.close());

  const open = async (options: ProxyOptions = {}): Promise<ProxyServer> =>
    (proxy = await startProxy({ servers: { [NAME]: front.port }, ...options }));
  const network = (url: string, more: Partial<Network['proxy']> = {}, trusted = true): Network => ({
    authorities: trusted ? authority.certificate : null,
    proxy: { url, login: null, exceptions: null, ...more },
  });
  const plain = (): string => `http://127.0.0.1:${String(proxy.port)}`;

  /** By the connector of models, and by the one of tools: the text of an answer, or what went wrong. */
  const ways: Readonly<Record<string, (way: Network) => Promise<string>>> = {
    'the connector of models': async (way) => {
      const agent = new Agent({ connect: (options, callback) => void connecting(options, way, callback) });
      try {
        return await (await request(`https://${NAME}/v1`, { dispatcher: agent })).body.text();
      } catch (error) {
        return networkWords(error);
      } finally {
        await agent.destroy();
      }
    },
    'the connector of tools': async (way) => {
      const signal = AbortSignal.timeout(10_000);
      const dialled = await dial(new URL(`https://${NAME}/v1`), systemDial(way), signal, () => true);
      if (!dialled.ok) return dialled.said ?? dialled.fault;
      dialled.socket.write(`GET /v1 HTTP/1.1\r\nHost: ${NAME}\r\nConnection: close\r\n\r\n`);
      const pieces: Buffer[] = [];
      for await (const piece of dialled.socket) if (Buffer.isBuffer(piece)) pieces.push(piece);
      return Buffer.concat(pieces).toString();
    },
  };

  for (const [way, ask] of Object.entries(ways)) {
    describe(way, () => {
      it('is led there by name, which only the proxy has to know', async () => {
        await open();
        expect(await ask(network(plain()))).to.include('well');
        expect(proxy.tunnels).to.deep.equal([{ authority: `${NAME}:443`, hasLogin: false, status: 200 }]);
      });

      it('logs in', async () => {
        await open({ login: 'ann:s3cret' });
        expect(await ask(network(plain(), { login: 'ann:s3cret' }))).to.include('well');
        expect(proxy.tunnels.map(({ hasLogin }) => hasLogin)).to.deep.equal([true]);
      });

      it('goes by a proxy that is spoken to over TLS', async () => {
        await open({ tls: await authority.sign('127.0.0.1') });
        expect(await ask(network(`https://127.0.0.1:${String(proxy.port)}`))).to.include('well');
      });

      it('says that it was the proxy, which one, and what a person can do', async () => {
        const place = () => `proxy 127.0.0.1:${String(proxy.port)}`;
        await open({ login: 'ann:s3cret' });
        expect(await ask(network(plain()))).to.equal(`${place()} answered 407: it asks for a user and a password`);
        expect(await ask(network(plain(), { login: 'ann:wrong' }))).to.equal(
          `${place()} answered 407: it does not take this user and password`,
        );
        await proxy.close();
        expect(await ask(network(plain()))).to.equal(
          `${place()}: connection refused (127.0.0.1:${String(proxy.port)})`,
        );
        await open({ status: 403 });
        expect(await ask(network(plain()))).to.equal(`${place()} answered 403 for ${NAME}:443`);
        await proxy.close();
        await open({ servers: {} });
        expect(await ask(network(plain()))).to.equal(`${place()} answered 502 for ${NAME}:443`);
        await proxy.close();
        await open({ tls: await authority.sign('elsewhere.test') });
        expect(await ask(network(`https://127.0.0.1:${String(proxy.port)}`))).to.equal(
          `${place()}: TLS: the certificate is for another name (ERR_TLS_CERT_ALTNAME_INVALID)`,
        );
        expect(await ask(network('http://nobody.invalid:3128'))).to.match(
          /^proxy nobody\.invalid:3128: name not found/,
        );
        expect(await ask(network('socks5://127.0.0.1:1080'))).to.equal(
          'the proxy of the environment has no address with http or https',
        );
      });

      it('does not blame the proxy for a certificate of the server', async () => {
        await open();
        expect(await ask(network(plain(), {}, false))).to.match(/^TLS: the certificate is of an authority that/);
      });

      it('says what is no proxy, and ends every socket', async () => {
        await open();
        const sockets = new Set<Socket>();
        const rude = createServer((socket) => {
          sockets.add(socket);
          socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
          socket.once('data', () => socket.write('SSH-2.0-OpenSSH_9.6\r\n\r\n'));
        }).listen(0, '127.0.0.1');
        await once(rude, 'listening');
        const address = rude.address();
        const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
        expect(await ask(network(`http://127.0.0.1:${String(port)}`))).to.equal(
          `proxy 127.0.0.1:${String(port)}: the answer is no HTTP`,
        );
        rude.close();
        await once(rude, 'close');
        await until('the end of every socket', () => (sockets.size === 0 ? true : undefined));
      });
    });
  }

  it('is not dialled where its address is written out and not admitted', async () => {
    await open();
    const dialled = await dial(
      new URL('https://10.0.0.1/'),
      systemDial(network(plain())),
      AbortSignal.timeout(10_000),
      () => false,
    );
    expect(dialled).to.include({ ok: false, fault: 'denied' });
    expect(proxy.tunnels).to.deep.equal([]);
  });

  it('is given up at any moment', async () => {
    await open();
    const mute = createServer((socket) => void socket.on('error', () => undefined).resume()).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const address = mute.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const way = network(`http://127.0.0.1:${String(port)}`);
    const stop = new AbortController();
    mute.once('connection', () => stop.abort());
    expect(await dial(new URL(`https://${NAME}`), systemDial(way), stop.signal)).to.include({ fault: 'stopped' });
    const { promise: failed, resolve } = Promise.withResolvers<Error | null>();
    const on = connecting({ protocol: 'https:', hostname: NAME, port: '443', servername: NAME }, way, (...[error]) =>
      resolve(error),
    );
    mute.once('connection', () => on.destroy());
    expect(networkWords(await failed)).to.match(/connection closed/);
    mute.close();
    await once(mute, 'close');
  });
});
