import { expect } from 'chai';
import { chmod, link, mkdir, readFile, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import type { PublicationFileSystem } from './file-system.ts';
import { nodeFileSystem } from './node-file-system.ts';
import { decodeOwner, encodeOwner, processOwnerProbe, type OwnerFacts, type OwnerProbe } from './owner.ts';
import { openSafeDirectory } from './safe-directory.ts';
import { sweepLeftovers } from './sweep.ts';
import { faultyFileSystem } from './testing/faulty-file-system.ts';
import { contentsOf, removeScratch, scratchDirectory } from './testing/scratch.ts';

const OWNER: OwnerFacts = { boot: 'b', namespace: 'n', pid: 7, started: '1' };
const STAGING = '.svc-private-0123456789ab';
const LOCK = `.${'a'.repeat(64)}.svc-reservation`;
const HOUR = 3_600_000;

for (const [manner, descriptors] of [
  ['by descriptor', undefined],
  ['by path', null],
] as const) {
  describe(`leftovers of dead owners, addressed ${manner} (runtime.md §12)`, () => {
    let root = '';
    beforeEach(async () => {
      root = await scratchDirectory();
    });
    afterEach(async () => {
      await removeScratch(root);
    });

    async function leave(name: string, marker: Uint8Array | null, ageMs = 0): Promise<void> {
      await mkdir(`${root}/${name}`, { mode: 0o700 });
      await writeFile(`${root}/${name}/content`, 'half');
      if (marker !== null) await writeFile(`${root}/${name}/owner`, marker);
      const changed = (Date.now() - ageMs) / 1000;
      await utimes(`${root}/${name}`, changed, changed);
    }

    async function sweep(life: Awaited<ReturnType<OwnerProbe['isAlive']>>): Promise<readonly string[]> {
      const parent = await openSafeDirectory(nodeFileSystem(descriptors), root);
      if (!parent.ok) throw new Error('the test directory is safe');
      const owners: OwnerProbe = { self: async () => OWNER, isAlive: async () => life };
      await sweepLeftovers(
        { fileSystem: nodeFileSystem(descriptors), owners, wallClock: Date.now },
        parent.value.directory,
      );
      await parent.value.directory.close();
      return Object.keys(await contentsOf(root)).filter((path) => !path.includes('/'));
    }

    it('takes what a dead owner left, and nothing of a living one', async () => {
      for (const name of [STAGING, LOCK]) await leave(name, encodeOwner(OWNER, null));
      expect(await sweep('alive')).to.have.members([STAGING, LOCK]);
      expect(await sweep('dead')).to.deep.equal([]);
    });

    it('leaves for a day what belongs to a process that it cannot see', async () => {
      await leave(STAGING, encodeOwner(OWNER, null), 23 * HOUR);
      expect(await sweep('unknown')).to.deep.equal([STAGING]);
      await utimes(`${root}/${STAGING}`, 0, 0);
      expect(await sweep('unknown')).to.deep.equal([]);
    });

    it('leaves a directory without marker to whoever may be filling it, for ten minutes', async () => {
      await leave(STAGING, null, 9 * 60_000);
      expect(await sweep('dead')).to.deep.equal([STAGING]);
      await utimes(`${root}/${STAGING}`, 0, 0);
      expect(await sweep('dead')).to.deep.equal([]);
    });

    it('removes an empty recovery file and keeps one with a value', async () => {
      await writeFile(`${root}/.svc-private-result-a.json`, '');
      await writeFile(`${root}/.svc-private-result-b.json`, '1');
      await leave(STAGING, encodeOwner(OWNER, '.svc-private-result-a.json'));
      await leave('.svc-private-0123456789ac', encodeOwner(OWNER, '.svc-private-result-b.json'));
      expect(await sweep('dead')).to.deep.equal(['.svc-private-result-b.json']);
    });

    describe('an inspection that was still written (evidence.md §6)', () => {
      const PARTIAL = 'cmd-00000000000000000000000000.svcins.partial';

      it('keeps what it has under a name of the run, for its owner alone', async () => {
        await leave(STAGING, encodeOwner(OWNER, null, PARTIAL));
        await chmod(`${root}/${STAGING}/content`, 0o600);
        expect(await sweep('alive')).to.deep.equal([STAGING]);
        expect(await sweep('dead')).to.deep.equal([PARTIAL]);
        expect(await readFile(`${root}/${PARTIAL}`, 'utf8')).to.equal('half');
        const { mode, nlink } = await stat(`${root}/${PARTIAL}`);
        expect({ mode: mode & 0o777, nlink }).to.deep.equal({ mode: 0o600, nlink: 1 });
      });

      it('is nothing more once it was published', async () => {
        await leave(STAGING, encodeOwner(OWNER, null, PARTIAL));
        await link(`${root}/${STAGING}/content`, `${root}/run.svcins`);
        expect(await sweep('dead')).to.deep.equal(['run.svcins']);
      });

      it('is nothing before its first byte, and not what is no file', async () => {
        await leave(STAGING, encodeOwner(OWNER, null, PARTIAL));
        await truncate(`${root}/${STAGING}/content`);
        const other = '.svc-private-0123456789ac';
        await leave(other, encodeOwner(OWNER, null, PARTIAL));
        await rm(`${root}/${other}/content`);
        await symlink('/etc/passwd', `${root}/${other}/content`);
        expect(await sweep('dead')).to.deep.equal([]);
      });

      it('replaces nothing', async () => {
        await writeFile(`${root}/${PARTIAL}`, 'earlier');
        await leave(STAGING, encodeOwner(OWNER, null, PARTIAL));
        expect(await sweep('dead')).to.deep.equal([PARTIAL]);
        expect(await readFile(`${root}/${PARTIAL}`, 'utf8')).to.equal('earlier');
      });

      it('takes no other name from a marker', async () => {
        for (const [index, name] of ['../x', 'svc.json', `${PARTIAL}/x`, 'cmd-0.svcins.partial'].entries()) {
          await leave(`.svc-private-00000000000${index}`, encodeOwner(OWNER, null, name));
        }
        expect(await sweep('dead')).to.deep.equal([]);
      });

      it('is not lost to a fault of the file system, whichever call it meets', async () => {
        const prepare = async (): Promise<void> => leave(STAGING, encodeOwner(OWNER, null, PARTIAL));
        const sweepWith = async (fileSystem: PublicationFileSystem): Promise<void> => {
          const parent = await openSafeDirectory(fileSystem, root);
          if (!parent.ok) return;
          await sweepLeftovers(
            {
              fileSystem,
              owners: { self: async () => OWNER, isAlive: async () => 'dead' },
              wallClock: () => Date.now() + HOUR,
            },
            parent.value.directory,
          );
          await parent.value.directory.close();
        };
        await prepare();
        const count = faultyFileSystem(nodeFileSystem(descriptors), null);
        await sweepWith(count.fileSystem);
        for (let at = 1; at <= count.calls(); at += 1) {
          await rm(`${root}/${PARTIAL}`, { force: true });
          await prepare();
          await sweepWith(
            faultyFileSystem(nodeFileSystem(descriptors), { at, manner: { kind: 'error', errno: 'EIO' } }).fileSystem,
          );
          await sweepWith(nodeFileSystem(descriptors));
          expect(Object.keys(await contentsOf(root)), `call ${at}`).to.deep.equal([PARTIAL]);
          expect(await readFile(`${root}/${PARTIAL}`, 'utf8'), `call ${at}`).to.equal('half');
        }
      });
    });

    it('a marker cannot point outside', async () => {
      await mkdir(`${root}/other`);
      await writeFile(`${root}/other/empty`, '');
      await leave(STAGING, encodeOwner(OWNER, 'other/empty'));
      await sweep('dead');
      expect(await contentsOf(root)).to.deep.equal({ other: null, 'other/empty': '' });
    });

    it('touches nothing that is not exactly of its own making', async () => {
      await leave(STAGING, encodeOwner(OWNER, null));
      await writeFile(`${root}/${STAGING}/more`, 'mine');
      await leave('.svc-private-not-hex-name', encodeOwner(OWNER, null));
      await mkdir(`${root}/target`);
      await symlink('target', `${root}/.svc-private-0123456789ad`);
      const before = await contentsOf(root);
      await sweep('dead');
      expect(await contentsOf(root)).to.deep.equal(before);
    });

    it('looks at sixteen candidates at most', async () => {
      for (let index = 0; index < 20; index += 1)
        await leave(`.svc-private-0000000000${String(index).padStart(2, '0')}`, encodeOwner(OWNER, null));
      expect(await sweep('dead')).to.have.length(4);
    });
  });
}

describe('owner of a reservation (runtime.md §12)', () => {
  it('a process finds itself alive, and any other life of its number dead', async () => {
    const probe = processOwnerProbe();
    const self = await probe.self();
    expect(await probe.isAlive(self)).to.equal('alive');
    expect(await probe.isAlive({ ...self, started: 'before' })).to.equal('dead');
    expect(await probe.isAlive({ ...self, boot: 'before' })).to.equal('dead');
    expect(await probe.isAlive({ ...self, pid: 4_194_305 })).to.equal('dead');
    expect(await probe.isAlive({ ...self, namespace: 'elsewhere' })).to.equal('unknown');
  });

  it('reads back what it wrote and refuses anything else', () => {
    expect(decodeOwner(encodeOwner(OWNER, 'r'))).to.deep.equal({ owner: OWNER, recovery: 'r', partial: null });
    for (const text of [
      '',
      '[]',
      'null',
      '{}',
      JSON.stringify({ ...OWNER, recovery: null, pid: -1 }),
      JSON.stringify({ ...OWNER, recovery: 3 }),
    ]) {
      expect(decodeOwner(new TextEncoder().encode(text)), text).to.equal(null);
    }
  });
});
