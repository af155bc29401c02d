import { expect } from 'chai';
import { mkdir, readdir, rm, rmdir, writeFile } from 'node:fs/promises';
import type { PublicationFileSystem } from './file-system.ts';
import { noteLiveRun } from './live-runs.ts';
import { nodeFileSystem } from './node-file-system.ts';
import { encodeOwner, ownersOfRun, processOwnerProbe } from './owner.ts';
import { releaseReservation, reserve, type ReservationRequest } from './reservation.ts';
import { openSafeDirectory } from './safe-directory.ts';
import { sweptPlaces } from './swept-places.ts';
import { sweepLeftovers, type SweepTools } from './sweep.ts';
import { removeScratch, scratchDirectory } from './testing/scratch.ts';

const STAGING = '.svc-private-0123456789ab';

describe('places that many runs of one process share', () => {
  let root = '';
  beforeEach(async () => {
    root = await scratchDirectory();
  });
  afterEach(() => removeScratch(root));

  const tools = (over: Partial<SweepTools> = {}): SweepTools => ({
    fileSystem: nodeFileSystem(),
    owners: processOwnerProbe(),
    wallClock: Date.now,
    ...over,
  });
  async function leave(run: string): Promise<void> {
    await mkdir(`${root}/${STAGING}`, { mode: 0o700 });
    await writeFile(`${root}/${STAGING}/owner`, encodeOwner(await ownersOfRun(processOwnerProbe(), run).self(), null));
  }
  async function sweep(using: SweepTools): Promise<readonly string[]> {
    const parent = await openSafeDirectory(nodeFileSystem(), root);
    if (!parent.ok) throw new Error('the test directory is safe');
    await sweepLeftovers(using, parent.value.directory);
    await parent.value.directory.close();
    return readdir(root);
  }

  it('hold what runs of a living process have, until these end', async () => {
    const [end, endOther] = [noteLiveRun('live'), noteLiveRun('other')];
    await leave('live');
    endOther();
    expect(await sweep(tools())).to.deep.equal([STAGING]);
    end();
    expect(await sweep(tools()), 'lost inside a living process').to.deep.equal([]);
  });

  it('hold what a process has that says nothing of runs', async () => {
    await mkdir(`${root}/${STAGING}`, { mode: 0o700 });
    await writeFile(`${root}/${STAGING}/owner`, encodeOwner(await processOwnerProbe().self(), null));
    expect(await sweep(tools())).to.deep.equal([STAGING]);
  });

  it('are swept once, and again after a run that left something', async () => {
    const swept = sweptPlaces();
    expect(await sweep(tools({ swept }))).to.deep.equal([]);
    await leave('dead');
    expect(await sweep(tools({ swept }))).to.deep.equal([STAGING]);
    swept.renew();
    expect(await sweep(tools({ swept }))).to.deep.equal([]);
  });

  it('are remembered in a bounded number', () => {
    const swept = sweptPlaces();
    const due = (from: number, to: number): number =>
      Array.from({ length: to - from }, (_, index) => swept.isDue(String(from + index))).filter(Boolean).length;
    expect([due(0, 4096), due(0, 4096), due(4096, 4097), swept.isDue('0')]).to.deep.equal([4096, 0, 1, true]);
  });

  describe('a reservation that is given back', () => {
    const REQUEST: Omit<ReservationRequest, 'directory'> = {
      name: 'value.json',
      mode: 0o600,
      recovery: null,
      nameIsUnique: false,
    };
    /** Directories whose removal the file system refuses, by a part of their name. */
    function keeping(part: string): PublicationFileSystem {
      const real = nodeFileSystem();
      return {
        ...real,
        openDirectory: async (path) => {
          const opened = await real.openDirectory(path);
          if (!opened.ok) return opened;
          const { value } = opened;
          return {
            ok: true,
            value: {
              ...value,
              removeDirectory: async (name) =>
                name.includes(part) ? { ok: false, errno: 'EIO' } : value.removeDirectory(name),
            },
          };
        },
      };
    }
    for (const [title, part, isClosed] of [
      ['tells that it is gone', 'nothing', true],
      ['tells of a staging directory that is left', '.svc-private-', false],
      ['tells of a lock that is left', '.svc-reservation', false],
    ] as const) {
      it(title, async () => {
        const reserved = await reserve(tools({ fileSystem: keeping(part) }), { ...REQUEST, directory: root });
        if (!reserved.ok) throw new Error(reserved.fault.kind);
        expect(await releaseReservation(reserved.reservation)).to.equal(isClosed);
        expect((await readdir(root)).length).to.equal(isClosed ? 0 : 1);
      });
    }

    it('takes no notice of what is no longer its own', async () => {
      const reserved = await reserve(tools(), { ...REQUEST, directory: root });
      if (!reserved.ok) throw new Error(reserved.fault.kind);
      for (const name of await readdir(root)) {
        await rm(`${root}/${name}/owner`);
        await rmdir(`${root}/${name}`);
      }
      expect(await releaseReservation(reserved.reservation)).to.equal(true);
    });
  });
});
