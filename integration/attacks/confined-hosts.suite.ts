import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { cp, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { until } from '../../conformance/until.ts';
import { SupervisorNotStarted } from '../../supervisor/api/supervisor.ts';
import type { PoolEvent, Supervisor, SupervisorOptions } from '../../supervisor/api/supervisor.ts';
import { finished, supervise } from '../capabilities/supervised.ts';

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
function isPossibleHere(): boolean {
  try {
    execFileSync('unshare', ['--user', '--map-current-user', '--net', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('host processes without a network (gateway.md §17)', () => {
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
    const [pid = 0] = pids.toReversed();
    // Its program takes the place of those that start it, one after the other.
    await until('the host', () => (readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('sandbox-host.cjs\0') && readlinkSync(`/proc/${pid}/exe`).includes('node') ? true : undefined));
    for (const namespace of ['net', 'user', 'ipc', 'uts']) expect(readlinkSync(`/proc/${pid}/ns/${namespace}`), namespace).to.not.equal(readlinkSync(`/proc/self/ns/${namespace}`));
    expect(readFileSync(`/proc/${pid}/net/route`, 'latin1').trim().split('\n')).to.have.length(1);
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    expect(status).to.match(/^NoNewPrivs:\t1$/m);
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
