import { expect } from 'chai';
import { mkdir, readdir, rename, symlink, writeFile } from 'node:fs/promises';
import { nodeFileSystem } from './node-file-system.ts';
import { processOwnerProbe } from './owner.ts';
import { publishArtifacts } from './publish-artifacts.ts';
import { releaseReservation, reserve } from './reservation.ts';
import type { Reservation } from './reservation.ts';
import { contentsOf, removeScratch, scratchDirectory } from './testing/scratch.ts';

const RESULT = new TextEncoder().encode('"secret"');
const RECOVERY = '.svc-private-result-cmd-test.json';

/** Places of the protocol that somebody exchanges between reservation and publication (runtime.md §14). */
describe('swapped directories (runtime.md §14)', () => {
  let root = '';
  beforeEach(async () => {
    root = await scratchDirectory();
    await mkdir(`${root}/foreign`, { mode: 0o700 });
    await writeFile(`${root}/foreign/theirs`, 'theirs');
  });
  afterEach(async () => {
    await removeScratch(root);
  });

  async function reserved(recovery: string | null): Promise<Reservation> {
    await mkdir(`${root}/parent`, { mode: 0o700 });
    const result = await reserve(
      { fileSystem: nodeFileSystem(), owners: processOwnerProbe(), wallClock: Date.now },
      { directory: `${root}/parent`, name: 'value.json', mode: 0o600, recovery, nameIsUnique: false },
    );
    if (!result.ok) throw new Error(`not reserved: ${result.fault.kind}`);
    return result.reservation;
  }

  /** Each moves an object aside and puts a link, or a directory of a stranger, in its place. */
  const swaps: Readonly<Record<string, (reservation: Reservation) => string>> = {
    'the parent': () => 'parent',
    'the staging directory': ({ staging }) => `parent/${staging.name}`,
    'the lock directory': ({ lock }) => `parent/${lock?.name ?? ''}`,
  };
  const replacements: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
    'a link': async (path) => symlink(`${root}/foreign`, path),
    'another directory': async (path) => {
      await mkdir(path, { mode: 0o700 });
      await writeFile(`${path}/content`, 'theirs');
      await writeFile(`${path}/owner`, 'theirs');
    },
  };

  for (const [what, placeOf] of Object.entries(swaps)) {
    for (const [by, replace] of Object.entries(replacements)) {
      for (const recovery of [null, RECOVERY]) {
        it(`${what} by ${by}${recovery === null ? '' : ', with recovery'}: fails, writes nothing there, leaves theirs`, async () => {
          const reservation = await reserved(recovery);
          const place = `${root}/${placeOf(reservation)}`;
          await rename(place, `${root}/aside`);
          await replace(place);
          const publication = await publishArtifacts(
            nodeFileSystem(),
            { trace: null, inspection: null, result: reservation },
            { trace: null, inspection: null, result: RESULT },
          );
          await releaseReservation(reservation);
          expect(publication.failures).to.deep.equal(['result_publication_failed']);
          expect(publication.states.result).to.equal('failed');
          const contents = await contentsOf(root);
          expect(Object.values(contents)).to.not.include('"secret"');
          expect(await readdir(`${root}/foreign`)).to.deep.equal(['theirs']);
          if (by === 'another directory') expect((await readdir(place)).filter((name) => name === 'content' || name === 'owner')).to.have.length(2);
        });
      }
    }
  }

  it('the recovery file by another: the stranger keeps theirs', async () => {
    const reservation = await reserved(RECOVERY);
    await rename(`${root}/parent/${RECOVERY}`, `${root}/aside`);
    await writeFile(`${root}/parent/${RECOVERY}`, 'theirs');
    const publication = await publishArtifacts(
      nodeFileSystem(),
      { trace: null, inspection: null, result: reservation },
      { trace: null, inspection: null, result: RESULT },
    );
    await releaseReservation(reservation);
    expect(publication.states.result).to.equal('failed');
    expect(await contentsOf(`${root}/parent`)).to.deep.equal({ [RECOVERY]: 'theirs' });
  });
});
