import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { isAlive, membersOf } from '../../../../conformance/cli/descendants.ts';
import { until } from '../../../../conformance/until.ts';
import { startGuardedChild, type GuardedChild, type StdioLaunch } from '../../../mcp/stdio/guarded-child.ts';

/** Processes that heed nothing but a kill. */
const STUBBORN = 'process.on("SIGTERM", () => undefined); setInterval(() => undefined, 1000);';
const sayThen = (word: string, rest: string): string => `${rest}\nprocess.stdout.write(${word});`;

async function untilGroupIsDead(group: number): Promise<void> {
  await until('the end of every process of a group', () => (membersOf(group).length > 0 ? undefined : true));
}

describe('a process of a server (providers.md §7.8)', () => {
  let folder = '';
  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'svc-guarded-')));
  });
  after(async () => rm(folder, { recursive: true }));

  const launch = (script: string, changes: Partial<StdioLaunch> = {}): StdioLaunch => ({
    command: process.execPath,
    args: ['-e', script],
    launcher: null,
    directory: folder,
    environment: { LC_ALL: 'C.UTF-8' },
    graceMs: 50,
    ...changes,
  });
  async function started(script: string, changes: Partial<StdioLaunch> = {}): Promise<GuardedChild> {
    const child = await startGuardedChild(launch(script, changes), new AbortController().signal);
    if (child === null) throw new Error('it starts');
    return child;
  }
  /** A program of this project, as somebody starts it: without a mark around it. */
  async function startedUnmarked(script: string): Promise<ReturnType<typeof spawn> & { readonly stdout: Readable }> {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return child;
  }
  const firstWord = (child: GuardedChild): Promise<string> =>
    new Promise((resolve) => {
      child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString()));
    });

  it('has its directory, its environment and its arguments, and nothing else', async () => {
    const input = 'a b"$HOME\n*';
    const child = await started(
      'process.stdout.write(JSON.stringify([process.cwd(), process.env, process.argv.slice(1)]))',
      {
        args: [
          '-e',
          'process.stdout.write(JSON.stringify([process.cwd(), process.env, process.argv.slice(1)]))',
          input,
        ],
        environment: { LC_ALL: 'C.UTF-8', TOKEN: 'x=\'"\n$(id)' },
      },
    );
    expect(JSON.parse(await text(child.stdout))).to.deep.equal([
      folder,
      { LC_ALL: 'C.UTF-8', TOKEN: 'x=\'"\n$(id)' },
      [input],
    ]);
    expect(await child.end()).to.equal(true);
  });

  it('leads a group of its own', async () => {
    const child = await started('process.stdout.write(require("fs").readFileSync("/proc/self/stat", "utf8"))');
    const stat = await text(child.stdout);
    const [pid] = stat.split(' ');
    const [, , group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    expect([group, session]).to.deep.equal([pid, pid]);
    expect(await child.end()).to.equal(true);
  });

  it('is started by a launcher where there is one', async () => {
    const child = await started('process.stdout.write(process.env.LAUNCHED ?? "not")', {
      launcher: '/usr/bin/env',
      environment: { LAUNCHED: 'so' },
    });
    expect(await text(child.stdout)).to.equal('so');
    expect(await child.end()).to.equal(true);
  });

  const ways: Readonly<Record<string, string>> = {
    'ends with its input': sayThen('String(process.pid)', 'process.stdin.resume();'),
    'ignores the end of its input': sayThen('String(process.pid)', 'setInterval(() => undefined, 1000);'),
    'ignores SIGTERM too': sayThen('String(process.pid)', STUBBORN),
    'closes its output and stays': sayThen('String(process.pid), () => require("fs").closeSync(1)', STUBBORN),
    'leaves a stubborn process behind and ends': `const { spawn } = require("child_process"); const left = spawn(process.execPath, ["-e", ${JSON.stringify(STUBBORN)}], { stdio: "inherit" }); left.once("spawn", () => { process.stdout.write(String(process.pid)); left.unref(); process.stdin.resume(); });`,
  };
  for (const [what, script] of Object.entries(ways)) {
    it(`that ${what} is seen dead, and all of its group`, async () => {
      const child = await started(script);
      const pid = Number(await firstWord(child));
      expect(pid).to.be.greaterThan(1);
      expect(await child.end()).to.equal(true);
      await untilGroupIsDead(pid);
      await child.exited;
    });
  }

  /** Ways to leave the group and session of a server; each prints the number of the process that left. */
  const LEFT = `const { spawn } = require("child_process"); const left = (env) => spawn(process.execPath, ["-e", ${JSON.stringify(STUBBORN)}], { stdio: "ignore", detached: true, env });
    const say = (child) => child.once("spawn", () => { child.unref(); process.stdout.write(String(child.pid)); });
    process.stdin.resume();`;
  /** However long the processes take that it starts before. */
  const DIES_AFTER_ITS_WORD = `const write = process.stdout.write.bind(process.stdout);
    process.stdout.write = (...words) => { setTimeout(() => process.exit(), 300); return write(...words); };`;
  const strays: Readonly<Record<string, string>> = {
    'a session of its own': 'say(left(process.env));',
    'a session of its own and no environment': 'say(left({}));',
    'a session of its own, whose parent has ended': `const child = spawn(process.execPath, ["-e", ${JSON.stringify(`${LEFT} say(left({})); process.stdin.pause();`)}], { detached: true }); child.stdout.once("data", (pid) => child.once("close", () => process.stdout.write(pid)));`,
  };
  for (const [what, script] of Object.entries(strays)) {
    it(`that leaves a process with ${what} is ended with it`, async () => {
      const child = await started(`${LEFT}\n${script}`);
      const pid = Number(await firstWord(child));
      expect(isAlive(pid)).to.equal(true);
      expect(await child.end()).to.equal(true);
      expect(isAlive(pid)).to.equal(false);
    });

    it(`that leaves a process with ${what} and dies is ended with the process that started it`, async () => {
      const child = JSON.stringify(launch(`${DIES_AFTER_ITS_WORD}\n${LEFT}\n${script}`));
      const parent = `import { startGuardedChild } from ${JSON.stringify(join(import.meta.dirname, '../../../mcp/stdio/guarded-child.ts'))};
        const child = await startGuardedChild(${child}, new AbortController().signal);
        child.stdout.once('data', (pid) => process.stdout.write(pid, () => process.kill(process.pid, 'SIGKILL')));`;
      const starter = await startedUnmarked(parent);
      const pid = Number(await text(starter.stdout));
      expect(pid).to.be.greaterThan(1);
      await until('the end of what left', () => (isAlive(pid) ? undefined : true));
    });
  }

  it('that keeps on starting others as it ends leaves none of them', async () => {
    // Each waits a moment before it starts the next, in a session of its own.
    await writeFile(
      join(folder, 'next.cjs'),
      `const { spawn } = require('child_process'); const { appendFileSync } = require('fs');
      appendFileSync('next.pids', process.pid + '\\n');
      const next = () => spawn(process.execPath, ['next.cjs'], { detached: true, stdio: 'ignore' }).unref();
      setTimeout(next, 5); setInterval(() => undefined, 1000);`,
    );
    const child = await started('', { args: ['next.cjs'] });
    const pids = async (): Promise<readonly number[]> =>
      (await readFile(join(folder, 'next.pids'), 'utf8').catch(() => ''))
        .split('\n')
        .filter((line) => line !== '')
        .map(Number);
    await until('five of them', async () => ((await pids()).length >= 5 ? true : undefined));
    expect(await child.end()).to.equal(true);
    expect((await pids()).filter(isAlive)).to.deep.equal([]);
  });

  it('whose processes cannot be found again is not told dead', async () => {
    const shell = join(folder, 'limitless');
    await writeFile(shell, '#!/bin/sh\nshift\nscript=$1\nshift 2\nulimit() { return 1; }\neval "$script"\n', {
      mode: 0o755,
    });
    const child = await startGuardedChild(launch('process.stdin.resume()'), new AbortController().signal, shell);
    expect(await child?.end()).to.equal(process.platform !== 'linux');
  });

  it('that dies at once is told by the end of its output', async () => {
    const child = await started('process.stderr.write("why"); process.exit(3)');
    expect(await Promise.all([text(child.stdout), text(child.stderr)])).to.deep.equal(['', 'why']);
    await child.exited;
    expect(await child.end()).to.equal(true);
  });

  it('that is over before anybody looks has said what it said', async () => {
    const starting = started('process.stdout.write("so"); process.stderr.write("why")');
    // The process comes to its end meanwhile, and this one hears of everything at the same time.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    const child = await starting;
    expect(await Promise.all([text(child.stdout), text(child.stderr)])).to.deep.equal(['so', 'why']);
    expect(await child.end()).to.equal(true);
  });

  it('whose command is not there ends at once', async () => {
    const child = await started('', { command: join(folder, 'none') });
    expect(await text(child.stdout)).to.equal('');
    expect(await child.end()).to.equal(true);
  });

  it('is not there without its directory, or in no time', async () => {
    expect(
      await startGuardedChild(launch('', { directory: join(folder, 'none') }), new AbortController().signal),
    ).to.equal(null);
    expect(await startGuardedChild(launch(''), AbortSignal.abort())).to.equal(null);
    const late = new AbortController();
    const starting = startGuardedChild(launch(STUBBORN), late.signal);
    late.abort();
    expect(await starting).to.equal(null);
  });

  it('is not there while it only prepares to be, and nothing of it is left', async () => {
    const shell = join(folder, 'shell');
    await writeFile(shell, '#!/bin/sh\necho $$ > "$PIDS"\nexec sleep 600\n', { mode: 0o755 });
    const pids = join(folder, 'pids');
    const late = new AbortController();
    let isOver = false;
    const starting = startGuardedChild(
      launch('', { environment: { PIDS: pids, PATH: '/usr/bin:/bin' } }),
      late.signal,
      shell,
    ).finally(() => {
      isOver = true;
    });
    const pid = await until(
      'the process',
      async () => Number(await readFile(pids, 'utf8').catch(() => '')) || undefined,
    );
    expect(isOver).to.equal(false);
    late.abort();
    expect(await starting).to.equal(null);
    await untilGroupIsDead(pid);
  });

  it('dies with the process that started it', async () => {
    const child = JSON.stringify(launch(sayThen('String(process.pid)', STUBBORN)));
    const parent = `import { startGuardedChild } from ${JSON.stringify(join(import.meta.dirname, '../../../mcp/stdio/guarded-child.ts'))};
      const child = await startGuardedChild(${child}, new AbortController().signal);
      child.stdout.once('data', (pid) => process.stdout.write(pid, () => process.kill(process.pid, 'SIGKILL')));`;
    const starter = await started('', { args: ['--input-type=module', '-e', parent] });
    const pid = Number(await text(starter.stdout));
    expect(pid).to.be.greaterThan(1);
    await untilGroupIsDead(pid);
    expect(await starter.end()).to.equal(true);
  });
});
