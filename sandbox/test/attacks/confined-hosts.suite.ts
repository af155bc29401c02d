import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { CONFINED_STARTS, findConfinement, type ConfinedStart } from '../../pool/confinement.ts';
import { startHostProcess } from '../../pool/host-process.ts';
import { endedWithParent } from '../../pool/parent-death.ts';
import { startSandbox } from '../../pool/pool.ts';
import { until } from '../../../conformance/until.ts';
import {
  SupervisorStartError,
  type PoolEvent,
  type Supervisor,
  type SupervisorOptions,
} from '../../../supervisor/api/supervisor.ts';
import { finished, supervise } from '../../../supervisor/test/capabilities/supervised.ts';
import { innermost } from '../../../supervisor/test/supervisor/host-process.ts';
import { reaching } from './reaching.ts';
import { evaluation, MISSION_HEAP_WORDS, verdictOf } from '../../testing/requests.ts';

const dist = join(import.meta.dirname, '../../../dist');
const SUPERVISOR = pathToFileURL(join(import.meta.dirname, '../../../supervisor/api/supervisor.ts')).href;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const FILES_OF_HOST = {
  hostScript: join(dist, 'sandbox-host.cjs'),
  guestImage: join(dist, 'guest.snapshot'),
  readableFolders: [dist],
  isolatesPerHost: 1,
};
const FILES = new Map([
  [
    'svc.json',
    bytes(
      JSON.stringify({
        version: 1,
        workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
        missions: {},
        input: { value: {} },
      }),
    ),
  ],
  ['main.clj', bytes('(ns main)\n(defn run [input] 1)\n')],
]);

/** Whoever has taken a host over asks for a connection before it does what a host does. */
const takeOver = (port: number): string => `
const { Socket } = require('node:net');
const socket = new Socket();
socket.on('error', () => undefined);
socket.connect({ port: ${port}, host: '127.0.0.1' });
require('./real-host.cjs');
`;

/** Whether this machine lets anybody do it, found out without the product. */
function isPossibleHere(
  program = 'unshare',
  words: readonly string[] = ['--user', '--map-current-user', '--net', 'true'],
): boolean {
  try {
    execFileSync(program, [...words], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const isBubblewrapHere = (): boolean =>
  isPossibleHere('bwrap', ['--unshare-user', '--unshare-pid', '--dev-bind', '/', '/', '--proc', '/proc', 'true']);

const isPossible = ({ means }: ConfinedStart): boolean =>
  ({ bubblewrap: isBubblewrapHere(), namespaces: isPossibleHere(), process: endedWithParent('linux').length > 0 })[
    means
  ];

/** A machine that lacks a layer is one on which it is not found. */
async function expectNotFound(start: ConfinedStart | undefined): Promise<void> {
  expect((await findConfinement([dist])).start?.means ?? null).to.not.equal(start?.means);
}

const isHost = (pid: number): boolean =>
  readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('sandbox-host.cjs\0') &&
  readlinkSync(`/proc/${pid}/exe`).endsWith('/node');

/** Also one that nobody has asked for its status yet. */
function isUnreachable(pid: number): boolean {
  try {
    return /^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
  } catch {
    return true;
  }
}

describe('confined host processes (gateway.md §17)', () => {
  let supervisor: Supervisor | null = null;
  let folder = '';
  const pids: number[] = [];
  const onPoolEvent = (event: PoolEvent): void => {
    if (event.event === 'host_started' && event.pid !== null) pids.push(event.pid);
  };
  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'svc-confined-')));
  });
  after(() => rm(folder, { recursive: true, force: true }));
  afterEach(async () => {
    await supervisor?.close();
    supervisor = null;
    pids.length = 0;
  });

  async function started(options: SupervisorOptions): Promise<Supervisor> {
    supervisor = await supervise({ onPoolEvent, ...options });
    return supervisor;
  }

  it('are so wherever the system lets it be done, and told of where not', async () => {
    const own = await started({});
    expect(own.snapshot().confinement).to.equal(isPossibleHere() ? 'confined' : 'unconfined');
    expect(own.snapshot().confinedFrom).to.deep.equal(
      isBubblewrapHere() ? ['network', 'files', 'processes'] : isPossibleHere() ? ['network'] : [],
    );
    expect((await started({ confinement: 'off' })).snapshot().confinement).to.equal('unconfined');
    const required = await supervise({ confinement: 'required' }).then(
      (opened) => opened.close().then(() => 'started'),
      (error: unknown) => error,
    );
    if (isPossibleHere()) expect(required).to.equal('started');
    else expect(required).to.be.instanceOf(SupervisorStartError).that.includes({ code: 'confinement_unavailable' });
    await own.close();
  });

  for (const start of CONFINED_STARTS) {
    it(`by ${start.means} have no privileges, can gain none, and see what its layers leave`, async () => {
      if (!isPossible(start)) return expectNotFound(start);
      const host = startHostProcess(
        { ...FILES_OF_HOST, confinement: start },
        { environment: 'workflow', heapWords: 1_250_000 },
        () => undefined,
      );
      host.pipe.resume();
      try {
        // Its program takes the place of those that start it, one after the other, or comes to stand below them.
        const pid = await until('the host', () => {
          const found = innermost(host.pid ?? 0);
          return isHost(found) ? found : undefined;
        });
        const status = readFileSync(`/proc/${pid}/status`, 'latin1');
        expect(status).to.match(/^NoNewPrivs:\t1$/m);
        for (const set of ['CapEff', 'CapPrm', 'CapInh', 'CapAmb'])
          expect(status, set).to.match(new RegExp(`^${set}:\\t0{16}$`, 'm'));
        const own = (namespace: string): boolean =>
          readlinkSync(`/proc/${pid}/ns/${namespace}`) !== readlinkSync(`/proc/self/ns/${namespace}`);
        for (const namespace of ['net', 'user', 'ipc', 'uts'])
          expect(own(namespace), namespace).to.equal(start.layers.includes('network'));
        for (const namespace of ['mnt', 'pid'])
          expect(own(namespace), namespace).to.equal(start.layers.includes('files'));
        if (start.layers.includes('network'))
          expect(readFileSync(`/proc/${pid}/net/route`, 'latin1').trim().split('\n')).to.have.length(1);
        if (!start.layers.includes('files')) return;
        for (const closed of ['home', 'root', 'tmp', 'var', 'run', 'etc/passwd', 'bin'])
          expect(existsSync(`/proc/${pid}/root/${closed}`) && !dist.startsWith(`/${closed}/`), closed).to.equal(false);
        const writable = readFileSync(`/proc/${pid}/mountinfo`, 'latin1')
          .trim()
          .split('\n')
          .map((line) => line.split(' '))
          .filter(([, , , , , options = '']) => !options.split(',').includes('ro'))
          .map(([, , , , place]) => place);
        expect(writable.filter((place) => place !== '/proc' && place?.startsWith('/dev') !== true)).to.deep.equal([]);
      } finally {
        host.kill();
        await host.exited;
      }
    });

    it(`by ${start.means} whose JavaScript was taken over reach no file, database, socket, process or code`, async () => {
      if (!isPossible(start)) return expectNotFound(start);
      const program = join(folder, `taken-${start.means}`);
      await mkdir(program);
      await cp(dist, program, { recursive: true });
      await rename(join(program, 'sandbox-host.cjs'), join(program, 'real-host.cjs'));
      const secret = join(folder, `secret-${start.means}`);
      const socket = join(folder, `socket-${start.means}`);
      await writeFile(secret, 'sk-of-somebody-0815');
      let connections = 0;
      const server = createServer((connected) => {
        connections += 1;
        connected.destroy();
      });
      await new Promise<void>((resolve) => {
        server.listen(socket, resolve);
      });
      const { script, names } = reaching({ secret, socket, supervisor: process.pid, folder });
      await writeFile(join(program, 'sandbox-host.cjs'), script);
      const events: PoolEvent[] = [];
      const sandbox = startSandbox({
        hostScript: join(program, 'sandbox-host.cjs'),
        guestImage: join(program, 'guest.snapshot'),
        readableFolders: [program],
        isolatesPerHost: 1,
        confinement: start,
        onEvent: (event) => events.push(event),
      });
      try {
        const isolate = await sandbox.openIsolate({
          environment: 'mission',
          trustDomain: 'taken',
          heapWords: MISSION_HEAP_WORDS,
        });
        expect(
          verdictOf(await isolate.request(evaluation('(+ 1 1)'), { timeoutMs: 60_000 })),
          'it still serves',
        ).to.equal('continued');
        await isolate.dispose();
      } finally {
        await sandbox.close();
        await new Promise((resolve) => {
          server.close(resolve);
        });
      }
      const reported = events
        .flatMap((event) => (event.event === 'host_ended' ? event.stderr.split('\n') : []))
        .filter((line) => line.startsWith('tried '));
      expect(reported.map((line) => line.replace(/: .*$/, '')).toSorted()).to.deep.equal(
        names.map((name) => `tried ${name}`).toSorted(),
      );
      expect(reported.filter((line) => !line.includes(': refused'))).to.deep.equal([]);
      expect(connections).to.equal(0);
      expect(existsSync(join(folder, 'made'))).to.equal(false);
    });
  }

  it('by bubblewrap whose native code was taken over see no file, process or key of anybody', async () => {
    const start = CONFINED_STARTS.find(({ means }) => means === 'bubblewrap');
    if (start === undefined || !isPossible(start)) return expectNotFound(start);
    const other = spawn('sleep', ['1000'], { env: { KEY: 'sk-of-somebody-0815' } });
    const secret = join(folder, 'secret');
    await writeFile(secret, 'sk-of-somebody-0815');
    const program = join(folder, 'own');
    await mkdir(program);
    const requested = `cat ${secret} /etc/passwd /proc/${String(other.pid)}/environ /proc/${process.pid}/environ; kill -9 ${String(other.pid)} && echo killed; ls / /proc; touch /new ${program}/new && echo written; cat /proc/net/route`;
    const words = start.words({ executable: '/bin/sh', paths: ['/bin', '/usr/bin', program] });
    const [first = '', ...rest] = words;
    try {
      const result = spawnSync(first, [...rest, '/bin/sh', '-c', requested], { encoding: 'utf8', env: {} });
      expect(result.stdout)
        .to.not.include('sk-of-somebody')
        .and.not.include('root:x:')
        .and.not.include('killed')
        .and.not.include('written');
      expect(result.stdout.split('\n').filter((line) => /^\d+$/.test(line)).length, 'processes').to.be.lessThan(5);
      expect(other.exitCode ?? other.signalCode).to.equal(null);
      expect(existsSync(join(program, 'new'))).to.equal(false);
    } finally {
      other.kill();
    }
  });

  it('end with the supervisor that started them, however that ended', async () => {
    const program = `
      const { createSupervisor } = await import(${JSON.stringify(SUPERVISOR)});
      const own = await createSupervisor({ programDirectory: ${JSON.stringify(dist)}, onPoolEvent: ({ event, pid }) =>
        event === 'host_started' && console.log(pid) });
      setInterval(() => undefined, 1000);
    `;
    // One that is stopped does not see for itself that it is alone: the kernel ends it, where it can be asked to.
    for (const signal of endedWithParent(process.platform).length > 0 || isBubblewrapHere()
      ? (['SIGKILL', 'SIGSTOP'] as const)
      : (['SIGKILL'] as const)) {
      const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', program], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let reported = '';
      child.stdout.on('data', (text: Buffer) => {
        reported += text.toString();
      });
      const host = await until('a host', () => {
        const started = Number(reported.split('\n')[0]);
        const found = started > 0 ? innermost(started) : 0;
        return found > 0 && isHost(found) ? found : undefined;
      });
      if (signal === 'SIGSTOP') process.kill(host, signal);
      child.kill('SIGKILL');
      await until('the host is gone', () => (isUnreachable(host) ? true : undefined));
    }
  });

  it('leave nothing behind when they are ended while they begin', async () => {
    const { start } = await findConfinement([dist]);
    const options = { ...FILES_OF_HOST, ...(start === null ? {} : { confinement: start }) };
    for (let waited = 0; waited < 12; waited += 0.25) {
      const host = startHostProcess(options, { environment: 'workflow', heapWords: 1_250_000 }, () => undefined);
      host.pipe.resume();
      const closed = once(host.pipe, 'close');
      const started = performance.now();
      while (performance.now() < started + waited);
      host.kill();
      // Held open by whoever is left.
      await Promise.all([closed, host.exited]);
    }
  });

  it('reach nobody when they are taken over before they gave anything away, as one that is not confined would', async () => {
    if (!isPossibleHere()) {
      expect((await findConfinement([dist])).state).to.equal('unconfined');
      return;
    }
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.on('error', () => undefined);
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port }: AddressInfo = Object(server.address());
    const program = join(folder, 'program');
    await cp(dist, program, { recursive: true });
    await rename(join(program, 'sandbox-host.cjs'), join(program, 'real-host.cjs'));
    await writeFile(join(program, 'sandbox-host.cjs'), takeOver(port));
    const run = async (options: SupervisorOptions): Promise<unknown> => {
      const own = await started({ programDirectory: program, ...options });
      const { value } = finished(await own.run(await own.prepare({ kind: 'memory', files: FILES })).result);
      await own.close();
      return value;
    };
    try {
      expect([await run({}), connections]).to.deep.equal([1, 0]);
      expect(await run({ confinement: 'off' })).to.equal(1);
      await until('the connection of one that is not confined', () => (connections > 0 ? true : undefined));
    } finally {
      await new Promise((resolve) => {
        server.close(resolve);
      });
    }
  });
});
