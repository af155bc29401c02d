import { chmod, cp, mkdtemp, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { until } from '../../../conformance/until.ts';
import type { PoolEvent, RunResult, Supervisor } from '../../api/supervisor.ts';
import { work } from '../capabilities/runs.ts';
import { finished, supervise } from '../capabilities/supervised.ts';
import { innermost } from './host-process.ts';

const bytes = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
const codeOf = (end: RunResult): string =>
  end.kind === 'refused' ? end.code : end.envelope.status === 'ok' ? 'ok' : end.envelope.error.code;

function files(body: string, manifest: object = {}): ReadonlyMap<string, Uint8Array> {
  return new Map(
    Object.entries({
      'svc.json': {
        version: 1,
        workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
        missions: {},
        input: { value: {} },
        ...manifest,
      },
      'main.clj': `(ns main)\n(defn run [input] ${body})\n`,
    }).map(([name, value]) => [name, bytes(value)]),
  );
}

describe('faults around a supervisor (gateway.md §20)', () => {
  let supervisor: Supervisor | null = null;
  let folder = '';
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'svc-faults-')));
  });
  afterEach(async () => {
    await supervisor?.close();
    supervisor = null;
    await rm(folder, { recursive: true, force: true });
  });

  it('a sandbox host that is killed takes the runs of its tenant with it that had called, and no others', async () => {
    const events: PoolEvent[] = [];
    const own = await supervise({
      onPoolEvent: (event) => {
        events.push(event);
      },
    });
    supervisor = own;
    const calls: (() => void)[] = [];
    const application = await own.prepare({
      kind: 'memory',
      files: files('(:value (tool/work))', { providers: { workflow: [{ name: 'tools' }] } }),
      custom: [
        work(
          () =>
            new Promise((resolve) => {
              calls.push(() => resolve(1));
            }),
          { timeoutMs: 60_000 },
        ),
      ],
    });
    const startedBy = async (tenant: string) => {
      const before = new Set(
        events.flatMap((event) => (event.event === 'host_started' && event.pid !== null ? [event.pid] : [])),
      );
      const run = own.run(application, { tenant });
      const count = calls.length + 1;
      await until('its call', () => (calls.length >= count ? true : undefined));
      const pids = events.flatMap((event) =>
        event.event === 'host_started' && event.pid !== null && !before.has(event.pid) ? [event.pid] : [],
      );
      return { run, pids };
    };
    const a = await startedBy('a');
    const b = await startedBy('b');
    const [pid] = b.pids;
    if (pid === undefined) throw new Error('another tenant has a process of its own');
    process.kill(pid, 'SIGKILL');
    expect(codeOf(await b.run.result)).to.not.equal('ok');
    calls.forEach((go) => go());
    expect(codeOf(await a.run.result)).to.equal('ok');
    const again = await startedBy('b');
    calls.at(-1)?.();
    expect(codeOf(await again.run.result), 'it is replaced').to.equal('ok');
  });

  it('a sandbox host that hangs costs the runs in it, until their deadline at most, and is replaced', async () => {
    const events: PoolEvent[] = [];
    const own = await supervise({
      onPoolEvent: (event) => {
        events.push(event);
      },
    });
    supervisor = own;
    let stopped: readonly number[] = [];
    /** Stops the process that asks, and answers: nobody is there to hear it. */
    const stop = (): number => {
      for (const pid of stopped) process.kill(innermost(pid), 'SIGSTOP');
      return 1;
    };
    const application = await own.prepare({
      kind: 'memory',
      files: files('(:value (tool/work))', { providers: { workflow: [{ name: 'tools' }] } }),
      custom: [work(() => stop(), { timeoutMs: 60_000 })],
    });
    const started = (): readonly number[] =>
      events.flatMap((event) => (event.event === 'host_started' && event.pid !== null ? [event.pid] : []));
    const run = async (tenant: string, deadlineMs = 80_000): Promise<string> =>
      codeOf(await own.run(application, { tenant, deadlineMs }).result);
    expect(await run('a')).to.equal('ok');
    const before = new Set(started());
    expect(await run('b')).to.equal('ok');
    // The first process that was started for its runs; what another tenant has is older.
    stopped = started()
      .filter((pid) => !before.has(pid))
      .slice(0, 1);
    expect(stopped).to.have.length(1);
    // Linux says that somebody stopped it; elsewhere the deadline is what ends it.
    const isReported = process.platform === 'linux';
    expect(await run('b', isReported ? 80_000 : 5000)).to.equal(isReported ? 'workflow_failed' : 'run_timeout');
    stopped = [];
    expect(await run('a'), 'another tenant').to.equal('ok');
    expect(await run('b'), 'it is replaced').to.equal('ok');
  });

  it('a sandbox host that floods its pipe costs its own run alone, and is replaced', async () => {
    const program = join(folder, 'program');
    await cp(join(import.meta.dirname, '../../../dist'), program, { recursive: true });
    await rename(join(program, 'sandbox-host.cjs'), join(program, 'real-host.cjs'));
    await writeFile(
      join(program, 'sandbox-host.cjs'),
      `
      const fs = require('node:fs');
      const flood = () => {
        for (;;) { try { fs.writeSync(3, Buffer.alloc(65536, 65));
          } catch (error) { if (error.code !== 'EAGAIN') throw error; } } };
      if (fs.existsSync(__dirname + '/flood')) flood();
      require('./real-host.cjs');
    `,
    );
    const events: PoolEvent[] = [];
    const own = await supervise({
      programDirectory: program,
      onPoolEvent: (event) => {
        events.push(event);
      },
    });
    supervisor = own;
    const application = await own.prepare({ kind: 'memory', files: files('(count input)') });
    const run = async (tenant: string): Promise<string> => codeOf(await own.run(application, { tenant }).result);
    expect(await run('a')).to.equal('ok');
    await writeFile(join(program, 'flood'), '');
    // The first may find a process that was started before.
    const spoiled: string[] = [];
    for (let count = 0; spoiled.length === 0; count += 1) {
      if ((await run(`b${count}`)) !== 'ok') spoiled.push(`b${count}`);
      expect(await run('a'), 'another tenant').to.equal('ok');
    }
    expect(events.some((event) => event.event === 'host_ended')).to.equal(true);
    await rm(join(program, 'flood'));
    for (const tenant of [...spoiled, 'c']) {
      let code = await run(tenant);
      // One that was started while the file was there may still be the next.
      for (let tries = 0; code !== 'ok' && tries < 5; tries += 1) code = await run(tenant);
      expect(code, tenant).to.equal('ok');
    }
  });

  it('a tenant whose artifacts cannot be written is told so; the others go on', async function () {
    const left = join(folder, 'left');
    const own = await supervise({ artifacts: left });
    supervisor = own;
    const application = await own.prepare({ kind: 'memory', files: files('(count input)') });
    const run = (tenant: string) => own.run(application, { tenant, artifacts: { result: true } }).result;
    expect([codeOf(await run('a')), codeOf(await run('b'))]).to.deep.equal(['ok', 'ok']);
    // What stands in the way of one is another's of no concern: a root that others could change is none.
    await chmod(join(left, 'a'), 0o777);
    expect([codeOf(await run('a')), codeOf(await run('b'))]).to.deep.equal(['invalid_destination', 'ok']);
    await chmod(join(left, 'a'), 0o700);
    expect(codeOf(await run('a'))).to.equal('ok');
  });

  it('a wall clock that jumps moves no deadline', async () => {
    const own = await supervise();
    supervisor = own;
    const application = await own.prepare({ kind: 'memory', files: files('(count input)') });
    const real = Date.now;
    try {
      Date.now = () => real() + 300_000;
      const first = own.run(application, { deadlineMs: 60_000 });
      Date.now = () => real() - 300_000;
      expect(codeOf(await first.result)).to.equal('ok');
      expect(codeOf(await own.run(application, { deadlineMs: 60_000 }).result)).to.equal('ok');
    } finally {
      Date.now = real;
    }
  });

  it('a supervisor that is killed leaves no process behind', async () => {
    const child = join(folder, 'child.mjs');
    await writeFile(
      child,
      `
      import { createSupervisor } from ${JSON.stringify(join(import.meta.dirname, '../../../dist/supervisor.mjs'))};
      import { writeFileSync } from 'node:fs';
      const pids = [];
      const note = () => writeFileSync(${JSON.stringify(join(folder, 'pids'))}, pids.join(' '));
      const supervisor = await createSupervisor({ onPoolEvent: ({ event, pid }) =>
        { if (event === 'host_started') { pids.push(pid); note(); } } });
      const bytes = (text) => new TextEncoder().encode(text);
      const files = new Map([['svc.json',
        bytes(JSON.stringify({ version: 1,
          workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' }, missions: {},
            input: { value: {} } }))], ['main.clj', bytes('(ns main) (defn run [input] (loop [] (recur)))')]]);
      const application = await supervisor.prepare({ kind: 'memory', files });
      for (const tenant of ['a', 'b', 'c']) supervisor.run(application,
        { tenant, onEvent: ({ event }) => { if (event === 'started') console.log(tenant); } });
    `,
    );
    const running = spawn(process.execPath, [child], { stdio: ['ignore', 'pipe', 'inherit'] });
    let reported = '';
    running.stdout.on('data', (chunk: Buffer) => {
      reported += String(chunk);
    });
    const exited = once(running, 'exit');
    let pids: readonly number[] = [];
    try {
      await until('three runs, each in a process of its own', async () => {
        pids = (await readFile(join(folder, 'pids'), 'utf8').catch(() => '')).split(' ').map(Number);
        return reported.trim().split('\n').length === 3 && pids.length >= 3 ? true : undefined;
      });
    } finally {
      running.kill('SIGKILL');
      await exited;
    }
    const isAlive = (pid: number): boolean => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    await until('the end of its processes', async () => {
      // One that nobody has waited for yet is dead all the same.
      const alive = await Promise.all(
        pids
          .filter(isAlive)
          .map(
            async (pid) =>
              !/^State:\tZ/m.test(await readFile(`/proc/${pid}/status`, 'latin1').catch(() => 'State:\tZ')),
          ),
      );
      return alive.includes(true) ? undefined : true;
    });
  });

  it('is drained with what it cannot end told as forced', async () => {
    const own = await supervise();
    supervisor = own;
    const application = await own.prepare({ kind: 'memory', files: files('(loop [] (recur))') });
    const runs = Array.from({ length: 3 }, () => own.run(application, { tenant: 'a' }));
    await until('three runs', () => (own.snapshot().runs.running === 3 ? true : undefined));
    expect(await own.drain({ graceMs: 1 })).to.deep.equal({ clean: false, forced: 3 });
    for (const run of runs) expect(finished(await run.result).exitStatus).to.equal(143);
  });
});
