import { expect } from 'chai';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, Socket, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { CERTIFICATES, listen, type Certificate, type Listening } from '../../../conformance/servers/http/listen.ts';
import { dial, type Dialled, type DialTools } from '../../http/dial.ts';
import { openSocket } from '../../http/race.ts';
import { resolveBySystem } from '../../http/resolve.ts';

const never = new AbortController().signal;
/** Some containers have no loopback of the newer kind. */
const hasV6 = Object.values(networkInterfaces())
  .flat()
  .some((own) => own?.address === '::1');

describe('a connection to an origin (providers.md §8)', () => {
  let authority = '';
  before(async () => {
    authority = await readFile(join(CERTIFICATES, 'authority.pem'), 'utf8');
  });
  let dialled: Dialled | null = null;
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    if (dialled?.ok === true) dialled.socket.destroy();
    dialled = null;
    for (const close of closing.splice(0)) await close();
  });

  const tools = (changes: Partial<DialTools> = {}): DialTools => ({
    resolve: resolveBySystem,
    open: openSocket,
    authorities: () => [authority],
    ...changes,
  });
  const to = async (
    url: string,
    changes: Partial<DialTools> = {},
    signal = never,
    admits: ((address: string) => boolean) | null = null,
  ): Promise<string> => {
    dialled = await dial(new URL(url), tools(changes), signal, admits);
    return dialled.ok ? `connected to ${dialled.socket.remoteAddress}` : dialled.fault;
  };
  async function serving(
    options: { readonly tls?: Certificate; readonly host?: '127.0.0.1' | '::1' } = {},
  ): Promise<Listening> {
    const server = await listen(options, async ({ response }) => void response.end());
    closing.push(async () => server.close());
    return server;
  }
  /** A port that nobody listens at. */
  async function deadPort(): Promise<number> {
    const { port, close } = await serving();
    closing.pop();
    await close();
    return port;
  }

  it('is made by a literal address of either kind, and by a name', async () => {
    const four = await serving();
    expect(await to(four.url)).to.equal('connected to 127.0.0.1');
    if (hasV6) expect(await to((await serving({ host: '::1' })).url)).to.equal('connected to ::1');
    expect(await to(`http://server.test:${four.port}`, { resolve: async () => ['127.0.0.1'] })).to.equal(
      'connected to 127.0.0.1',
    );
  });

  it('is made to whichever address answers', async () => {
    const { port } = await serving();
    expect(
      await to(`http://server.test:${port}`, { resolve: async () => ['::1', '127.0.0.1'] }),
      'one refuses',
    ).to.equal('connected to 127.0.0.1');
    const opened: Socket[] = [];
    const open: DialTools['open'] = (address, at) => {
      const socket = address === '::1' ? new Socket() : openSocket(address, at);
      opened.push(socket);
      return socket;
    };
    expect(
      await to(`http://server.test:${port}`, { resolve: async () => ['::1', '127.0.0.1'], open }),
      'one never answers',
    ).to.equal('connected to 127.0.0.1');
    expect(opened.map(({ destroyed }) => destroyed)).to.deep.equal([true, false]);
  });

  it('tries at most eight addresses of each kind, in turn', async () => {
    const tried: string[] = [];
    const open: DialTools['open'] = (address) => {
      tried.push(address);
      const socket = new Socket();
      setImmediate(() => socket.destroy(Object.assign(new Error('no'), { code: 'ECONNREFUSED' })));
      return socket;
    };
    const many = (count: number): readonly string[] =>
      Array.from({ length: count }, (_, at) => [`10.0.0.${at}`, `fd00::${at}`]).flat();
    expect(await to('http://server.test', { resolve: async () => many(9), open })).to.equal('refused');
    expect(tried).to.have.length(16);
    expect(tried.slice(0, 4)).to.deep.equal(['fd00::0', '10.0.0.0', 'fd00::1', '10.0.0.1']);
    expect(tried).not.to.include('10.0.0.8');
  });

  it('fails as what it is', async () => {
    const port = await deadPort();
    expect(await to(`http://127.0.0.1:${port}`)).to.equal('refused');
    expect(
      await to(`http://server.test:${port}`, { resolve: async () => ['127.0.0.1', hasV6 ? '::1' : '127.0.0.1'] }),
    ).to.equal('refused');
    expect(await to('http://server.test', { resolve: async () => Promise.reject(new Error('ENOTFOUND')) })).to.equal(
      'unresolved',
    );
    expect(await to('http://server.test', { resolve: async () => [] })).to.equal('unresolved');
    const open: DialTools['open'] = (address, at) => {
      if (address === '127.0.0.1') return openSocket(address, at);
      const socket = new Socket();
      setImmediate(() => socket.destroy(Object.assign(new Error('no'), { code: 'ENETUNREACH' })));
      return socket;
    };
    expect(
      await to(`http://server.test:${port}`, { resolve: async () => ['127.0.0.1', '10.0.0.1'], open }),
      'several reasons',
    ).to.equal('unconnected');
  });

  describe('that is told which addresses it may have', () => {
    it('connects to none unless all may be', async () => {
      const { port, connections } = await serving();
      const admits = (address: string): boolean => address === '127.0.0.1';
      const resolving = (...addresses: readonly string[]): Partial<DialTools> => ({ resolve: async () => addresses });
      expect(await to(`http://server.test:${port}`, resolving('127.0.0.1'), never, admits)).to.equal(
        'connected to 127.0.0.1',
      );
      expect(await to(`http://server.test:${port}`, resolving('127.0.0.1', '::1'), never, admits)).to.equal('denied');
      expect(
        await to(
          `http://server.test:${port}`,
          resolving(...Array.from({ length: 16 }, () => '127.0.0.1')),
          never,
          admits,
        ),
      ).to.equal('connected to 127.0.0.1');
      expect(
        await to(
          `http://server.test:${port}`,
          resolving(...Array.from({ length: 17 }, () => '127.0.0.1')),
          never,
          admits,
        ),
      ).to.equal('denied');
      expect(await to(`http://127.0.0.1:${port}`, {}, never, () => false)).to.equal('denied');
      expect(connections()).to.equal(2);
    });

    it('speaks to no other peer', async () => {
      const { port } = await serving();
      expect(
        await to(
          'http://server.test',
          { resolve: async () => ['8.8.8.8'], open: () => openSocket('127.0.0.1', port) },
          never,
          () => true,
        ),
      ).to.equal('denied');
    });

    if (hasV6)
      it('knows its peer in whatever form it is written', async () => {
        const { port } = await serving({ host: '::1' });
        expect(
          await to(`http://server.test:${port}`, { resolve: async () => ['0:0:0:0:0:0:0:1'] }, never, () => true),
        ).to.equal('connected to ::1');
      });
  });

  describe('over TLS', () => {
    const rows: readonly (readonly [Certificate, string, string])[] = [
      ['trusted', '127.0.0.1', 'connected to 127.0.0.1'],
      ['trusted', 'server.test', 'connected to 127.0.0.1'],
      ['trusted', 'other.test', 'tls'],
      ['untrusted', '127.0.0.1', 'tls'],
      ['wrong-name', '127.0.0.1', 'tls'],
      ['wrong-name', 'server.test', 'tls'],
      ['wrong-name', 'elsewhere.test', 'connected to 127.0.0.1'],
      ['expired', '127.0.0.1', 'tls'],
    ];
    for (const [tls, host, expected] of rows) {
      it(`${host} with a certificate that is ${tls}: ${expected}`, async () => {
        const { port } = await serving({ tls });
        expect(await to(`https://${host}:${port}`, { resolve: async () => ['127.0.0.1'] })).to.equal(expected);
      });
    }

    it('trusts nobody whom it is not told to', async () => {
      const { port } = await serving({ tls: 'trusted' });
      expect(await to(`https://127.0.0.1:${port}`, { authorities: () => undefined })).to.equal('tls');
    });

    it('is none where the other end speaks something else, hangs up, or says nothing', async () => {
      const plain = await raw((socket) => void socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'));
      expect(await to(`https://127.0.0.1:${plain}`)).to.equal('tls');
      const rude = await raw((socket) => socket.resetAndDestroy());
      expect(await to(`https://127.0.0.1:${rude}`)).to.equal('unconnected');
      const polite = await raw((socket) => socket.end());
      expect(await to(`https://127.0.0.1:${polite}`)).to.equal('unconnected');
      const silent = await raw(() => undefined);
      expect(await to(`https://127.0.0.1:${silent}`, {}, AbortSignal.timeout(50))).to.equal('stopped');
    });
  });

  async function raw(onConnection: (socket: Socket) => void): Promise<number> {
    const sockets = new Set<Socket>();
    const server: Server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      onConnection(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    });
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  it('is given up at any moment', async () => {
    const stop = new AbortController();
    const waiting = to('http://server.test', { resolve: async () => new Promise(() => undefined) }, stop.signal);
    stop.abort();
    expect(await waiting).to.equal('stopped');
    expect(await to('http://127.0.0.1', {}, stop.signal), 'before it began').to.equal('stopped');
    const open: Socket[] = [];
    const stuck = new AbortController();
    const connecting = to(
      'http://127.0.0.1',
      {
        open: () => {
          const socket = new Socket();
          open.push(socket);
          stuck.abort();
          return socket;
        },
      },
      stuck.signal,
    );
    expect(await connecting).to.equal('stopped');
    expect(open.map(({ destroyed }) => destroyed)).to.deep.equal([true]);
  });
});
