import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { RAW_GUEST } from '../testing/sandbox-under-test.ts';
import { buildSnapshot, everywhere } from '../../scripts/build-snapshot.ts';
import { imageCheck } from './image-check.ts';
import { readImageFacts } from './image-digest.ts';
import { imageHere } from './image-here.ts';
import { madeElsewhere } from './testing/made-elsewhere.ts';

const root = join(import.meta.dirname, '../..');
const imageScript = join(root, 'sandbox/host/remake-image.ts');

describe('the guest image for this platform', () => {
  let bytes: Buffer;
  let folder: string;
  const here = (image: Uint8Array, script = imageScript): string => {
    const guestImage = join(folder, 'guest.snapshot');
    writeFileSync(guestImage, image);
    return imageHere({ guestImage, imageScript: script, readableFolders: [root, folder, '/etc'] });
  };

  before(async () => {
    bytes = Buffer.from(await buildSnapshot(everywhere({ script: RAW_GUEST })));
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-image-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('is that of the build where V8 reads it', () => {
    expect(here(bytes)).to.equal(join(folder, 'guest.snapshot'));
    expect(readdirSync(folder)).to.deep.equal(['guest.snapshot']);
  });

  it('is made once where it does not, and kept', async () => {
    const stored = here(madeElsewhere(bytes));
    expect(dirname(stored)).to.equal(folder);
    expect(readImageFacts(stored)?.platform).to.equal(
      readImageFacts(join(folder, 'guest.snapshot'))?.platform.replace('~', process.platform.charAt(0)),
    );
    expect(await imageCheck(stored)()).to.equal(false);
    expect(readdirSync(folder)).to.have.length(2);
    // No script could make it again.
    expect(here(madeElsewhere(bytes), join(folder, 'missing.ts'))).to.equal(stored);
  });

  it('is another one for another build', async () => {
    const first = here(madeElsewhere(bytes));
    const other = Buffer.from(await buildSnapshot(everywhere({ script: `${RAW_GUEST}\n;` })));
    expect(here(madeElsewhere(other))).to.not.equal(first);
  });

  it('is that of the build where none can be made', () => {
    expect(here(madeElsewhere(bytes), join(folder, 'missing.ts'))).to.equal(join(folder, 'guest.snapshot'));
    expect(readdirSync(folder)).to.deep.equal(['guest.snapshot']);
  });

  it('is that of the build where what was made is none', () => {
    const script = join(folder, 'liar.cjs');
    writeFileSync(script, 'process.stdout.write("image")');
    expect(here(madeElsewhere(bytes), script)).to.equal(join(folder, 'guest.snapshot'));
    expect(existsSync(join(folder, 'guest.snapshot'))).to.equal(true);
    expect(readdirSync(folder).toSorted()).to.deep.equal(['guest.snapshot', 'liar.cjs']);
  });

  if (process.getuid?.() !== 0) {
    it('is that of the build where nothing can be kept', () => {
      const guestImage = join(folder, 'guest.snapshot');
      writeFileSync(guestImage, madeElsewhere(bytes));
      chmodSync(folder, 0o555);
      expect(imageHere({ guestImage, imageScript, readableFolders: [root, folder, '/etc'] })).to.equal(guestImage);
      expect(readFileSync(guestImage)).to.have.length(bytes.length);
      chmodSync(folder, 0o755);
    });
  }
});
