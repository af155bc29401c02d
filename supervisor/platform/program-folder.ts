import { join } from 'node:path';
import { imageHere } from '../../sandbox/pool/image-here.ts';
import { PROGRAM_FILES } from '../../system/program-files.ts';

/**
 * Where a sandbox finds its host program in a folder, which is absolute, and the guest image that this machine can use.
 */
export function sandboxFiles(directory: string): {
  readonly hostScript: string;
  readonly guestImage: string;
  readonly readableFolders: readonly string[];
} {
  const readableFolders = [directory];
  const guestImage = imageHere({
    guestImage: join(directory, PROGRAM_FILES.guestImage),
    imageScript: join(directory, PROGRAM_FILES.imageScript),
    readableFolders,
  });
  return { hostScript: join(directory, PROGRAM_FILES.hostScript), guestImage, readableFolders };
}
