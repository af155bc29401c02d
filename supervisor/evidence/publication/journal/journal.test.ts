import { expect } from 'chai';
import { chmod, mkdir, readFile, readdir, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { newRunReference, type RunReference } from '../../../../contract/run-reference.ts';
import { randomFillSync } from 'node:crypto';
import type { OpenDirectory, PublicationFileSystem } from '../file-system.ts';
import { noteLiveRun } from '../live-runs.ts';
import { nodeFileSystem } from '../node-file-system.ts';
import { ownersOfRun, processOwnerProbe } from '../owner.ts';
import { sweptPlaces } from '../swept-places.ts';
import { faultyFileSystem } from '../testing/faulty-file-system.ts';
import { afterDeath, removeScratch, scratchDirectory } from '../testing/scratch.ts';
import { openJournal, type WriteAheadJournal } from './journal.ts';
import { sweepJournals, type InterruptedRun } from './sweep.ts';
import { readJournal, type RunState } from './states.ts';

const HASH = `sha256:${'a'.repeat(64)}`;
const WAY: readonly RunState[] = [
  'prepared',
  'authorized',
  'activated',
  'running',
  'draining',
  'sealed',
  'publishing',
  'published',
];
const CLOCK = { monotonic: () => 0, wall: () => 1_893_553_445_000 };

describe('the journal of a run (runtime.md §15.1)', () => {
  let root = '';
  let opened: OpenDirectory;
  beforeEach(async () => {
    root = await scratchDirectory();
    opened = await directoryOf(nodeFileSystem());
  });
  afterEach(async () => {
    await opened.close();
    await removeScratch(root);
  });

  async function directoryOf(fileSystem: PublicationFileSystem): Promise<OpenDirectory> {
    const result = await fileSystem.openDirectory(root);
    if (!result.ok) throw new Error(result.errno);
    return result.value;
  }

  const newReference = (): RunReference => newRunReference(randomFillSync);
  const open = async (
    runRef: RunReference,
    fileSystem: PublicationFileSystem = nodeFileSystem(),
    directory = opened,
  ): Promise<WriteAheadJournal> =>
    openJournal(fileSystem, { root: directory, runRef, owner: await processOwnerProbe().self(), clock: CLOCK });
  /** As far as a state, with the hash of a value from its seal on. */
  const reach = async (journal: WriteAheadJournal, last: RunState): Promise<void> => {
    for (const state of WAY.slice(1, WAY.indexOf(last) + 1))
      journal.enter(state, state === 'sealed' ? HASH : undefined);
    await journal.settled();
  };
  const sweep = async (owners = afterDeath(), wallClock = Date.now): Promise<readonly InterruptedRun[]> =>
    sweepJournals({ fileSystem: nodeFileSystem(), owners, wallClock }, opened);
  const names = async (): Promise<readonly string[]> => (await readdir(root, { recursive: true })).toSorted();

  it('holds a line for each state while the run goes on, and is gone with its directory at the end', async () => {
    const runRef = newReference();
    const journal = await open(runRef);
    await reach(journal, 'published');
    const text = await readFile(`${root}/runs/${runRef}`, 'utf8');
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(lines).to.deep.equal(
      WAY.map((state, index) => ({
        state,
        at: '2030-01-02T03:04:05.000000Z',
        ...(index === 0 ? { owner: readJournal(Buffer.from(text)).owner } : {}),
        ...(state === 'sealed' ? { result_hash: HASH } : {}),
      })),
    );
    for (const [name, mode] of [
      ['runs', 0o700],
      [`runs/${runRef}`, 0o600],
    ] as const)
      expect((await stat(`${root}/${name}`)).mode & 0o777).to.equal(mode);
    await journal.close();
    expect(await names()).to.deep.equal([]);
  });

  it('leaves the directory to other runs', async () => {
    const [first, second] = [newReference(), newReference()];
    const journal = await open(first);
    const other = await open(second);
    await journal.close();
    expect(await names()).to.deep.equal(['runs', `runs/${second}`]);
    await other.close();
    expect(await names()).to.deep.equal([]);
  });

  it('is there for each of many runs that begin and end side by side', async () => {
    await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const runRef = newReference();
        const journal = await open(runRef);
        if (index % 3 === 0) await sweep(processOwnerProbe());
        await reach(journal, 'running');
        expect(readJournal(await readFile(`${root}/runs/${runRef}`)).state).to.equal('running');
        await journal.close();
      }),
    );
    expect(await names()).to.deep.equal([]);
  });

  it('is swept when its run was lost, though its process lives, and never while the run goes on', async () => {
    const runRef = newReference();
    const end = noteLiveRun(runRef);
    const owner = await ownersOfRun(processOwnerProbe(), runRef).self();
    await reach(await openJournal(nodeFileSystem(), { root: opened, runRef, owner, clock: CLOCK }), 'sealed');
    expect(await sweep(processOwnerProbe())).to.deep.equal([]);
    end();
    expect(await sweep(processOwnerProbe())).to.deep.equal([
      { runRef, state: 'sealed', resultHash: HASH, value: 'unknown' },
    ]);
  });

  it('is swept once by a process, and again after a run of it that left something', async () => {
    const swept = sweptPlaces();
    const once = (): Promise<readonly InterruptedRun[]> =>
      sweepJournals({ fileSystem: nodeFileSystem(), owners: afterDeath(), wallClock: Date.now, swept }, opened);
    await once();
    const runRef = newReference();
    await reach(await open(runRef), 'sealed');
    expect(await once()).to.deep.equal([]);
    swept.renew();
    expect((await once()).map((run) => run.runRef)).to.deep.equal([runRef]);
  });

  it('lets others work while there are many to be swept', async () => {
    await Promise.all(Array.from({ length: 64 }, async () => reach(await open(newReference()), 'sealed')));
    let turns = 0;
    let isSweeping = true;
    const count = (): void => {
      turns += 1;
      if (isSweeping) setImmediate(count);
    };
    setImmediate(count);
    expect(await sweep()).to.have.length(64);
    isSweeping = false;
    expect(turns).to.be.at.least(4);
  });

  it('tells whether its entry is gone', async () => {
    const keeping: OpenDirectory = {
      ...opened,
      openDirectory: async (name) => {
        const child = await opened.openDirectory(name);
        return child.ok
          ? { ok: true, value: { ...child.value, removeFile: async () => ({ ok: false, errno: 'EIO' }) } }
          : child;
      },
    };
    expect(await (await open(newReference(), nodeFileSystem(), keeping)).close()).to.equal(false);
    expect(await (await open(newReference())).close()).to.equal(true);
  });

  it('refuses an order that runs do not have', async () => {
    const journal = await open(newReference());
    expect(() => {
      journal.enter('sealed');
    }).to.throw('cannot go');
    await journal.close();
  });

  for (const state of WAY) {
    it(`of a dead run that came to ${state} is swept, and tells of a sealed value`, async () => {
      const runRef = newReference();
      await reach(await open(runRef), state);
      expect(await sweep(processOwnerProbe())).to.deep.equal([]);
      expect(await names()).to.deep.equal(['runs', `runs/${runRef}`]);
      const isSealed = WAY.indexOf(state) >= WAY.indexOf('sealed');
      expect(await sweep()).to.deep.equal(isSealed ? [{ runRef, state, resultHash: HASH, value: 'unknown' }] : []);
      expect(await names()).to.deep.equal([]);
    });
  }

  it('stays while the value waits for its owner under the recovery name', async () => {
    const runRef = newReference();
    await reach(await open(runRef), 'publishing');
    await mkdir(`${root}/results`);
    const recovery = `${root}/results/.svc-private-result-${runRef}.json`;
    await writeFile(recovery, '1');
    const reported = [{ runRef, state: 'publishing', resultHash: HASH, value: 'recovery' }];
    expect(await sweep()).to.deep.equal(reported);
    expect(await sweep()).to.deep.equal(reported);
    await writeFile(`${root}/results/${runRef}.private.json`, '1');
    expect(await sweep()).to.deep.equal([{ runRef, state: 'publishing', resultHash: HASH, value: 'published' }]);
    expect(await sweep()).to.deep.equal([]);
  });

  it('an empty recovery file, a link or a directory is no value', async () => {
    const runRef = newReference();
    await reach(await open(runRef), 'publishing');
    await mkdir(`${root}/results/${runRef}.json`, { recursive: true });
    await writeFile(`${root}/results/.svc-private-result-${runRef}.json`, '');
    await symlink('/etc/passwd', `${root}/results/${runRef}.private.json`);
    expect(await sweep()).to.deep.equal([{ runRef, state: 'publishing', resultHash: HASH, value: 'unknown' }]);
  });

  it('a sweep takes nothing but journals: other names, links and directories stay', async () => {
    const [linked, folder] = [newReference(), newReference()];
    await mkdir(`${root}/runs/${folder}`, { recursive: true, mode: 0o700 });
    await symlink('/etc/passwd', `${root}/runs/${linked}`);
    await writeFile(`${root}/runs/notes`, 'mine');
    const before = await names();
    expect(await sweep(afterDeath(), () => Date.now() + 1e12)).to.deep.equal([]);
    expect(await names()).to.deep.equal(before);
  });

  it('a journal without a whole first line is left for ten minutes', async () => {
    await mkdir(`${root}/runs`, { mode: 0o700 });
    const path = `${root}/runs/${newReference()}`;
    await writeFile(path, '{"state":"prep');
    await sweep();
    expect(await names()).to.have.lengthOf(2);
    await utimes(path, 0, 0);
    await sweep();
    expect(await names()).to.deep.equal([]);
  });

  it('a directory that others may read is not used', async () => {
    await mkdir(`${root}/runs`);
    await chmod(`${root}/runs`, 0o755);
    const journal = await open(newReference());
    await reach(journal, 'published');
    await journal.close();
    expect(await readdir(`${root}/runs`)).to.deep.equal([]);
  });

  it('a fault of the file system at any call changes nothing for the run', async () => {
    const count = faultyFileSystem(nodeFileSystem(), null);
    const directory = await directoryOf(count.fileSystem);
    const before = count.calls();
    const counted = await open(newReference(), count.fileSystem, directory);
    await reach(counted, 'published');
    await counted.close();
    await directory.close();
    expect(count.calls() - before).to.be.greaterThan(9);
    for (let at = before + 1; at <= count.calls(); at += 1) {
      const faulty = faultyFileSystem(nodeFileSystem(), { at, manner: { kind: 'error', errno: 'ENOSPC' } });
      const openDirectory = await directoryOf(faulty.fileSystem);
      const journal = await open(newReference(), faulty.fileSystem, openDirectory);
      await reach(journal, 'published');
      await journal.close();
      await openDirectory.close();
      const left = (await names()).filter((name) => name !== 'runs');
      for (const name of left)
        expect(readJournal(await readFile(`${root}/${name}`)).state, `call ${at}`).to.satisfy(
          (state: RunState | null) => state === null || WAY.includes(state),
        );
      await sweep(afterDeath(), () => Date.now() + 1e9);
      expect(await names(), `call ${at}`).to.deep.equal([]);
    }
  });
});
