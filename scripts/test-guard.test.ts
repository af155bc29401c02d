import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { GuardLimits } from './test-guard.ts';

const root = join(import.meta.dirname, '..');

interface Ended {
  readonly status: unknown;
  readonly signal: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

describe('a command that runs tests', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-guard-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function tested(source: string, limits: GuardLimits): Promise<Ended> {
    await writeFile(
      join(folder, 'guard.mjs'),
      `import { guard } from ${JSON.stringify(join(root, 'scripts/test-guard.ts'))};\nexport const mochaHooks = guard(${JSON.stringify(limits)});\n`,
    );
    await writeFile(join(folder, 'one.test.mjs'), source);
    const mocha = [
      join(root, 'node_modules/mocha/bin/mocha.js'),
      '--no-config',
      '--require',
      join(folder, 'guard.mjs'),
      join(folder, 'one.test.mjs'),
    ];
    return new Promise((resolve) => {
      execFile(
        process.execPath,
        mocha,
        { cwd: root, env: { ...process.env, SVC_TEST_RECORD: '' } },
        (error, stdout, stderr) => resolve({ status: error?.code ?? 0, signal: error?.signal ?? null, stdout, stderr }),
      );
    });
  }

  it('ends as mocha does when nothing is left', async () => {
    const ample = { lingerMs: 60_000, blockedMs: 60_000 };
    expect(await tested("it('one', () => {});", ample)).to.deep.include({ status: 0, signal: null, stderr: '' });
    expect(await tested("it('one', () => { throw new Error('told'); });", ample)).to.deep.include({
      status: 1,
      signal: null,
      stderr: '',
    });
  });

  it('ends when a test left something running, after telling what and what failed', async () => {
    const brief = { lingerMs: 200, blockedMs: 60_000 };
    const passed = await tested("it('one', () => { setInterval(() => {}, 1000); });", brief);
    expect(passed)
      .to.include({ status: 1 })
      .and.have.property('stderr')
      .that.matches(/^the tests are over and something of them goes on: (?:\w+, )*Timeout\n$/);
    const failed = await tested(
      "it('one', async () => { for (;;) await new Promise(setImmediate); }).timeout(50); it('two', () => { throw new Error('told'); });",
      brief,
    );
    expect(failed)
      .to.include({ status: 2 })
      .and.have.property('stderr')
      .that.matches(/^the tests are over and /);
    expect(failed.stdout).to.include('2 failing').and.include('told');
  });

  it('ends when a test never gives the thread back, and names it', async () => {
    const { signal, stderr } = await tested("describe('a block', () => { it('that spins', () => { for (;;); }); });", {
      lingerMs: 60_000,
      blockedMs: 1000,
    });
    expect([signal, stderr]).to.deep.equal([
      'SIGKILL',
      '\na test never gave the thread back, and the tests are stopped: a block that spins\n',
    ]);
  });
});
