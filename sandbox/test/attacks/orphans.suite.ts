import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { expect } from 'chai';
import { endedWithParent } from '../../pool/parent-death.ts';
import { noProcessNames, processesNaming } from '../../testing/processes.ts';
import { RAW_GUEST, useSandboxUnderTest } from '../../testing/sandbox-under-test.ts';
import { everywhere } from '../../../scripts/build-snapshot.ts';

/** What a host is in the middle of when its supervisor dies. */
const occupations: readonly (readonly [title: string, source: string])[] = [
  ['waits', 'call("again", "{}");'],
  ['spins', 'for (;;);'],
  ['spins inside the engine', 'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1);'],
  ['computes what cannot be interrupted', 'let x = (1n << 60000000n) - 1n; for (;;) x = (x * x) >> 60000000n;'],
  ['backtracks', '/^(a+)+$/.test("a".repeat(60) + "b");'],
  ['spins after its return', 'Promise.resolve().then(() => { for (;;); }); return 1;'],
];

describe('hosts whose supervisor is killed', () => {
  const built = useSandboxUnderTest(() => everywhere({ script: RAW_GUEST }));
  afterEach(async () => {
    for (const host of await processesNaming(`${built.options.hostScript}\0`)) process.kill(host, 'SIGKILL');
  });

  /** A supervisor, and the hosts of the evaluation that it has begun. */
  async function startedHosts(
    source: string,
  ): Promise<{ readonly supervisor: ChildProcess; readonly hosts: readonly number[] }> {
    const supervisor = spawn(
      process.execPath,
      [join(import.meta.dirname, 'supervisor-to-kill.ts'), JSON.stringify(built.options), source],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    await once(supervisor.stdout, 'data');
    const hosts = await processesNaming(`${built.options.hostScript}\0`);
    expect(hosts).to.not.deep.equal([]);
    return { supervisor, hosts };
  }

  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    for (const [title, source] of occupations) {
      it(`end by themselves after ${signal} while an isolate ${title}`, async () => {
        const { supervisor } = await startedHosts(source);
        supervisor.kill(signal);
        await once(supervisor, 'exit');
        await noProcessNames(built.options.guestImage);
      });
    }
  }

  // Where the machine has no way to say so, a stopped process stays.
  if (endedWithParent(process.platform).length > 0) {
    it('are killed with it when they are stopped', async () => {
      const { supervisor, hosts } = await startedHosts('for (;;);');
      for (const host of hosts) process.kill(host, 'SIGSTOP');
      supervisor.kill('SIGKILL');
      await once(supervisor, 'exit');
      await noProcessNames(built.options.guestImage);
    });
  }

  /** A host that nothing of the system ends with this process. */
  function startAlone(parent: number): { readonly host: ChildProcess; readonly pipe: Duplex } {
    const { hostScript, guestImage } = built.options;
    const host = spawn(process.execPath, [hostScript, guestImage, 'mission', '1250000', String(parent), 'none'], {
      stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
    });
    const pipe = host.stdio[3];
    if (!(pipe instanceof Duplex)) throw new Error('a host has a pipe');
    return { host, pipe };
  }

  it('end at once when they come to life without it', async () => {
    const { host } = startAlone(process.pid + 1);
    const [, signal] = await once(host, 'exit');
    expect(signal).to.equal('SIGKILL');
  });

  // Where the system does not kill them, or not in time, node's own end would wait for what runs in their isolates.
  const ends: readonly (readonly [title: string, act: (pipe: Duplex) => unknown])[] = [
    ['their pipe ends', (pipe) => pipe.end()],
    ['their pipe is gone', (pipe) => pipe.destroy()],
    ['their pipe brings nonsense', (pipe) => pipe.write(Buffer.alloc(64, 0xff))],
  ];
  for (const [title, act] of ends) {
    it(`kill themselves once ${title}`, async () => {
      const { host, pipe } = startAlone(process.pid);
      act(pipe);
      const [status, signal] = await once(host, 'exit');
      expect({ status, signal }).to.deep.equal({ status: null, signal: 'SIGKILL' });
    });
  }
});
