import { chmodSync, chownSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { descendantsOf, isAlive } from './descendants.ts';
import { validEnvelope } from './envelope-check.ts';
import { PROGRAM, runToEnd, start } from './program.ts';
import type { Ended, Started } from './program.ts';
import { makeWorkDirectory, removeWorkDirectory, snapshot } from './work-directory.ts';

const MANIFEST = {
  version: 1,
  workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
  input: { value: {} },
};
const PROJECT = {
  kind: 'svc-project', version: 1, application: { path: 'svc.json' },
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

async function inDirectory(files: Record<string, unknown>, work: (directory: string) => Promise<void>): Promise<void> {
  const directory = makeWorkDirectory(files);
  try {
    await work(directory);
  } finally {
    removeWorkDirectory(directory);
  }
}

/** Waits for a condition of the outside world; the suite's own time limit ends a wait that is in vain. */
async function until<T>(observe: () => T | undefined, { ended }: Started): Promise<T> {
  let isOver = false;
  const noteEnd = (): void => { isOver = true; };
  void ended.finally(noteEnd);
  for (;;) {
    const seen = observe();
    if (seen !== undefined) return seen;
    if (isOver) throw new Error('the program ended before what was waited for');
    await setTimeout(POLL_MS);
  }
}

/** Nothing tells of another program's processes: the system is asked again after this pause. */
const POLL_MS = 10;

function pidOf({ child }: Started): number {
  if (child.pid === undefined) throw new Error('the program did not start');
  return child.pid;
}

/** The run is under way once a host of it has spent time: an endless loop is the only work of these applications. */
async function busyHost(started: Started): Promise<number> {
  return until(() => descendantsOf(pidOf(started)).find((pid) => ticksOf(pid) > BUSY_TICKS), started);
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
  expect(others.filter((path) => !/^(?:artifacts\/(?:|envelopes\/|inspection\/|results\/|traces\/)(?:cmd-[0-9a-z]{26}\.jsonl?)?|e\.json)$/.test(path))).to.deep.equal([]);
  for (const path of others.filter((name) => name.endsWith('.json'))) JSON.parse(readFileSync(join(directory, path), 'utf8'));
}

describe('stopping a run (runtime.md §10)', () => {
  for (const [signal, status] of [['SIGINT', 130], ['SIGTERM', 143]] as const) {
    it(`${signal} cancels, cleans up, publishes the envelope and ends with ${status}`, async () => {
      await inDirectory(ENDLESS, async (directory) => {
        const started = start({ argv: ['run', 'p.json', '--envelope', 'e.json'], directory });
        await busyHost(started);
        const hosts = descendantsOf(pidOf(started));
        started.child.kill(signal);
        const ended = await started.ended;
        expect(ended).to.deep.include({ status, signal: null, stdout: '' });
        expectFailure(ended, 'internal_error');
        expect(hosts.filter(isAlive)).to.deep.equal([]);
        const envelope = validEnvelope(readFileSync(join(directory, 'e.json'), 'utf8'));
        expect(envelope).to.deep.include({ command: 'run', status: 'error' });
        expect(readFileSync(join(directory, `artifacts/envelopes/${envelope.run_ref}.json`), 'utf8'))
          .to.equal(readFileSync(join(directory, 'e.json'), 'utf8'));
        expectNothingHalfWritten(directory, ENDLESS);
      });
    });
  }

  it('two signals leave no process behind', async () => {
    await inDirectory(ENDLESS, async (directory) => {
      const started = start({ argv: ['run', 'svc.json'], directory });
      await busyHost(started);
      const hosts = descendantsOf(pidOf(started));
      started.child.kill('SIGINT');
      started.child.kill('SIGINT');
      expect((await started.ended).status).to.equal(130);
      await untilGone(hosts);
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
      await untilGone(hosts);
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

async function untilGone(pids: readonly number[]): Promise<void> {
  while (pids.some(isAlive)) await setTimeout(POLL_MS);
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
        argv: ['-c', 'exec "$0" run svc.json --envelope e.json >&-', PROGRAM], directory, program: '/bin/sh',
      });
      expect(ended).to.deep.include({ status: 0, stdout: '', stderr: '' });
      expect(validEnvelope(readFileSync(join(directory, 'e.json'), 'utf8'))).to.deep.include({ status: 'ok' });
    });
  });

  it('a full device is no success', async () => {
    await inDirectory(QUICK, async (directory) => {
      const ended = await runToEnd({ argv: ['-c', 'exec "$0" run svc.json >/dev/full', PROGRAM], directory, program: '/bin/sh' });
      expect(ended.status).to.equal(70);
    });
  });

  it('a large value arrives whole through a slow pipe', async () => {
    await inDirectory(LARGE, async (directory) => {
      const ended = await runToEnd({ argv: ['-c', '"$0" run svc.json | { sleep 0.2; cat; }', PROGRAM], directory, program: '/bin/sh' });
      expect(ended.stdout).to.have.length(900_003);
    });
  });
});

describe('a working directory that gives no room', () => {
  it('one that may not be written refuses every destination and leaves nothing', async () => {
    await inDirectory(QUICK, async (directory) => {
      chownSync(directory, NOBODY, NOBODY);
      chmodSync(directory, 0o500);
      const options = { uid: NOBODY, gid: NOBODY };
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
    });
  });

  it('one that was removed fails only what is relative', async () => {
    await inDirectory({ ...QUICK, gone: null }, async (directory) => {
      const script = 'cd gone && rmdir ../gone && "$0" run "$1" && ! "$0" run "$1" --output v.json';
      const ended = await runToEnd({ argv: ['-c', script, PROGRAM, join(directory, 'svc.json')], directory, program: '/bin/sh' });
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
        const all = await Promise.all(Array.from({ length: 4 }, async () => runToEnd({ argv: ['run', 'svc.json', option, 'one.json'], directory })));
        expect(all.filter(({ status }) => status === 0)).to.have.length(1);
        for (const { status } of all) expect(status).to.be.oneOf(option === '--output' ? [0, 7] : [0, 2, 74]);
        const text = readFileSync(join(directory, 'one.json'), 'utf8');
        if (option === '--output') expect(text).to.equal('{"a":1}');
        else expect(validEnvelope(text)).to.deep.include({ status: 'ok' });
        expect([...snapshot(directory).keys()].toSorted()).to.deep.equal([...Object.keys(QUICK), 'one.json'].toSorted());
      });
    });
  }

  it('exactly one of four inits makes the directory', async () => {
    await inDirectory({}, async (directory) => {
      const all = await Promise.all(Array.from({ length: 4 }, async () => runToEnd({ argv: ['init', 'new'], directory })));
      expect(all.filter(({ status }) => status === 0)).to.have.length(1);
      for (const ended of all.filter(({ status }) => status !== 0)) expectFailure(ended, 'initialization_target_exists');
      expect([...snapshot(directory).keys()].filter((path) => !path.startsWith('new/'))).to.deep.equal([]);
    });
  });

  it('what init makes validates and runs', async () => {
    await inDirectory({}, async (directory) => {
      expect((await runToEnd({ argv: ['init', 'new'], directory })).status).to.equal(0);
      expect((await runToEnd({ argv: ['validate', 'new/svc-project.json'], directory })).status).to.equal(0);
      expect(await runToEnd({ argv: ['run', 'new/svc-project.json'], directory }))
        .to.deep.include({ status: 0, stdout: '{"greeting":"hello world"}\n', stderr: '' });
    });
  });
});

describe('arguments that are no UTF-8 (cli.md §1 rule 1)', () => {
  it('are refused, not replaced', async () => {
    await inDirectory(QUICK, async (directory) => {
      const ended = await runToEnd({ argv: ['-c', '"$0" run "$(printf "a\\377")"', PROGRAM], directory, program: '/bin/sh' });
      expect(ended.status).to.equal(2);
      expectFailure(ended, 'invalid_arguments');
    });
  });
});
