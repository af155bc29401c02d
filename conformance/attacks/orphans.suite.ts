import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'chai';
import { noProcessNames, processesNaming } from './processes.ts';
import { buildSandboxUnderTest, RAW_GUEST, type SandboxUnderTest } from './sandbox-under-test.ts';
import { everywhere } from '../../scripts/build-snapshot.ts';

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
  let built: SandboxUnderTest;

  before(async () => {
    built = await buildSandboxUnderTest(everywhere({ script: RAW_GUEST }));
  });
  after(() => built.remove());

  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    for (const [title, source] of occupations) {
      it(`end by themselves after ${signal} while an isolate ${title}`, async () => {
        const supervisor = spawn(process.execPath, [join(import.meta.dirname, 'supervisor-to-kill.ts'), JSON.stringify(built.options), source], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        await once(supervisor.stdout, 'data');
        expect(await processesNaming(`${built.options.hostScript}\0`)).to.not.deep.equal([]);
        supervisor.kill(signal);
        await once(supervisor, 'exit');
        await noProcessNames(built.options.guestImage);
      });
    }
  }
});
