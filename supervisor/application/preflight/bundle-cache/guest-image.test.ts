import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { removeScratch, scratchDirectory } from '../../../evidence/publication/testing/scratch.ts';
import { imageCompiler } from './guest-image.ts';
import { imageStamp } from '../../../platform/image-stamp.ts';

describe('identity of the compiler', () => {
  let folder = '';
  const path = (): string => join(folder, 'guest.snapshot');
  const compiler = () => imageCompiler({ path: path(), stamp: imageStamp(path()) });

  beforeEach(async () => {
    folder = await scratchDirectory();
    writeFileSync(path(), 'image');
  });
  afterEach(async () => {
    await removeScratch(folder);
  });

  it('is that of the bytes of its image', async () => {
    const first = await compiler().identity();
    expect(first).to.equal('6105d6cc76af400325e94d588ce511be5bfdbb73b437dc51eca43917d7a43e3d');
    writeFileSync(path(), 'imago');
    expect(await compiler().identity()).to.not.equal(first);
  });

  it('is none for an image that was exchanged after the command began', async () => {
    const started = compiler();
    writeFileSync(join(folder, 'next'), 'image');
    renameSync(join(folder, 'next'), path());
    expect(started.isUnchanged()).to.equal(false);
    expect(await started.identity()).to.equal(null);
  });

  it('is none for an image that is not there or is no file', async () => {
    rmSync(path());
    expect(await compiler().identity()).to.equal(null);
    mkdirSync(path());
    expect(await compiler().identity()).to.equal(null);
  });
});
