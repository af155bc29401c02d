import { mkdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { descendantsOf } from '../cli/descendants.ts';
import { validEnvelope } from '../cli/envelope-check.ts';
import { start, type Ended } from '../cli/program.ts';
import { makeWorkDirectory, removeWorkDirectory, snapshot } from '../cli/work-directory.ts';

const APPLICATION = {
  'svc.json': {
    version: 1,
    workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
    input: { value: {} },
  },
  'main.clj': '(ns main)\n(defn run [input] (loop [] (recur)))\n',
};
const project = (artifacts: object) => ({
  kind: 'svc-project',
  version: 1,
  application: { path: 'svc.json' },
  artifacts: { root: '.svc', ...artifacts },
});

/** Clock ticks of 10 ms that a host cannot spend on its start alone: the endless workflow is under way. */
const BUSY_TICKS = 40;
const POLL_MS = 10;

function ticksOf(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return 0;
  }
}

/** The rows of runtime.md §14 for a parent that is exchanged in mid run, with the command as its users have it. */
describe('a folder exchanged for a link during a run (runtime.md §14)', () => {
  let directory = '';
  beforeEach(() => {
    directory = makeWorkDirectory({ 'out/': null, 'foreign/theirs': 'theirs' });
    mkdirSync(join(directory, 'foreign/.svc'), { mode: 0o700 });
    for (const name of ['envelopes', 'inspection', 'results', 'traces', 'runs'])
      mkdirSync(join(directory, 'foreign/.svc', name), { mode: 0o700 });
  });
  afterEach(() => {
    removeWorkDirectory(directory);
  });

  /** Runs until the workflow is at work, puts a link to the foreign place where `what` was, and stops the run. */
  async function exchanged(what: string, argv: readonly string[]): Promise<Ended> {
    const before = foreign();
    const started = start({ argv, directory });
    const isOver = started.ended.then(() => true);
    while (!descendantsOf(started.child.pid ?? 0).some((pid) => ticksOf(pid) > BUSY_TICKS)) {
      if (await Promise.race([isOver, setTimeout(POLL_MS, false)]))
        throw new Error(`ended too early: ${(await started.ended).stderr}`);
    }
    renameSync(join(directory, what), join(directory, 'aside'));
    symlinkSync(join(directory, 'foreign'), join(directory, what));
    started.child.kill('SIGTERM');
    const ended = await started.ended;
    expect(foreign(), 'the foreign place').to.deep.equal(before);
    expect(
      [...snapshot(directory).keys()].filter((path) => path.includes('.svc-')),
      'leftovers',
    ).to.deep.equal([]);
    return ended;
  }

  function foreign(): readonly (readonly [string, string])[] {
    return [...snapshot(join(directory, 'foreign'))];
  }

  function make(files: Readonly<Record<string, unknown>>): void {
    const made = makeWorkDirectory(files);
    renameSync(made, join(directory, 'project'));
  }

  it('the parent of --envelope: exit 74, nothing written', async () => {
    make(APPLICATION);
    const ended = await exchanged('out', ['run', 'project/svc.json', '--envelope', 'out/e.json']);
    expect(ended).to.deep.include({ status: 74, stdout: '' });
    expect(ended.stderr).to.match(/^error: envelope\/publication_failed: [^\n]+\n$/);
    expect([...snapshot(join(directory, 'aside')).keys()]).to.deep.equal([]);
  });

  it('the folder of a project that keeps its envelopes: exit 74, nothing written', async () => {
    make({ ...APPLICATION, 'p.json': project({ envelope: true }) });
    const ended = await exchanged('project', ['run', 'project/p.json']);
    expect(ended).to.deep.include({ status: 74, stdout: '' });
    expect([...snapshot(join(directory, 'aside/.svc')).keys()].filter((path) => path.includes('cmd-'))).to.deep.equal(
      [],
    );
  });

  it('the folder of a project that keeps everything: the run tells that nothing was published', async () => {
    make({ ...APPLICATION, 'p.json': project({ trace: true, inspection: true, result: true }) });
    const ended = await exchanged('project', ['run', 'project/p.json', '--envelope', 'out/e.json']);
    // The interruption is the first failure, the lost trace a further one.
    expect(ended).to.deep.include({ status: 143, stdout: '' });
    const envelope = validEnvelope(readFileSync(join(directory, 'out/e.json'), 'utf8'));
    expect(envelope).to.have.nested.property('secondary_errors[0].code', 'trace_publication_failed');
    expect([...snapshot(join(directory, 'aside/.svc')).keys()].filter((path) => path.includes('cmd-'))).to.deep.equal(
      [],
    );
  });
});
