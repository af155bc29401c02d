import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { imagePlatform } from '../wire/image-platform.ts';
import { readImageFacts } from './image-digest.ts';
import { NODE_FLAGS } from './node-flags.ts';

/** Characters of the digest that distinguish the images of two builds. */
const DIGEST_CHARACTERS = 16;
const MAKING_MS = 60_000;
const MAX_IMAGE_BYTES = 64 * 1024 * 1024;

/** The program's folder, by absolute paths. */
export interface ImageFiles {
  readonly guestImage: string;
  /** What makes the image again from its sources. */
  readonly imageScript: string;
  readonly readableFolders: readonly string[];
}

/**
 * The guest image for this platform, as an absolute path: that of the build where V8 can read its snapshots, else one
 * that is made from it once and kept beside it. The build's where none can be made or kept, from which each host then
 * makes its own. Never throws.
 */
export function imageHere(files: ImageFiles): string {
  const { guestImage } = files;
  try {
    const facts = readImageFacts(guestImage);
    if (facts === null || facts.platform === imagePlatform()) return guestImage;
    const cachedImage = join(
      dirname(guestImage),
      `guest.${imagePlatform()}.${facts.digest.slice(0, DIGEST_CHARACTERS)}.snapshot`,
    );
    if (!existsSync(cachedImage)) keep(cachedImage, remade(files));
    return cachedImage;
  } catch {
    return guestImage;
  }
}

function remade({ guestImage, imageScript, readableFolders }: ImageFiles): Buffer {
  const reads = readableFolders.map((folder) => `--allow-fs-read=${folder}`);
  // Every start comes by here, and hardly one makes an image: the module takes 2 ms.
  return process
    .getBuiltinModule('node:child_process')
    .execFileSync(process.execPath, [...NODE_FLAGS, ...reads, imageScript, guestImage], {
      env: {},
      cwd: '/',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: MAKING_MS,
      killSignal: 'SIGKILL',
      maxBuffer: MAX_IMAGE_BYTES,
    });
}

/** Two programs that start together each make it; the last one's stays, which is as good. */
function keep(file: string, image: Buffer): void {
  const unfinished = `${file}.${process.pid}`;
  try {
    writeFileSync(unfinished, image, { flag: 'wx' });
    if (readImageFacts(unfinished)?.platform !== imagePlatform())
      throw new Error('what was made is no image for this platform');
    renameSync(unfinished, file);
  } finally {
    rmSync(unfinished, { force: true });
  }
}
