import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { findConfinement } from '../../sandbox/pool/confinement.ts';
import { startHostProcess } from '../../sandbox/pool/host-process.ts';
import { until } from '../../conformance/until.ts';
import { SupervisorNotStarted } from '../../supervisor/api/supervisor.ts';
import type { PoolEvent, Supervisor, SupervisorOptions } from '../../supervisor/api/supervisor.ts';
import { finished, supervise } from '../capabilities/supervised.ts';
import { innermost } from '../supervisor/host-process.ts';

const dist = join(import.meta.dirname, '../../dist');
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const FILES = new Map([
  ['svc.json', bytes(JSON.stringify({ version: 1, workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' }, missions: {}, input: { value: {} } }))],
  ['main.clj', bytes('(ns main)\n(defn run [input] 1)\n')],
]);

/** Whoever has taken a host over asks for a connection before it does what a host does. */
const takenOver = (port: number): string => `
const { Socket } = require('node:net');
const socket = new Socket();
socket.on('error', () => undefined);
socket.connect({ port: ${port}, host: '127.0.0.1' });
require('./real-host.cjs');
`;

/** Whether this machine lets anybody do it, found out without the product. */
function isPossibleHere(program = 'unshare', words: readonly string[] = ['--user', '--map-current-user', '--net', 'true']): boolean {
  try {
    execFileSync(program, [...words], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const isBubblewrapHere = (): boolean => isPossibleHere('bwrap', ['--unshare-user', '--unshare-pid', '--dev-bind', '/', '/', '--proc', '/proc', 'true']);

const isHost = (pid: number): boolean => readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('sandbox-host.cjs\0') && readlinkSync(`/proc/${pid}/exe`).endsWith('/node');

/** Also one that nobody has asked for its status yet. */
function isGone(pid: number): boolean {
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
  const onPoolEvent = (event: PoolEvent): void => { if (event.event === 'host_started' && event.pid !== null) pids.push(event.pid); };
  before(async () => { folder = await realpath(await mkdtemp(join(tmpdir(), 'svc-confined-'))); });
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
    expect(own.snapshot().confinedFrom).to.deep.equal(isBubblewrapHere() ? ['network', 'files', 'processes'] : isPossibleHere() ? ['network'] : []);
    expect((await started({ confinement: 'off' })).snapshot().confinement).to.equal('unconfined');
    const required = await supervise({ confinement: 'required' }).then((opened) => opened.close().then(() => 'started'), (error: unknown) => error);
    if (isPossibleHere()) expect(required).to.equal('started');
    else expect(required).to.be.instanceOf(SupervisorNotStarted).that.includes({ code: 'confinement_unavailable' });
    await own.close();
  });

  it('see an empty network, and can gain no privileges', async function () {
    if (!isPossibleHere()) return this.skip();
    const own = await started({});
    expect(finished(await own.run(await own.prepare({ kind: 'memory', files: FILES })).result).value).to.equal(1);
    const [begun = 0] = pids.toReversed();
    // Its program takes the place of those that start it, one after the other, or comes to stand below them.
    const pid = await until('the host', () => {
      const found = innermost(begun);
      return isHost(found) ? found : undefined;
    });
    for (const namespace of ['net', 'user', 'ipc', 'uts']) expect(readlinkSync(`/proc/${pid}/ns/${namespace}`), namespace).to.not.equal(readlinkSync(`/proc/self/ns/${namespace}`));
    expect(readFileSync(`/proc/${pid}/net/route`, 'latin1').trim().split('\n')).to.have.length(1);
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    expect(status).to.match(/^NoNewPrivs:\t1$/m);
    expect(status).to.match(/^CapEff:\t0{16}$/m);
    if (!isBubblewrapHere()) return undefined;
    for (const namespace of ['mnt', 'pid']) expect(readlinkSync(`/proc/${pid}/ns/${namespace}`), namespace).to.not.equal(readlinkSync(`/proc/self/ns/${namespace}`));
    for (const gone of ['home', 'root', 'tmp', 'var', 'run', 'etc/passwd', 'bin']) expect(existsSync(`/proc/${pid}/root/${gone}`) && !dist.startsWith(`/${gone}/`), gone).to.equal(false);
    const writable = readFileSync(`/proc/${pid}/mountinfo`, 'latin1').trim().split('\n').map((line) => line.split(' ')).filter(([, , , , , options = '']) => !options.split(',').includes('ro')).map(([, , , , place]) => place);
    expect(writable.filter((place) => place !== '/proc' && place?.startsWith('/dev') !== true)).to.deep.equal([]);
    return undefined;
  });

  it('whose code was taken over altogether see no file, process or key of anybody', async function () {
    const found = await findConfinement();
    if (found.state !== 'confined' || !isBubblewrapHere()) return this.skip();
    const other = spawn('sleep', ['1000'], { env: { KEY: 'sk-of-somebody-0815' } });
    const secret = join(folder, 'secret');
    await writeFile(secret, 'sk-of-somebody-0815');
    const program = join(folder, 'own');
    await mkdir(program);
    const asked = `cat ${secret} /etc/passwd /proc/${String(other.pid)}/environ /proc/${process.pid}/environ; kill -9 ${String(other.pid)} && echo killed; ls / /proc; touch /new ${program}/new && echo written; cat /proc/net/route`;
    const words = found.start.words({ executable: '/bin/sh', paths: ['/bin', '/usr/bin', program] });
    const [first = '', ...rest] = words;
    try {
      const told = spawnSync(first, [...rest, '/bin/sh', '-c', asked], { encoding: 'utf8', env: {} });
      expect(told.stdout).to.not.include('sk-of-somebody').and.not.include('root:x:').and.not.include('killed').and.not.include('written');
      expect(told.stdout.split('\n').filter((line) => /^\d+$/.test(line)).length, 'processes').to.be.lessThan(5);
      expect(other.exitCode ?? other.signalCode).to.equal(null);
      expect(existsSync(join(program, 'new'))).to.equal(false);
    } finally {
      other.kill();
    }
    return undefined;
  });

  it('end with the supervisor that started them, however that ended', async function () {
    if (!isPossibleHere()) return this.skip();
    const program = `
      const { createSupervisor } = await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, '../../supervisor/api/supervisor.ts')).href)});
      const own = await createSupervisor({ programDirectory: ${JSON.stringify(dist)}, onPoolEvent: ({ event, pid }) => event === 'host_started' && console.log(pid) });
      setInterval(() => undefined, 1000);
    `;
    for (const signal of ['SIGKILL', 'SIGSTOP'] as const) {
      const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
      let told = '';
      child.stdout.on('data', (text: Buffer) => { told += text.toString(); });
      const host = await until('a host', () => {
        const begun = Number(told.split('\n')[0]);
        const found = begun > 0 ? innermost(begun) : 0;
        return found > 0 && isHost(found) ? found : undefined;
      });
      // A host that is stopped does not see for itself that it is alone.
      if (signal === 'SIGSTOP') process.kill(host, signal);
      child.kill('SIGKILL');
      await until('the host is gone', () => (isGone(host) ? true : undefined));
    }
    return undefined;
  });

  it('leave nothing behind when they are ended while they begin', async function () {
    const confinement = await findConfinement();
    if (confinement.state !== 'confined') return this.skip();
    const options = { hostScript: join(dist, 'sandbox-host.cjs'), guestImage: join(dist, 'guest.snapshot'), readableFolders: [dist], isolatesPerHost: 1, confinement: confinement.start };
    for (let waited = 0; waited < 12; waited += 0.25) {
      const host = startHostProcess(options, { environment: 'workflow', heapWords: 1_250_000 }, () => undefined);
      host.pipe.resume();
      const closed = once(host.pipe, 'close');
      const begun = performance.now();
      while (performance.now() < begun + waited);
      host.kill();
      // Held open by whoever is left.
      await Promise.all([closed, host.exited]);
    }
    return undefined;
  });

  it('reach nobody when they are taken over, as one that is not confined would', async function () {
    if (!isPossibleHere()) return this.skip();
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.on('error', () => undefined);
    });
    await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
    const { port }: AddressInfo = Object(server.address());
    const program = join(folder, 'program');
    await cp(dist, program, { recursive: true });
    await rename(join(program, 'sandbox-host.cjs'), join(program, 'real-host.cjs'));
    await writeFile(join(program, 'sandbox-host.cjs'), takenOver(port));
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
      await new Promise((resolve) => { server.close(resolve); });
    }
  });
});
