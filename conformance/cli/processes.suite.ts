import { chmodSync, chownSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { until } from '../until.ts';
import { descendantsOf, isAlive } from './descendants.ts';
import { validEnvelope } from './envelope-check.ts';
import { PROGRAM, runToEnd, start, type Ended, type Started } from './program.ts';
import { makeWorkDirectory, removeWorkDirectory, snapshot } from './work-directory.ts';

const MANIFEST = {
  version: 1,
  workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
  input: { value: {} },
};
const PROJECT = {
  kind: 'svc-project',
  version: 1,
  application: { path: 'svc.json' },
  artifacts: { root: 'artifacts', trace: true, result: true, envelope: true },
};

function application(body: string): Record<string, unknown> {
  return { 'svc.json': MANIFEST, 'p.json': PROJECT, 'main.clj': `(ns main)\n(defn run [input] ${body})\n` };
}

const ENDLESS = application('(loop [] (recur))');
const QUICK = application('{:a 1}');
const LARGE = application('(apply str (repeat 900000 "x"))');

/** An unprivileged user: the rights of a directory mean nothing to root. */
const NOBODY = 65_534;

/**
 * Who runs a command whose directory has to refuse it something: the user of these tests, or, for root, somebody else.
 */
function giveUpPrivileges(directory: string): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  chownSync(directory, NOBODY, NOBODY);
  return { uid: NOBODY, gid: NOBODY };
}

async function inDirectory(files: Record<string, unknown>, work: (directory: string) => Promise<void>): Promise<void> {
  const directory = makeWorkDirectory(files);
  try {
    await work(directory);
  } finally {
    removeWorkDirectory(directory);
  }
}

/** Waits for something that a running program does; its end is the end of the wait. */
async function whileRunning<T>(what: string, observe: () => T | undefined, { ended }: Started): Promise<T> {
  let isOver = false;
  void ended.finally(() => {
    isOver = true;
  });
  return until(what, () => {
    const seen = observe();
    if (seen === undefined && isOver) throw new Error(`the program ended before ${what}`);
    return seen;
  });
}

function pidOf({ child }: Started): number {
  if (child.pid === undefined) throw new Error('the program did not start');
  return child.pid;
}

/** The run is under way once a host of it has spent time: an endless loop is the only work of these applications. */
async function busyHost(started: Started): Promise<number> {
  return whileRunning(
    'a host was at work',
    () => descendantsOf(pidOf(started)).find((pid) => ticksOf(pid) > BUSY_TICKS),
    started,
  );
}

/** Clock ticks of 10 ms that a host cannot spend on its start alone. */
const BUSY_TICKS = 40;

function ticksOf(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return 0;
  }
}

function expectFailure({ stderr }: Ended, code: string): void {
  expect(stderr).to.match(new RegExp(`^error: [a-z_]+/${code}: [^\\n]+\\n$`));
}

/** What a run may leave: the artifact root and, in it, whole files under final names. */
function expectNothingHalfWritten(directory: string, files: Record<string, unknown>): void {
  const others = [...snapshot(directory).keys()].filter((path) => !Object.hasOwn(files, path));
  expect(
    others.filter(
      (path) =>
        !/^(?:artifacts\/(?:|envelopes\/|inspection\/|results\/|traces\/)(?:cmd-[0-9a-z]{26}\.jsonl?)?|e\.json)$/.test(
          path,
        ),
    ),
  ).to.deep.equal([]);
  for (const path of others.filter((name) => name.endsWith('.json')))
    JSON.parse(readFileSync(join(directory, path), 'utf8'));
}

describe('stopping a run (runtime.md §10)', () => {
  for (const [signal, status] of [
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGQUIT', 131],
    ['SIGTERM', 143],
  ] as const) {
    it(`${signal} cancels, cleans up, publishes the envelope and ends with ${status}`, async () => {
      await inDirectory(ENDLESS, async (directory) => {
        const started = start({ argv: ['run', 'p.json', '--envelope', 'e.json'], directory });
        await busyHost(started);
        const hosts = descendantsOf(pidOf(started));
        started.child.kill(signal);
        const ended = await started.ended;
        expect(ended).to.deep.include({ status, signal: null, stdout: '' });
        expectFailure(ended, 'internal_error');
        expect(ended.stderr).to.include('internal/internal_error: the command was interrupted (run_ref: ');
        await untilEnded(hosts);
        const envelope = validEnvelope(readFileSync(join(directory, 'e.json'), 'utf8'));
        expect(envelope).to.deep.include({ command: 'run', status: 'error' });
        expect(readFileSync(join(directory, `artifacts/envelopes/${envelope.run_ref}.json`), 'utf8')).to.equal(
          readFileSync(join(directory, 'e.json'), 'utf8'),
        );
        expectNothingHalfWritten(directory, ENDLESS);
      });
    });
  }

  it('signals that ask nothing of a program neither end a run nor open anything: no debugger listens', async () => {
    await inDirectory(ENDLESS, async (directory) => {
      const started = start({ argv: ['run', 'svc.json', '--envelope', 'e.json'], directory });
      await busyHost(started);
      for (const signal of ['SIGUSR1', 'SIGUSR2', 'SIGALRM'] as const) started.child.kill(signal);
      const host = descendantsOf(pidOf(started)).find((pid) => ticksOf(pid) > BUSY_TICKS);
      const before = ticksOf(host ?? 0);
      await whileRunning(
        'its host went on',
        () => (ticksOf(host ?? 0) > before + BUSY_TICKS ? true : undefined),
        started,
      );
      started.child.kill('SIGTERM');
      const ended = await started.ended;
      expect(ended).to.deep.include({ status: 143, signal: null });
      // Node tells of a debugger on this very stream.
      expectFailure(ended, 'internal_error');
      expect(validEnvelope(readFileSync(join(directory, 'e.json'), 'utf8'))).to.deep.include({ status: 'error' });
    });
  });

  it('two signals leave no process behind', async () => {
    await inDirectory(ENDLESS, async (directory) => {
      const started = start({ argv: ['run', 'svc.json'], directory });
      await busyHost(started);
      const hosts = descendantsOf(pidOf(started));
      started.child.kill('SIGINT');
      started.child.kill('SIGINT');
      expect((await started.ended).status).to.equal(130);
      await untilEnded(hosts);
    });
  });

  it('kill -9 of the program ends its hosts', async () => {
    await inDirectory(ENDLESS, async (directory) => {
      const started = start({ argv: ['run', 'svc.json'], directory });
      await busyHost(started);
      const hosts = descendantsOf(pidOf(started));
      expect(hosts).not.to.deep.equal([]);
      started.child.kill('SIGKILL');
      await started.ended;
      await untilEnded(hosts);
    });
  });

  it('kill -9 of the host in mid run is a failure of the run, told whole', async () => {
    await inDirectory(ENDLESS, async (directory) => {
      const started = start({ argv: ['--json', 'run', 'p.json', '--envelope', 'e.json'], directory });
      process.kill(await busyHost(started), 'SIGKILL');
      const ended = await started.ended;
      const envelope = validEnvelope(ended.stdout);
      expect(envelope).to.deep.include({ command: 'run', status: 'error' });
      expect(ended.status).to.be.oneOf([5, 6, 70]);
      expect(`${readFileSync(join(directory, 'e.json'), 'utf8')}\n`).to.equal(ended.stdout);
      expectNothingHalfWritten(directory, ENDLESS);
    });
  });
});

async function untilEnded(pids: readonly number[]): Promise<void> {
  await until('the end of every host', () => (pids.some(isAlive) ? undefined : true));
}

describe('output streams (cli.md §4, §5)', () => {
  it('a reader that went away is told by the status, after everything was published', async () => {
    await inDirectory(LARGE, async (directory) => {
      const started = start({ argv: ['run', 'svc.json', '--output', 'v.json', '--envelope', 'e.json'], directory });
      started.child.stdout?.destroy();
      expect((await started.ended).status).to.equal(141);
      expect(validEnvelope(readFileSync(join(directory, 'e.json'), 'utf8'))).to.deep.include({ status: 'ok' });
      expect(readFileSync(join(directory, 'v.json'), 'utf8')).to.have.length(900_002);
    });
  });

  it('a closed stdout does not disturb the run', async () => {
    await inDirectory(QUICK, async (directory) => {
      const ended = await runToEnd({
        argv: ['-c', 'exec "$0" run svc.json --envelope e.json >&-', PROGRAM],
        directory,
        program: '/bin/sh',
      });
      expect(ended).to.deep.include({ status: 0, stdout: '', stderr: '' });
      expect(validEnvelope(readFileSync(join(directory, 'e.json'), 'utf8'))).to.deep.include({ status: 'ok' });
    });
  });

  for (const command of [
    'run svc.json',
    'run svc.json --envelope e.json',
    'help',
    'help run',
    '--version',
    'init new',
    '--json run svc.json',
    'repl -e 1',
    'repl',
  ]) {
    it(`a full device is no success: ${command}`, async () => {
      await inDirectory(QUICK, async (directory) => {
        const ended = await runToEnd({
          argv: ['-c', `exec "$0" ${command} >/dev/full`, PROGRAM],
          directory,
          program: '/bin/sh',
        });
        expect(ended).to.deep.include({ status: 74, stdout: '' });
        expect(ended.stderr).to.match(/^error: output\/write_failed: [^\n]+ \(run_ref: cmd-[0-9a-z]{26}\)\n$/);
        if (command.includes('--envelope'))
          expect(validEnvelope(readFileSync(join(directory, 'e.json'), 'utf8'))).to.deep.include({ status: 'ok' });
      });
    });
  }

  it('a large value arrives whole through a slow pipe', async () => {
    await inDirectory(LARGE, async (directory) => {
      const ended = await runToEnd({
        argv: ['-c', '"$0" run svc.json | { sleep 0.2; cat; }', PROGRAM],
        directory,
        program: '/bin/sh',
      });
      expect(ended.stdout).to.have.length(900_003);
    });
  });
});

describe('a working directory that gives no room', () => {
  it('one that may not be written refuses every destination and leaves nothing', async () => {
    await inDirectory(QUICK, async (directory) => {
      const options = giveUpPrivileges(directory);
      chmodSync(directory, 0o500);
      const before = snapshot(directory);
      const result = await runToEnd({ argv: ['run', 'svc.json', '--output', 'v.json'], directory, options });
      expect(result.status).to.equal(7);
      expectFailure(result, 'result_destination_unavailable');
      const envelope = await runToEnd({ argv: ['run', 'svc.json', '--envelope', 'e.json'], directory, options });
      expect(envelope.status).to.be.oneOf([7, 74]);
      const init = await runToEnd({ argv: ['init', 'new'], directory, options });
      expect(init.status).to.equal(7);
      expectFailure(init, 'initialization_parent_unusable');
      expect((await runToEnd({ argv: ['run', 'svc.json'], directory, options })).status).to.equal(0);
      expect(snapshot(directory)).to.deep.equal(before);
      // So that its owner can remove it.
      chmodSync(directory, 0o700);
    });
  });

  it('a umask that takes everything leaves its owner what a run and init make', async () => {
    await inDirectory(QUICK, async (directory) => {
      const options = giveUpPrivileges(directory);
      const script = 'umask 777; "$0" run p.json --output v.json --envelope e.json && "$0" init new';
      const ended = await runToEnd({ argv: ['-c', script, PROGRAM], directory, program: '/bin/sh', options });
      expect(ended).to.deep.include({ status: 0, stderr: '' });
      const made = [...snapshot(directory).keys()].filter((path) => !Object.hasOwn(QUICK, path));
      expect(made).to.include.members(['v.json', 'e.json', 'artifacts/traces/', 'new/', 'new/svc.json']);
      for (const path of made)
        expect(statSync(join(directory, path)).mode & 0o777, path).to.equal(path.endsWith('/') ? 0o700 : 0o600);
      expect(await runToEnd({ argv: ['run', 'new/svc-project.json'], directory, options })).to.deep.include({
        status: 0,
        stdout: '{"greeting":"hello world"}\n',
      });
    });
  });

  it('one that was removed fails only what is relative', async () => {
    await inDirectory({ ...QUICK, gone: null }, async (directory) => {
      const script = 'cd gone && rmdir ../gone && "$0" run "$1" && ! "$0" run "$1" --output v.json';
      const ended = await runToEnd({
        argv: ['-c', script, PROGRAM, join(directory, 'svc.json')],
        directory,
        program: '/bin/sh',
      });
      expect(ended).to.deep.include({ status: 0, stdout: '{"a":1}\n' });
      // The shells on the way complain of the directory too.
      expect(ended.stderr).to.match(/^error: destination\/result_directory_missing: /m);
    });
  });
});

describe('several commands on one destination', () => {
  for (const option of ['--output', '--envelope']) {
    it(`exactly one of four runs gets ${option}, and the file is whole`, async () => {
      await inDirectory(QUICK, async (directory) => {
        const all = await Promise.all(
          Array.from({ length: 4 }, async () => runToEnd({ argv: ['run', 'svc.json', option, 'one.json'], directory })),
        );
        expect(all.filter(({ status }) => status === 0)).to.have.length(1);
        for (const { status } of all) expect(status).to.be.oneOf(option === '--output' ? [0, 7] : [0, 2, 74]);
        const text = readFileSync(join(directory, 'one.json'), 'utf8');
        if (option === '--output') expect(text).to.equal('{"a":1}');
        else expect(validEnvelope(text)).to.deep.include({ status: 'ok' });
        expect([...snapshot(directory).keys()].toSorted()).to.deep.equal(
          [...Object.keys(QUICK), 'one.json'].toSorted(),
        );
      });
    });
  }

  it('exactly one of four inits makes the directory', async () => {
    await inDirectory({}, async (directory) => {
      const all = await Promise.all(
        Array.from({ length: 4 }, async () => runToEnd({ argv: ['init', 'new'], directory })),
      );
      expect(all.filter(({ status }) => status === 0)).to.have.length(1);
      for (const ended of all.filter(({ status }) => status !== 0))
        expectFailure(ended, 'initialization_target_exists');
      expect([...snapshot(directory).keys()].filter((path) => !path.startsWith('new/'))).to.deep.equal([]);
    });
  });

  it('what init makes validates and runs', async () => {
    await inDirectory({}, async (directory) => {
      expect((await runToEnd({ argv: ['init', 'new'], directory })).status).to.equal(0);
      expect((await runToEnd({ argv: ['validate', 'new/svc-project.json'], directory })).status).to.equal(0);
      expect(await runToEnd({ argv: ['run', 'new/svc-project.json'], directory })).to.deep.include({
        status: 0,
        stdout: '{"greeting":"hello world"}\n',
        stderr: '',
      });
    });
  });
});

describe('arguments that are no UTF-8 (cli.md §1 rule 1)', () => {
  it('are refused, not replaced', async () => {
    await inDirectory(QUICK, async (directory) => {
      const ended = await runToEnd({
        argv: ['-c', '"$0" run "$(printf "a\\377")"', PROGRAM],
        directory,
        program: '/bin/sh',
      });
      expect(ended.status).to.equal(2);
      expectFailure(ended, 'invalid_arguments');
    });
  });
});
