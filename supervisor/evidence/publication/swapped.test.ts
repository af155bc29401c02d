import { expect } from 'chai';
import { mkdir, readdir, rename, symlink, writeFile } from 'node:fs/promises';
import { holdArtifactRoot } from './artifact-root.ts';
import { nodeFileSystem } from './node-file-system.ts';
import { processOwnerProbe } from './owner.ts';
import { publishArtifacts } from './publish-artifacts.ts';
import { releaseReservation, reserve, type Reservation } from './reservation.ts';
import { admitSingleFile, publishSingleFile } from './single-file.ts';
import { contentsOf, removeScratch, scratchDirectory } from './testing/scratch.ts';

const RESULT = new TextEncoder().encode('"secret"');
const RECOVERY = '.svc-private-result-cmd-test.json';

/** Places of the protocol that somebody exchanges between reservation and publication (runtime.md §14). */
for (const [manner, descriptors] of [
  ['by descriptor', undefined],
  ['by path', null],
] as const) {
  describe(`swapped directories, addressed ${manner} (runtime.md §14)`, () => {
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
        { fileSystem: nodeFileSystem(descriptors), owners: processOwnerProbe(), wallClock: Date.now },
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
              nodeFileSystem(descriptors),
              { trace: null, inspection: null, result: reservation },
              { trace: null, inspection: null, result: RESULT },
            );
            await releaseReservation(reservation);
            expect(publication.failures).to.deep.equal(['result_publication_failed']);
            expect(publication.states.result).to.equal('failed');
            const contents = await contentsOf(root);
            expect(Object.values(contents)).to.not.include('"secret"');
            expect(await readdir(`${root}/foreign`)).to.deep.equal(['theirs']);
            if (by === 'another directory')
              expect((await readdir(place)).filter((name) => name === 'content' || name === 'owner')).to.have.length(2);
          });
        }
      }
    }

    const places: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
      'a link': async (path) => symlink(`${root}/foreign`, path),
      'another directory': async (path) => mkdir(path, { mode: 0o700 }),
      nothing: async () => undefined,
    };
    const tools = () => ({ fileSystem: nodeFileSystem(descriptors), owners: processOwnerProbe(), wallClock: Date.now });

    for (const [by, replace] of Object.entries(places)) {
      it(`the parent of a single file by ${by} since its admission: not written, here or there`, async () => {
        await mkdir(`${root}/parent`, { mode: 0o700 });
        const admission = await admitSingleFile(tools(), `${root}/parent/e.json`);
        if (admission.status !== 'admitted') throw new Error(admission.status);
        await rename(`${root}/parent`, `${root}/aside`);
        await replace(`${root}/parent`);
        const before = await contentsOf(root);
        expect(await publishSingleFile(tools(), admission.place, RESULT, false)).to.equal('directory_unsafe');
        expect(await contentsOf(root)).to.deep.equal(before);
      });

      for (const when of ['before', 'after'] as const) {
        it(`the folder of a project by ${by} ${when} its artifact root was prepared: refused, nothing written`, async () => {
          await mkdir(`${root}/project`, { mode: 0o700 });
          const artifactRoot = await holdArtifactRoot(tools(), `${root}/project/.svc`);
          if (when === 'after') expect(await artifactRoot.prepare()).to.deep.equal({ ok: true });
          await rename(`${root}/project`, `${root}/aside`);
          await replace(`${root}/project`);
          const before = await contentsOf(root);
          if (when === 'before') {
            expect(await artifactRoot.prepare()).to.deep.equal({
              ok: false,
              fault: 'parent_unusable',
              child: null,
              refused: null,
            });
          } else {
            expect(await artifactRoot.prepare()).to.deep.equal({ ok: true });
            const directory = await artifactRoot.open('results');
            if (directory.ok) {
              const reserved = await reserve(tools(), {
                directory: directory.value,
                name: 'value.json',
                mode: 0o600,
                recovery: RECOVERY,
                nameIsUnique: true,
              });
              expect(reserved).to.deep.equal({ ok: false, fault: { kind: 'unsafe', errno: null, refused: null } });
            } else {
              // Told by path: there is nothing of that name any more, or nothing that is ours.
              expect(directory.fault).to.equal('missing');
            }
          }
          await artifactRoot.close();
          expect(await contentsOf(root)).to.deep.equal(before);
        });
      }
    }

    it('the artifact root itself by a link: refused, nothing written', async () => {
      const artifactRoot = await holdArtifactRoot(tools(), `${root}/.svc`);
      await artifactRoot.prepare();
      await rename(`${root}/.svc`, `${root}/aside`);
      await mkdir(`${root}/foreign/envelopes`, { mode: 0o700 });
      await symlink(`${root}/foreign`, `${root}/.svc`);
      const before = await contentsOf(root);
      const directory = await artifactRoot.open('envelopes');
      if (directory.ok)
        expect(await publishSingleFile(tools(), { directory: directory.value, name: 'e.json' }, RESULT, true)).to.equal(
          'directory_unsafe',
        );
      else expect(directory.fault).to.equal('unsafe');
      await artifactRoot.close();
      expect(await contentsOf(root)).to.deep.equal(before);
    });

    it('the recovery file by another: the stranger keeps theirs', async () => {
      const reservation = await reserved(RECOVERY);
      await rename(`${root}/parent/${RECOVERY}`, `${root}/aside`);
      await writeFile(`${root}/parent/${RECOVERY}`, 'theirs');
      const publication = await publishArtifacts(
        nodeFileSystem(descriptors),
        { trace: null, inspection: null, result: reservation },
        { trace: null, inspection: null, result: RESULT },
      );
      await releaseReservation(reservation);
      expect(publication.states.result).to.equal('failed');
      expect(await contentsOf(`${root}/parent`)).to.deep.equal({ [RECOVERY]: 'theirs' });
    });
  });
}
