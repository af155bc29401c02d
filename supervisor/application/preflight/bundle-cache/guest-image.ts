import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readImageDigest } from '../../../../sandbox/pool/image-digest.ts';
import { imageStamp, type GuestImageFile } from '../../../platform/image-stamp.ts';

/** What turns components into code: the compiler is part of the guest image. */
export interface Compiler {
  /**
   * SHA-256 in hex that names the image: the one in its header, else that of its bytes; null when that is not known.
   */
  identity(): Promise<string | null>;
  /** Whether what was compiled since the start of the command came from the image that `identity` names. */
  isUnchanged(): boolean;
}

/** The compiler in an image file. One that is exchanged while the command runs has no identity. */
export function imageCompiler({ path, stamp }: GuestImageFile): Compiler {
  const isUnchanged = (): boolean => stamp !== null && imageStamp(path) === stamp;
  let identity: string | null | undefined;
  return {
    isUnchanged,
    identity: async () => {
      if (identity === undefined) {
        const hash = isUnchanged() ? hashOf(path) : null;
        identity = isUnchanged() ? hash : null;
      }
      return identity;
    },
  };
}

function hashOf(path: string): string | null {
  try {
    return readImageDigest(path) ?? createHash('sha256').update(readFileSync(path)).digest('hex');
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  }
}
