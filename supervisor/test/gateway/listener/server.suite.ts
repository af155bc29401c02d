import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { until } from '../../../../conformance/until.ts';
import { renderJsonAnswer } from '../../../gateway/http/answers.ts';
import { keepBearer } from '../../../gateway/listener/bearer.ts';
import { authoritiesOf } from '../../../gateway/listener/checks.ts';
import {
  LISTENER_TIMES,
  listenForClients,
  type Listener,
  type ListenerOptions,
  type ListenerTimes,
  type Post,
} from '../../../gateway/listener/server.ts';

const TOKEN = 'a-bearer-of-a-test-0123456789-abcdef';
const HOST = 'host: 127.0.0.1\r\n';
const FIELDS = `${HOST}authorization: Bearer ${TOKEN}\r\ncontent-type: application/json\r\naccept: */*\r\n`;
const POST = `POST /mcp HTTP/1.1\r\n${FIELDS}content-length: 2\r\n\r\n{}`;
/** More than the system keeps for a reader who takes nothing. */
const LARGE = `"${'x'.repeat(64_000_000)}"`;
const SOON_MS = 40;

/** Sockets and listeners of one test, which ends them. */
const left: { listeners: Listener[]; sockets: Socket[] } = { listeners: [], sockets: [] };

interface Opened {
  readonly port: number;
  readonly listener: Listener;
  /** Statuses of answers that have left, or that nobody takes any more. */
  readonly answered: AsyncIterator<number>;
}

async function opened(
  answer: ListenerOptions['answer'],
  times: Partial<ListenerTimes> = {},
  maxWaiting = 0,
): Promise<Opened> {
  const statuses = new TransformStream<number, number>(undefined, { highWaterMark: 100 }, { highWaterMark: 100 });
  const writer = statuses.writable.getWriter();
  const listener = await listenForClients({
    address: '127.0.0.1',
    tls: null,
    port: 0,
    times: { ...LISTENER_TIMES, lookMs: 5, ...times },
    // The port is the system's choice: it is left out of the authority.
    gate: { authorities: authoritiesOf('127.0.0.1', 80), origins: new Set(), bearer: keepBearer(TOKEN) },
    maxInflight: 4,
    maxWaiting,
    parameterHeaders: [],
    answer,
    state: () => 'ready',
    onAnswer: (status) => {
      writer.write(status).catch(() => undefined);
    },
    reportBug: (error) => {
      throw error;
    },
  });
  if (typeof listener === 'string') throw new Error(`a port of the system can be had: ${listener}`);
  left.listeners.push(listener);
  return { port: listener.port, listener, answered: statuses.readable[Symbol.asyncIterator]() };
}

/** A client that said something. */
function client(port: number, said: string): Socket {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => {
    socket.write(said);
  });
  left.sockets.push(socket.on('error', () => undefined));
  return socket;
}

const closed = async (socket: Socket): Promise<unknown> =>
  new Promise((resolve) => {
    socket.once('close', resolve);
  });
const raised = async (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', resolve, { once: true });
  });
const never = async (): Promise<null> => new Promise(() => undefined);

/** What a listener hands on first. */
function capturePost(): { readonly answer: ListenerOptions['answer']; readonly post: Promise<Post> } {
  const { promise, resolve } = Promise.withResolvers<Post>();
  return {
    post: promise,
    answer: async (post) => {
      resolve(post);
      return never();
    },
  };
}

afterEach(async () => {
  for (const socket of left.sockets.splice(0)) socket.destroy();
  for (const listener of left.listeners.splice(0)) await listener.close();
});

describe('how long a listener waits (gateway.md §2)', () => {
  for (const [what, said] of [
    ['nothing', ''],
    ['half a line', 'POST /m'],
    ['half of its fields', `POST /mcp HTTP/1.1\r\n${HOST}`],
  ] as const) {
    it(`for the head of whoever says ${what}`, async () => {
      const { port } = await opened(never, { headerMs: SOON_MS });
      expect(await text(client(port, said))).to.match(/^HTTP\/1\.1 408 [^]*connection: close\r\n/);
    });
  }

  for (const [what, times] of [
    ['between two bytes of a body', { bodyPauseMs: SOON_MS }],
    ['for all of a body', { bodyTotalMs: SOON_MS }],
  ] as const) {
    it(what, async () => {
      const { port, listener } = await opened(never, { bodyPauseMs: 60_000, bodyTotalMs: 60_000, ...times });
      const said = await text(client(port, POST.slice(0, -1)));
      expect(said).to.match(/^HTTP\/1\.1 408 [^]*connection: close\r\n[^]*\{"error":"request_timeout"\}$/);
      expect(listener.inflight()).to.equal(0);
    });
  }

  it('for another request on a socket', async () => {
    const { port } = await opened(never, { idleMs: SOON_MS });
    expect(await text(client(port, `GET /health/live HTTP/1.1\r\n${HOST}\r\n`))).to.match(
      /^HTTP\/1\.1 200 [^]*\{"status":"live"\}$/,
    );
  });
});

describe('sockets that are only held (gateway.md §2)', () => {
  const health = `GET /health/live HTTP/1.1\r\n${HOST}connection: close\r\n\r\n`;
  /** 4 for each request at once, and 64. */
  const MOST = 4 * 4 + 64;

  for (const [what, said, times] of [
    ['half a line', 'POST /m', { headerMs: SOON_MS }],
    ['nothing', '', { headerMs: SOON_MS }],
    ['what is no request', 'nonsense\r\n\r\n', {}],
    ['a tunnel', `CONNECT a:1 HTTP/1.1\r\n${HOST}\r\n`, {}],
  ] as const) {
    it(`are closed soon after the answer to ${what}, whether or not their clients close them too`, async () => {
      const { port, listener } = await opened(never, { ...times, closingMs: SOON_MS });
      const sockets = Array.from({ length: 8 }, () => client(port, said).resume());
      await until('all are connected', () => (sockets.every(({ connecting }) => !connecting) ? true : undefined));
      await until('none is left', () => (listener.sockets() === 0 ? true : undefined));
      for (const socket of sockets) expect(socket.writable, 'the client closed nothing').to.equal(true);
    });
  }

  it('give way to those who ask for something, the oldest first', async () => {
    const { port, listener } = await opened(never);
    const first = client(port, 'POST /m');
    await until('it is there', () => (listener.sockets() === 1 ? true : undefined));
    Array.from({ length: MOST - 1 }, () => client(port, 'POST /m'));
    await until('all places are held', () => (listener.sockets() === MOST ? true : undefined));
    const closed = text(first);
    expect(await text(client(port, health))).to.match(/^HTTP\/1\.1 200 /);
    expect(await closed).to.equal('');
    Array.from({ length: 3 * MOST }, () => client(port, ''));
    for (let time = 0; time < 10; time += 1) expect(await text(client(port, health))).to.match(/^HTTP\/1\.1 200 /);
    await until('no more are left', () => (listener.sockets() <= MOST ? true : undefined));
  });

  it('take none from those who showed the bearer', async () => {
    const ended = Promise.withResolvers<undefined>();
    const { port, listener } = await opened(async () => {
      await ended.promise;
      return renderJsonAnswer(200, '{}');
    });
    const honest = text(client(port, POST.replace('content-length', 'connection: close\r\ncontent-length')));
    await until('it is answered', () => (listener.inflight() === 1 ? true : undefined));
    for (let wave = 0; wave < 2; wave += 1) {
      Array.from({ length: MOST }, () => client(port, 'POST /m'));
      await until('all places are held', () => (listener.sockets() === MOST ? true : undefined));
    }
    ended.resolve(undefined);
    expect(await honest).to.match(/^HTTP\/1\.1 200 /);
  });
});

describe('requests beyond those that are answered at once (gateway.md §8)', () => {
  /** Four that are answered, the last of them when it is said so. */
  async function full(
    times: Partial<ListenerTimes>,
    maxWaiting: number,
  ): Promise<Opened & { readonly end: () => void }> {
    const ended = Promise.withResolvers<undefined>();
    const all = await opened(
      async () => {
        await ended.promise;
        return renderJsonAnswer(200, '{}');
      },
      times,
      maxWaiting,
    );
    Array.from({ length: 4 }, () => client(all.port, POST));
    await until('all places are taken', () => (all.listener.inflight() === 4 ? true : undefined));
    return {
      ...all,
      end: () => {
        ended.resolve(undefined);
      },
    };
  }
  const CLOSING = POST.replace('content-length', 'connection: close\r\ncontent-length');

  it('wait for a place, and have it', async () => {
    const { port, listener, end } = await full({}, 2);
    const waiting = [client(port, CLOSING), client(port, CLOSING)].map(async (socket) => text(socket));
    await until('both are there', () => (listener.sockets() === 6 ? true : undefined));
    end();
    for (const said of await Promise.all(waiting)) expect(said).to.match(/^HTTP\/1\.1 200 /);
    await until('all places are free', () => (listener.inflight() === 0 ? true : undefined));
  });

  it('are refused when none comes in time, and at once where as many wait as may', async () => {
    const late = await full({ waitMs: SOON_MS }, 1);
    expect(await text(client(late.port, POST))).to.match(/^HTTP\/1\.1 429 [^]*request_capacity_exhausted/);
    const { port } = await full({ waitMs: 60_000 }, 0);
    expect(await text(client(port, POST))).to.match(/^HTTP\/1\.1 429 [^]*retry-after: 1[^]*request_capacity_exhausted/);
  });

  it('hold no place when they left while they waited', async () => {
    const { port, listener, end } = await full({ waitMs: 60_000 }, 1);
    const socket = client(port, POST);
    await until('it is there', () => (listener.sockets() === 5 ? true : undefined));
    socket.resetAndDestroy();
    await until('it is gone', () => (listener.sockets() === 4 ? true : undefined));
    end();
    await until('all places are free', () => (listener.inflight() === 0 ? true : undefined));
  });
});

describe('a client who leaves, or takes nothing (gateway.md §2, §5)', () => {
  it('is gone when it says that it will say nothing more', async () => {
    const { answer, post } = capturePost();
    const { port } = await opened(answer);
    const socket = client(port, POST);
    const { disconnected } = await post;
    socket.end();
    await raised(disconnected);
  });

  it('holds no place once it left in the middle of its body', async () => {
    const { port, listener } = await opened(async () => renderJsonAnswer(200, '{}'));
    const sockets = Array.from({ length: 4 }, () => client(port, POST.slice(0, -1)));
    await until('all places are taken', () => (listener.inflight() === 4 ? true : undefined));
    for (const [nth, socket] of sockets.entries()) {
      if (nth % 2 === 0) socket.end();
      else socket.resetAndDestroy();
    }
    await until('all places are free', () => (listener.inflight() === 0 ? true : undefined));
  });

  for (const [what, begin] of [
    ['an answer', async () => renderJsonAnswer(200, LARGE)],
    [
      'a last message',
      async ({ open }: Post) => {
        await open({}).end(LARGE);
        return null;
      },
    ],
    [
      'a notification',
      async ({ open }: Post) => {
        open({}).notify(LARGE);
        return never();
      },
    ],
  ] as const) {
    it(`is gone when it takes nothing of ${what}`, async () => {
      const { port, answered } = await opened(begin, { stalledMs: SOON_MS });
      const socket = client(port, POST).pause();
      expect((await answered.next()).value).to.equal(200);
      await closed(
        socket.resume().once('end', () => {
          socket.end();
        }),
      );
    });
  }

  it('has all of a large answer when it takes a little at a time, for longer than nothing may be taken', async () => {
    const { port } = await opened(async () => renderJsonAnswer(200, LARGE), { stalledMs: 1000, idleMs: SOON_MS });
    const socket = client(port, POST);
    let size = 0;
    const started = performance.now();
    let resting = 0;
    socket.on('data', (part) => {
      size += part.length;
      // Thirty rests, a tenth of a second each.
      if (size < (resting + 1) * 2_000_000) return;
      resting += 1;
      socket.pause();
      setTimeout(() => {
        socket.resume();
      }, 100);
    });
    await closed(
      socket.once('end', () => {
        socket.end();
      }),
    );
    expect(performance.now() - started).to.be.greaterThan(2000);
    expect(size).to.be.greaterThan(LARGE.length);
  });

  it('is gone when it takes nothing after a silence that was longer', async () => {
    const { port, answered } = await opened(
      async ({ open }) => {
        const stream = open({});
        // As long as it takes for the listener to have looked in vain.
        await new Promise((resolve) => {
          setTimeout(resolve, 3 * SOON_MS);
        });
        await stream.end(LARGE);
        return null;
      },
      { stalledMs: SOON_MS },
    );
    client(port, POST).pause();
    expect((await answered.next()).value).to.equal(200);
  });

  it('is told that the call goes on while nothing is to be said, and nothing behind the last message', async () => {
    const { promise: twice, resolve } = Promise.withResolvers<undefined>();
    const { port } = await opened(
      async ({ open }) => {
        const stream = open({});
        await twice;
        await stream.end('{"last":1}');
        return null;
      },
      { heartbeatMs: 5, idleMs: SOON_MS },
    );
    const socket = client(port, POST);
    let said = '';
    socket.on('data', (part) => {
      said += String(part);
      if (said.split(': heartbeat\n\n').length > 2) resolve(undefined);
    });
    await closed(
      socket.once('end', () => {
        socket.end();
      }),
    );
    expect(said).to.match(
      /\r\n\r\n[^]*: accepted\n\n[^]*: heartbeat\n\n[^]*: heartbeat\n\n[^]*event: message\ndata: \{"last":1\}\n\n\r\n0\r\n\r\n$/,
    );
  });
});
