import { createServer, type RequestListener } from 'node:http';
import { createServer as createSocketServer, type Server } from 'node:net';
import { expect } from 'chai';
import { runToEnd, type Ended } from '../../../conformance/cli/program.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../../../conformance/cli/work-directory.ts';

const FILES = {
  'svc.json': {
    version: 1,
    workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
    input: { value: {} },
  },
  'main.clj': '(ns main)\n(defn run [input] {:sum (reduce + (range 1000))})\n',
};

const http = (listener: RequestListener): Server => createServer(listener);

/** Viewers that a run meets and must not mind (evidence.md §10). */
const BAD: Readonly<Record<string, () => Server>> = {
  'takes no request': () =>
    createSocketServer((socket) => {
      socket.pause();
    }),
  'hangs up': () =>
    createSocketServer((socket) => {
      socket.destroy();
    }),
  'says what is no HTTP': () =>
    createSocketServer((socket) => {
      socket.on('error', () => undefined).write('\u0000\u0001nonsense\r\n\r\n');
    }),
  refuses: () =>
    http((_request, response) => {
      response.writeHead(403).end();
    }),
  'leads elsewhere': () =>
    http((_request, response) => {
      response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end();
    }),
  'answers without an end': () =>
    http((_request, response) => {
      const timer = setInterval(() => {
        response.write('x'.repeat(65_536));
      }, 1);
      response.writeHead(200).on('close', () => {
        clearInterval(timer);
      });
    }),
};

describe('a run and a viewer that is not well (evidence.md §10)', () => {
  let directory: string;
  before(() => {
    directory = makeWorkDirectory(FILES);
  });
  after(() => removeWorkDirectory(directory));
  const run = async (url: string): Promise<Ended> =>
    runToEnd({ argv: ['run', 'svc.json'], directory, environment: { SVC_VIEWER_URL: url } });
  const expectSame = ({ status, stdout, stderr }: Ended): void => {
    expect([status, stdout]).to.deep.equal([0, '{"sum":499500}\n']);
    expect(stderr.split('\n').filter((line) => line !== '').length, stderr).to.be.at.most(1);
  };

  for (const [name, make] of Object.entries(BAD)) {
    it(`is not changed by one that ${name}`, async () => {
      const server = make();
      const sockets = new Set<{ destroy(): void }>();
      server.on('connection', (socket) => {
        sockets.add(socket);
      });
      await new Promise<void>((resolve) => {
        server.listen(0, '127.0.0.1', resolve);
      });
      const at = server.address();
      try {
        expectSame(await run(`http://127.0.0.1:${typeof at === 'object' && at !== null ? at.port : 0}`));
      } finally {
        for (const socket of sockets) socket.destroy();
        await new Promise<void>((resolve) => {
          server.close(() => {
            resolve();
          });
        });
      }
    });
  }

  for (const url of ['http://127.0.0.1:9', 'ftp://127.0.0.1', 'nonsense', 'http://[', 'http://127.0.0.1:99999']) {
    it(`is not changed by the address ${url}`, async () => {
      expectSame(await run(url));
    });
  }
});
