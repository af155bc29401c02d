import { expect } from 'chai';
import { stat } from 'node:fs/promises';
import type { FileResult, OpenDirectory } from './file-system.ts';
import { nodeFileSystem } from './node-file-system.ts';
import { removeScratch, scratchDirectory } from './testing/scratch.ts';

/** Rights that a umask leaves to a new file or directory of a mode; the owner's own are never taken (cli.md §3). */
const MODES: readonly {
  readonly umask: number;
  readonly result: number;
  readonly privateFile: number;
  readonly directory: number;
}[] = [
  { umask: 0o000, result: 0o644, privateFile: 0o600, directory: 0o700 },
  { umask: 0o002, result: 0o644, privateFile: 0o600, directory: 0o700 },
  { umask: 0o022, result: 0o644, privateFile: 0o600, directory: 0o700 },
  { umask: 0o027, result: 0o640, privateFile: 0o600, directory: 0o700 },
  { umask: 0o077, result: 0o600, privateFile: 0o600, directory: 0o700 },
  { umask: 0o277, result: 0o600, privateFile: 0o600, directory: 0o700 },
  { umask: 0o422, result: 0o644, privateFile: 0o600, directory: 0o700 },
  { umask: 0o700, result: 0o644, privateFile: 0o600, directory: 0o700 },
  { umask: 0o777, result: 0o600, privateFile: 0o600, directory: 0o700 },
];

function valueOf<T>(result: FileResult<T>): T {
  if (!result.ok) throw new Error(result.errno);
  return result.value;
}

for (const [manner, descriptors] of [
  ['by descriptor', undefined],
  ['by path', null],
] as const) {
  describe(`modes of what is made ${manner}`, () => {
    let root = '';
    let directory: OpenDirectory;
    beforeEach(async () => {
      root = await scratchDirectory();
      directory = valueOf(await nodeFileSystem(descriptors).openDirectory(root));
    });
    afterEach(async () => {
      await directory.close();
      await removeScratch(root);
    });

    async function modeOf(name: string): Promise<number> {
      return (await stat(`${root}/${name}`)).mode & 0o7777;
    }

    for (const { umask, result, privateFile, directory: folder } of MODES) {
      it(`under umask ${umask.toString(8).padStart(3, '0')}: what its owner can use, and others as the umask says`, async () => {
        const before = process.umask(umask);
        try {
          for (const [name, mode] of [
            ['result', 0o644],
            ['private', 0o600],
          ] as const) {
            const file = valueOf(await directory.createFile(name, mode));
            valueOf(await file.write(new TextEncoder().encode('1')));
            await file.close();
          }
          valueOf(await directory.makeDirectory('folder', 0o700));
        } finally {
          process.umask(before);
        }
        expect(
          [await modeOf('result'), await modeOf('private'), await modeOf('folder')].map((mode) => mode.toString(8)),
        ).to.deep.equal([result, privateFile, folder].map((mode) => mode.toString(8)));
      });
    }
  });
}
