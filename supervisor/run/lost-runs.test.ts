import { expect } from 'chai';
import { readdir } from 'node:fs/promises';
import { success } from '../../contract/outcome.ts';
import type { OpenDirectory, PublicationFileSystem } from '../evidence/publication/file-system.ts';
import { nodeFileSystem } from '../evidence/publication/node-file-system.ts';
import { processOwnerProbe } from '../evidence/publication/owner.ts';
import { sweptPlaces } from '../evidence/publication/swept-places.ts';
import { bareEnvironments } from './bare-environments.ts';
import { useRuns } from './testing/run-harness.ts';

/** Removals of files below any directory, refused as long as `isRefusing` says so. */
function refusing(isRefusing: () => boolean): PublicationFileSystem {
  const real = nodeFileSystem();
  const wrap = (directory: OpenDirectory): OpenDirectory => ({
    ...directory,
    openDirectory: async (name) => {
      const opened = await directory.openDirectory(name);
      return opened.ok ? { ok: true, value: wrap(opened.value) } : opened;
    },
    removeFile: async (name) => (isRefusing() ? { ok: false, errno: 'EIO' } : directory.removeFile(name)),
  });
  return {
    ...real,
    openDirectory: async (path) => {
      const opened = await real.openDirectory(path);
      return opened.ok ? { ok: true, value: wrap(opened.value) } : opened;
    },
  };
}

describe('what runs leave behind in a process that lives on (runtime.md §12, §15.1)', () => {
  const runs = useRuns();
  const names = async (): Promise<readonly string[]> => readdir(`${runs.root}/.svc/runs`).catch(() => []);

  it('is swept by the next run there', async () => {
    let isRefusing = true;
    const publication = {
      fileSystem: refusing(() => isRefusing),
      owners: processOwnerProbe(),
      wallClock: Date.now,
      swept: sweptPlaces(),
    };
    const first = await runs.run({ seams: { publication } });
    expect(first.envelope.status).to.equal('ok');
    expect([(await runs.leftovers()).length > 0, await names()]).to.deep.equal([true, [first.runRef]]);
    isRefusing = false;
    const second = await runs.run({ seams: { publication } });
    expect(second.envelope.status).to.equal('ok');
    expect([await runs.leftovers(), await names()]).to.deep.equal([[], []]);
  });

  it('is swept by the next run there after a bug', async () => {
    const swept = sweptPlaces();
    const publication = { fileSystem: nodeFileSystem(), owners: processOwnerProbe(), wallClock: Date.now, swept };
    await runs.run({ seams: { publication } });
    expect(swept.isDue('a place')).to.equal(true);
    await runs.run({
      seams: {
        publication,
        onEvaluated: () => {
          throw new Error('bug');
        },
      },
    });
    expect(swept.isDue('a place')).to.equal(true);
    await runs.run({ seams: { publication } });
    expect(swept.isDue('a place')).to.equal(false);
  });

  it('is nothing of a run that goes on beside the one that sweeps', async () => {
    const publication = { fileSystem: nodeFileSystem(), owners: processOwnerProbe(), wallClock: Date.now };
    let goOn = (): void => undefined;
    let isWaiting = (): void => undefined;
    const waits = new Promise<void>((resolve) => {
      isWaiting = resolve;
    });
    const first = runs.run({
      seams: {
        publication,
        openEnvironments: async (context) => {
          isWaiting();
          await new Promise<void>((resolve) => {
            goOn = resolve;
          });
          return success(bareEnvironments(context));
        },
      },
    });
    await waits;
    expect((await runs.run({ seams: { publication } })).envelope.status).to.equal('ok');
    goOn();
    const ended = await first;
    expect([ended.envelope.status, ended.interrupted]).to.deep.equal(['ok', []]);
  });
});
